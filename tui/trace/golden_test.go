package trace

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/tui/look"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane/panetest"
)

func TestADecisionThatAgrees(t *testing.T) {
	panetest.Screens(t, "agrees", func(k look.Look) panetest.Pane {
		m := New(k, upgradeDecision())
		return &m
	})
}

func TestADecisionThatDiffersWithAllUnfolded(t *testing.T) {
	panetest.Screens(t, "differs", func(k look.Look) panetest.Pane {
		m := New(k, otherwise())
		m.Do(pane.ZoomIn)
		m.Do(pane.Top)
		return &m
	})
}

func TestADecisionThatIsNotKnown(t *testing.T) {
	panetest.Screens(t, "unknown", func(k look.Look) panetest.Pane {
		m := New(k, nil)
		return &m
	})
}
