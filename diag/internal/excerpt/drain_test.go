package excerpt

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
)

// A drain prints warnings and tries again: each pod is evicted once, in the namespace that the first line about it has.
func TestADrainEvictsEachPodOnce(t *testing.T) {
	const begin = "node/w4 cordoned\nWarning: ignoring DaemonSet-managed Pods: kube-system/proxy-q2zzt\n" +
		"evicting pod shop/cart-0\nevicting pod shop/web-0\n" +
		"error when evicting pods/\"web-0\" -n \"shop\" (will retry after 5s): Cannot evict pod as it would violate the pod's disruption budget.\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"the budget allows it later", begin + "evicting pod shop/web-0\npod/cart-0 evicted\npod/web-0 evicted\nnode/w4 drained\n",
			[]string{"shop/cart-0", "shop/web-0"}},
		{"the budget never allows it", begin + "evicting pod shop/web-0\npod/cart-0 evicted\n", []string{"shop/cart-0"}},
	} {
		found, _ := Read(c.text, "f", describe.Place{}, printedAt)
		var got []string
		for _, raw := range found.Objects {
			var e struct {
				Source         struct{ Component string }
				InvolvedObject struct{ Namespace, Name string }
			}
			if json.Unmarshal(raw, &e) == nil && e.Source.Component == "kubectl-drain" {
				got = append(got, e.InvolvedObject.Namespace+"/"+e.InvolvedObject.Name)
			}
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
