package app_test

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/app"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// What some text says is no termination message of the process.
func TestWhoseWordsAMessageIs(t *testing.T) {
	for uid, want := range map[string]string{
		"6f1c2d3e": "its termination message: boom", evidence.Mentioned + "shop/web-0": "the text says: boom",
	} {
		f := causestest.Base(1)
		f.R.PodUID, f.R.From.Message = uid, safetext.Clean("boom")
		var chain []string
		for _, r := range app.Rules() {
			if r.ID != causes.AppExitError {
				continue
			}
			for _, link := range r.Claim(f).Chain {
				chain = append(chain, link.Text)
			}
		}
		if got := strings.Join(chain, "\n"); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", uid, got, want)
		}
	}
}
