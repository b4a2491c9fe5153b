package timelineview

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane/panetest"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

func TestAnUpgradeAsItIsSeenFirst(t *testing.T) {
	panetest.Screens(t, "upgrade", func(k style.Theme) panetest.Pane {
		return new(New(k, OfStory(upgrade())))
	})
}

func TestACrashLoopAsItIsSeenFirst(t *testing.T) {
	panetest.Screens(t, "crashloop", func(k style.Theme) panetest.Pane {
		m := New(k, OfNode(crashLoop(60)))
		m.Do(pane.Fit)
		return &m
	})
}
