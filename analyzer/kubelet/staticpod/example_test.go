package staticpod_test

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/staticpod"
)

// Which upgrades give every static pod another UID, and so start all of them again.
func ExampleBetween() {
	for _, c := range staticpod.Between(31, 33) {
		fmt.Printf("1.%d: %s\n", c.Minor, c.Why())
	}
	// Output:
	// 1.32: changed in every pod: PodSecurityContext.SELinuxChangePolicy, PodSpec.Resources
	// 1.33: changed in every pod: PodStatus.ObservedGeneration
}
