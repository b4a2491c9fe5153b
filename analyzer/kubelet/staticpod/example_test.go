package staticpod_test

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/staticpod"
)

// Which upgrades change the UID of every static pod, and so restart all of them.
func ExampleBetween() {
	for _, c := range staticpod.Between(31, 33) {
		fmt.Printf("1.%d: %s\n", c.Minor, c.Why())
	}
	// Output:
	// 1.32: changed in every pod: PodSecurityContext.SELinuxChangePolicy, PodSpec.Resources
	// 1.33: changed in every pod: PodStatus.ObservedGeneration
}
