package preflight

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// The behaviour of a kubelet newer than the newest known one is assumed, and every prediction that rests on it says so.
func TestAKubeletThatIsNotModelled(t *testing.T) {
	newest := fmt.Sprintf("kubelet v1.98 behaves like v1.%d, the newest known version", kubelet.NewestMinor)
	static := func(st *story) { st.mirror = strings.Repeat("0a", 16) }
	for name, c := range map[string]struct {
		from, to string
		want     string // of the static pod
		unknown  bool   // whether the new kubelet starts
		assumed  string
	}{
		"to the one behind the newest": {"v1.37.1", "v1.98.0", "may: static-pod-kubelet-upgrade",
			true, newest},
		"back from it": {"v1.98.0", "v1.37.1", "may: static-pod-kubelet-upgrade",
			true, newest},
		"between two of them": {"v1.98.0", "v1.99.0", "may: static-pod-kubelet-upgrade",
			true, newest},
		"over a change that is known": {"v1.36.3", "v1.98.0", "restarts: static-pod-kubelet-upgrade",
			true, newest},
		"the same one, started again": {"v1.98.0", Same, "stays: unchanged",
			false, newest},
		"another patch of it": {"v1.98.0", "v1.98.1", "stays: unchanged",
			true, newest},
		"of another major":                  {"v2.0.0", "v1.37.1", "unknown: kubelet-version-unknown", false, ""},
		"both are known":                    {"v1.36.3", "v1.37.1", "restarts: static-pod-kubelet-upgrade", false, ""},
		"and down again":                    {"v1.37.1", "v1.36.3", "restarts: static-pod-kubelet-upgrade", false, ""},
		"two patches of a minor as a check": {"v1.37.0", "v1.37.1", "stays: unchanged", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := predicted(t, newStory(c.from, static), c.to)
			if got := told(r, "app"); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			n := r.Nodes[0]
			finding := slices.ContainsFunc(n.Findings, func(f report.Finding) bool { return f.Rule == "kubelet-not-modelled" })
			if finding != c.unknown || n.Blocked {
				t.Errorf("kubelet-not-modelled: %v, want %v (blocked %v): %+v", finding, c.unknown, n.Blocked, n.Findings)
			}
			all := slices.Concat(r.Assumed, r.Items[0].Assumed)
			if slices.Contains(all, c.assumed) != (c.assumed != "") ||
				n.Extrapolated != (c.assumed != "" || c.from[:2] == "v2") {
				t.Errorf("extrapolated %v, assumed %q", n.Extrapolated, all)
			}
			for _, why := range r.Groups {
				if why.Rule == ruleUnchanged && strings.Contains(why.Because, "no known change") != n.Extrapolated {
					t.Errorf("extrapolated %v, but what stays does so because %q", n.Extrapolated, why.Because)
				}
			}
		})
	}
}
