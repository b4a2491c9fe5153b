package statement

import (
	"strings"
	"testing"
)

// A scope is a container's by the runtime's prefix and a whole id, whoever names it.
func TestScopesThatTheKernelStruck(t *testing.T) {
	id := strings.Repeat("4e", 32)
	const struck = ": A process of this unit has been killed by the OOM killer."
	for name, c := range map[string]struct{ about, msg, want string }{
		"containerd":           {"", "cri-containerd-" + id + ".scope" + struck, id},
		"CRI-O":                {"", "crio-" + id + ".scope: Failed with result 'oom-kill'.", id},
		"the journal names it": {"docker-" + id + ".scope", "docker-" + id + ".scope" + struck, id},
		"it ended well":        {"", "crio-" + id + ".scope: Deactivated successfully.", ""},
		"conmon's":             {"", "crio-conmon-" + id + ".scope" + struck, ""},
		"a short id":           {"", "crio-4e4e.scope" + struck, ""},
		"a service":            {"", "cri-containerd-" + id + ".service" + struck, ""},
	} {
		if got, ok := scopeKilled(c.about, c.msg); got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
}
