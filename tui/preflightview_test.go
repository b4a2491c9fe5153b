package tui

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// opened is the page of a preflight with every node unfolded.
func opened(t *testing.T, r *report.Preflight) *driver {
	return foresee(t, r, settings{}, "200x90").play("/ text:kubelet enter esc")
}

// A node that only its containers speak of is listed behind the others.
func TestNodesOfAnOddPreflight(t *testing.T) {
	r := foretold()
	r.Items[0].Node, r.Items[1].Node = "ghost", ""
	count(r)
	text := opened(t, r).screen()
	for _, want := range []string{"spare-0  no container runs here", "ghost  1 may restart", "node not known  1 unknown"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Index(text, "ghost") < strings.Index(text, "spare-0") {
		t.Error("the node that is not known comes first")
	}
}

func TestANodeHasTheWorstFirst(t *testing.T) {
	r := foretold()
	r.Items[6].Prediction = "certain" // a word that is not known counts as unknown
	count(r)
	text := opened(t, r).screen()
	for _, order := range [][]string{
		{"worker-2  1 restarts", "blocker: the feature gate", "check: --keep-terminated", "note: startup probes",
			"restarts: shop/web-0/app", "stays: kube-system/"},
		{"worker-3  4 restart", "risk: a change", "shop/cart-1/log (sidecar)", "certain: shop/cart-0/setup (init)"},
	} {
		rest := text[strings.LastIndex(text, "Nodes, most"):]
		for _, want := range order {
			_, after, found := strings.Cut(rest, want)
			if !found {
				t.Fatalf("no %q behind the one before in\n%s", want, text)
			}
			rest = after
		}
	}
	if r.Nodes[0].Findings[0].Level != report.FindingNote {
		t.Error("the report was reordered")
	}
}
