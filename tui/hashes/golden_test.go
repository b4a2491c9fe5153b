package hashes

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/look"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane/panetest"
)

func screens(t *testing.T, name string, h *report.Hashes) {
	t.Helper()
	panetest.Screens(t, name, func(k look.Look) panetest.Pane {
		m := New(k, h)
		return &m
	})
}

func TestTheSameSpecUnderAnotherKubelet(t *testing.T) { screens(t, "upgrade", upgraded()) }
func TestAnotherImage(t *testing.T)                   { screens(t, "image", imageChanged()) }
func TestAnOldHashThatNothingMakes(t *testing.T)      { screens(t, "unexplained", unexplained()) }
