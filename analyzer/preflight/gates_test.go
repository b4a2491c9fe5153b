package preflight

import "testing"

// How real kubelets of these minors responded to --feature-gates=NAME=VALUE: "unrecognized feature gate", "cannot set
// feature gate", or nothing.
func TestTheTablesSayWhatRealKubeletsSaid(t *testing.T) {
	const fine, unknown, locked = "", "unrecognized", "cannot set"
	for _, c := range []struct {
		gate   string
		value  bool
		minor  int
		answer string
	}{
		{"SelectorIndex", false, 20, locked},
		{"SelectorIndex", false, 30, unknown},
		{"RemoveSelfLink", false, 20, fine},
		{"RemoveSelfLink", false, 30, unknown},
		{"WatchBookmark", false, 20, locked},
		{"TokenRequest", false, 20, locked},
		{"TokenRequest", false, 30, unknown},
		{"ComponentSLIs", false, 20, unknown},
		{"ComponentSLIs", false, 30, fine},
		{"ComponentSLIs", false, 34, locked},
		{"ComponentSLIs", true, 36, unknown},
		{"InOrderInformers", false, 31, unknown},
		{"InOrderInformers", false, 34, fine},
		{"InOrderInformers", false, 36, locked},
		{"AllowServiceLBStatusOnNonLB", true, 34, locked},
		{"AllowServiceLBStatusOnNonLB", false, 34, fine},
		{"AllowServiceLBStatusOnNonLB", false, 36, unknown},
		{"WatchFromStorageWithoutResourceVersion", true, 34, locked},
		{"GitRepoVolumeDriver", true, 34, fine},
		{"GitRepoVolumeDriver", true, 36, locked},
		{"SeparateCacheWatchRPC", true, 36, locked},
		{"AllowOverwriteTerminationGracePeriodSeconds", true, 36, locked},
	} {
		span := gates()[c.gate]
		answer := fine
		switch {
		case span.Last != 0 && c.minor > span.Last || c.minor < cameWith(c.gate):
			answer = unknown
		case span.Locked != 0 && c.minor >= span.Locked && c.value != span.Value:
			answer = locked
		}
		if answer != c.answer {
			t.Errorf("%s=%t in v1.%d: the tables say %q, the kubelet %q", c.gate, c.value, c.minor, answer, c.answer)
		}
	}
}
