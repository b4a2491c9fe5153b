package kubelet_test

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// Why an exec probe that never killed before kills after an upgrade from 1.19 to 1.20.
func ExampleProfileFor() {
	for _, text := range []string{"v1.19.16", "v1.20.0", "v1.99.0"} {
		v, err := kubelet.ParseVersion(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		p, err := kubelet.ProfileFor(v)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(text, "enforces timeouts:", p.ExecProbeTimeout, "known:", !p.Extrapolated)
	}
	// Output:
	// v1.19.16 enforces timeouts: false known: true
	// v1.20.0 enforces timeouts: true known: true
	// v1.99.0 enforces timeouts: true known: false
}
