package cli

import (
	"strings"
	"testing"
)

// An eviction of which nothing but the kubelet's log is left.
func TestAnEvictionFromAKubeletsLogAlone(t *testing.T) {
	const log = `I0512 04:28:00.000000    2473 server.go:467] "Kubelet version" kubeletVersion="v1.28.15"
W0512 04:59:00.000000    2473 eviction_manager.go:345] "Eviction manager: attempting to reclaim" resourceName="memory"
I0512 04:59:00.000100    2473 eviction_manager.go:356] "Eviction manager: must evict pod(s) to reclaim" resourceName="memory"
I0512 04:59:00.000200    2473 eviction_manager.go:374] "Eviction manager: pods ranked for eviction" pods=["shop/web-0","kube-system/x"]
I0512 04:59:00.000300    2473 kuberuntime_container.go:808] "Killing container with a grace period" pod="shop/web-0" podUID="93e17ecc-ab55-461a-b526-29248d2554ad" containerName="web" containerID="containerd://05657a9c673d612aedd955a65136ccca36b82ba987831de7844cdc0238f1d707" gracePeriod=0
I0512 04:59:00.500300    2473 generic.go:334] "Generic (PLEG): container finished" podID="93e17ecc-ab55-461a-b526-29248d2554ad" containerID="05657a9c673d612aedd955a65136ccca36b82ba987831de7844cdc0238f1d707" exitCode=137
I0512 04:59:01.000300    2473 eviction_manager.go:599] "Eviction manager: pod is evicted successfully" pod="shop/web-0"
`
	for resource, cause := range map[string]string{"memory": "evicted-memory",
		"ephemeral-storage": "evicted-disk", "pids": "evicted-pid"} {
		t.Run(resource, func(t *testing.T) {
			v := analysed(t, strings.ReplaceAll(log, `"memory"`, `"`+resource+`"`), "-")
			if v.counts["unnamed web-0 "+cause] != 1 {
				t.Errorf("%v", v.counts)
			}
		})
	}
}

// What journalctl says of its journal gives the year to times that have none.
func TestTheYearOfAJournalThatTellsWhenItEnded(t *testing.T) {
	lines := kubeletsOwn(t, upgrades)
	for i := range lines {
		lines[i].at = lines[i].at.AddDate(-5, 0, 0)
	}
	const head = "-- Logs begin at Sat 2021-11-20 08:46:02 UTC, end at Mon 2021-11-22 10:01:02 UTC. --\n"
	env, out, errOut := testEnv()
	env.Streams.In = strings.NewReader(head + syslogOf("kubelet")(lines))
	if code := Run(t.Context(), env, []string{"kubectl-restartwhy", "analyze", "-", "-o", "json"}); code != 0 {
		t.Fatal(errOut)
	}
	if !strings.Contains(out.String(), `"time": "2021-11-21T`) || strings.Contains(out.String(), `"time": "2026-`) {
		t.Error("the year is not the journal's")
	}
}
