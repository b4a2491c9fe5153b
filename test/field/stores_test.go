package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/field/internal/entry"
)

const (
	aUID   = "93e17ecc-ab55-461a-b526-29248d2554ad"
	anID64 = "05657a9c673d612aedd955a65136ccca36b82ba987831de7844cdc0238f1d707"
	aPath  = "/kubepods.slice/kubepods-pod93e17ecc_ab55_461a_b526_29248d2554ad.slice/cri-containerd-" + anID64 + ".scope"
)

// logged is a log of a node as a program wrote it, with what a report says of the one end in it.
type logged struct {
	lines []string
	want  string // cause, pod and container
}

var logs = map[string]logged{
	"a kubelet's": {[]string{
		`I0516 18:34:49.000000     812 prober.go:107] "Probe failed" probeType="Liveness" pod="shop/web-0" podUID="` + aUID +
			`" containerName="web" probeResult="failure" output="HTTP probe failed with statuscode: 500"`,
		`I0516 18:34:50.000000     812 kuberuntime_manager.go:1027] "Message for Container of pod" containerName="web" ` +
			`pod="shop/web-0" containerMessage="Container web failed liveness probe, will be restarted"`,
		`I0516 18:34:51.000000     812 kuberuntime_container.go:808] "Killing container with a grace period" ` +
			`pod="shop/web-0" podUID="` + aUID + `" containerName="web" ` +
			`containerID="containerd://` + anID64 + `" gracePeriod=30`,
		`I0516 18:34:52.000000     812 generic.go:334] "Generic (PLEG): container finished" podID="` + aUID +
			`" containerID="` + anID64 + `" exitCode=137`,
	}, "liveness-probe-failed web-0 web"},
	"a kubelet's in JSON": {[]string{
		`{"ts":1747420489000.0,"caller":"prober.go:107","msg":"Probe failed","v":2,"probeType":"Liveness",` +
			`"pod":{"name":"web-0","namespace":"shop"},"podUID":"` + aUID +
			`","containerName":"web","output":"statuscode: 500"}`,
		`{"ts":1747420490000.0,"caller":"kuberuntime_manager.go:1027","msg":"Message for Container of pod","v":2,` +
			`"containerName":"web","pod":{"name":"web-0","namespace":"shop"},` +
			`"containerMessage":"Container web failed liveness probe, will be restarted"}`,
		`{"ts":1747420491000.0,"caller":"kuberuntime_container.go:808","msg":"Killing container with a grace period","v":2,` +
			`"pod":{"name":"web-0","namespace":"shop"},"podUID":"` + aUID + `","containerName":"web","gracePeriod":30,` +
			`"containerID":"containerd://` + anID64 + `"}`,
		`{"ts":1747420492000.0,"caller":"generic.go:334","msg":"Generic (PLEG): container finished","v":2,` +
			`"podID":"` + aUID + `","containerID":"` + anID64 + `","exitCode":137}`,
	}, "liveness-probe-failed web-0 web"},
	"a runtime's": {[]string{
		`time="2025-05-16T18:34:49.000000000Z" level=info msg="TaskOOM event container_id:\"` + anID64 + `\""`,
		`time="2025-05-16T18:34:50.000000000Z" level=info msg="TaskExit event in podsandbox handler ` +
			`container_id:\"` + anID64 + `\" id:\"` + anID64 + `\" pid:4321 exit_status:137 exited_at:{seconds:1747420490}"`,
	}, "oom-container-limit ? ?"},
	"a runtime's in JSON": {[]string{
		`{"level":"info","msg":"TaskOOM event container_id:\"` + anID64 + `\"","time":"2025-05-16T18:34:49.000000000Z"}`,
		`{"level":"info","msg":"TaskExit event in podsandbox handler container_id:\"` + anID64 + `\" id:\"` + anID64 +
			`\" pid:4321 exit_status:137 exited_at:{seconds:1747420490}","time":"2025-05-16T18:34:50.000000000Z"}`,
	}, "oom-container-limit ? ?"},
	"the kernel's": {[]string{
		`[12345.000001] java invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=984`,
		`[12345.000002] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=` + aPath +
			`,task_memcg=` + aPath + `,task=java,pid=4321,uid=0`,
		`[12345.000003] Memory cgroup out of memory: Killed process 4321 (java) total-vm:4096000kB, anon-rss:524288kB, ` +
			`file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:1200kB oom_score_adj:984`,
	}, "oom-container-limit " + aUID + " " + anID64[:12]},
}

func init() {
	behind := func(program, of string) logged {
		l := logged{want: logs[of].want}
		for i, line := range logs[of].lines {
			l.lines = append(l.lines, fmt.Sprintf("%s worker-3 %s: %s", record{}.at(i).Format(time.Stamp), program, line))
		}
		return l
	}
	logs["a kubelet's in syslog"] = behind("kubelet[812]", "a kubelet's")
	logs["a runtime's in syslog"] = behind("containerd[811]", "a runtime's")
	logs["the kernel's in syslog"] = behind("kernel", "the kernel's")
	logs["a controller's"] = logged{[]string{
		`I0516 18:34:49.000000       1 update_priority_calculator.go:143] pod accepted for update shop/web-0 ` +
			`with priority 8.8`,
		`I0516 18:34:50.000000       1 updater.go:228] evicting pod shop/web-0`,
	}, "api-evicted web-0 "}
}

// What a log shows does not depend on where it was kept.
func TestALogTellsTheSameFromEveryStore(t *testing.T) {
	for name, l := range logs {
		for file, store := range stores {
			text := store(record{lines: l.lines})
			e := &entry.Entry{Name: file, Files: map[string][]byte{file: []byte(text)}}
			r, err := e.Report()
			if err != nil {
				t.Fatalf("%s log in %s: %v\n%s", name, file, err, text)
			}
			var got []string
			for _, it := range r.Items {
				got = append(got, fmt.Sprintf("%s %s %s", it.Verdict.Cause, it.Pod, it.Container))
			}
			if len(got) != 1 || got[0] != l.want {
				t.Errorf("%s log in %s: %q, want %q\n%s", name, file, got, l.want, text)
			}
		}
	}
}
