package probe_test

import (
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
)

// A container that ran for less than 20 seconds was not killed by this liveness probe.
func ExampleKillWindow() {
	rules, err := probe.RulesFor(kubelet.Version{Major: 1, Minor: 30})
	if err != nil {
		fmt.Println(err)
		return
	}
	spec := probe.Spec{Kind: probe.Liveness, Handler: "httpGet", InitialDelay: 10, Period: 5, Timeout: 1,
		FailureThreshold: 3, SuccessThreshold: 1}
	start := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	w, err := probe.KillWindow(rules, spec, probe.Life{ContainerStarted: start})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Failures, "failures, not before", w.Earliest.Sub(start))
	// Output: 3 failures, not before 20s
}
