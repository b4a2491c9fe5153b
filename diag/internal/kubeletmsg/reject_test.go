package kubeletmsg

import "testing"

// Reasons of refusals, and those that are none.
func TestRejects(t *testing.T) {
	for reason, want := range map[string]bool{"SysctlForbidden": true, "AppArmor": true, "PodFeatureUnsupported": true,
		"UnexpectedAdmissionError": true, "OutOfcpu": true, "NodeAffinity": true, "TopologyAffinityError": true,
		"Evicted": false, "Killing": false, "": false,
	} {
		if got := Rejects(reason); got != want {
			t.Errorf("%q: refuses %t, want %t", reason, got, want)
		}
	}
}
