package timelineview

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

func TestAnUpgradeAsItIsSeenFirst(t *testing.T) {
	screens(t, "upgrade", func(k style.Theme) *Model {
		return new(New(k, OfStory(upgrade())))
	})
}

func TestACrashLoopAsItIsSeenFirst(t *testing.T) {
	screens(t, "crashloop", func(k style.Theme) *Model {
		m := New(k, OfNode(crashLoop(60)))
		m.Do(pane.Fit)
		return &m
	})
}
