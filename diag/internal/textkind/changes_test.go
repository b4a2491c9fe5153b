package textkind_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
)

func TestChangesOfAReleaseAreLeftOut(t *testing.T) {
	const below = "web-0 crashes since.\n"
	for name, c := range map[string]struct{ text, want string }{
		"in front":            {"## v1.4.1\n### Bug Fixes\n- the worker was OOMKilled (#409)\n\n" + below, below},
		"behind":              {below + "## [1.4.1](https://x) (2024-03-05)\n* **app:** fix a crash ([#409](x))\n", below},
		"of commits":          {"## 1.4.1\n- fix(app): crash on start\n" + below, below},
		"nothing else":        {"## 1.4.1\n- fix(app): crash on start\n", "## 1.4.1\n- fix(app): crash on start\n"},
		"a report by version": {"### 1.4.1\n- app exits with code 139 (#77)\n", "### 1.4.1\n- app exits with code 139 (#77)\n"},
		"other headings":      {"# 1.30.2\n## Removed pods\n- web-0 evicted\n", "# 1.30.2\n## Removed pods\n- web-0 evicted\n"},
		"a description":       {"# 1.29.4\n  Name: web-0\n  Reason: OOMKilled\n", "# 1.29.4\n  Name: web-0\n  Reason: OOMKilled\n"},
		"a date":              {"## 2026.11.30\n- fix: pay-0 OOMKilled\n", "## 2026.11.30\n- fix: pay-0 OOMKilled\n"},
		"an address":          {"# 10.0.0.12\n- fix: web-0 OOMKilled\n", "# 10.0.0.12\n- fix: web-0 OOMKilled\n"},
	} {
		if got := textkind.WithoutChanges(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
