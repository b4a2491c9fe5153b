package cli

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

// A file's name promises nothing: what it is, its content tells.
func TestContentTellsWhatAFileIs(t *testing.T) {
	const log = `Nov 21 09:00:10 n1 kubelet[80]: I1121 09:00:10.100000      80 kuberuntime_manager.go:808] "Container failed startup probe, will be restarted" pod="shop/web-0" podUID="u1" containerName="app"
Nov 21 09:00:10 n1 kubelet[80]: I1121 09:00:10.200000      80 kuberuntime_container.go:808] "Killing container with a grace period" pod="shop/web-0" podUID="u1" containerName="app" containerID="containerd://aaaa" gracePeriod=2
`
	want := analysed(t, "", tree{"kubelet.log": log, "pods.json": apiPods("n1")}.dir(t)).counts
	if len(want) == 0 {
		t.Fatal("nothing found in files of good names")
	}
	for _, name := range []string{"kubelet.journal", "system.journal~", "journal",
		"x.log.gz", "node.json", "kubelet.yaml", "a.tar", "b.zip", "c.zst", "journal/system.journal",
		"kubelet.csv", "README.md"} {
		for _, pods := range []string{"pods.json", "pods.yaml", "pods.txt", "pod.journal", "kubelet.log", "dmesg"} {
			if got := analysed(t, "", tree{name: log, pods: apiPods("n1")}.dir(t)).counts; !maps.Equal(got, want) {
				t.Errorf("log as %s, pods as %s: %v, want %v", name, pods, slices.Sorted(maps.Keys(got)), want)
			}
		}
	}
}

func TestNodesAndPodsAreNotNamedTogether(t *testing.T) {
	if _, errs, code := run(t, "node/n1", "pod/web-0"); code != command.ExitUsage ||
		!strings.Contains(errs, "not both: node/n1 beside pod/web-0") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}
