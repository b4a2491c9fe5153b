package timelineview

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

func TestAnUpgradeAsItIsSeenFirst(t *testing.T) {
	screens(t, "upgrade", func(k style.Theme) *Model {
		return new(New(k, upgrade().Activity))
	})
}

func TestACrashLoopAsItIsSeenFirst(t *testing.T) {
	screens(t, "crashloop", func(k style.Theme) *Model {
		m := New(k, crashLoop(60).Activity)
		m.Do(pane.Fit)
		return &m
	})
}
