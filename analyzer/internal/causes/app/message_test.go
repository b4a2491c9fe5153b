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

// What a program said last decides what to look at first, besides its log.
func TestTheAdviceForLastWords(t *testing.T) {
	for said, want := range map[string]string{
		"F1108 04:31:48.770944 1 main.go:348] lost master":                     "slow or unreachable API server",
		"java.lang.OutOfMemoryError: Java heap space":                          "-Xmx",
		"runtime/cgo: pthread_create failed: Resource temporarily unavailable": "podPidsLimit",
		"listen tcp :80: bind: address already in use":                         "its port",
		"listen tcp :80: bind: permission denied":                              "runAsUser",
		"dial tcp: lookup db on 10.0.0.10:53: no such host":                    "DNS",
		"dial tcp 10.3.0.1:5432: connect: connection refused":                  "what it connects to",
		"Error: unknown flag: --lease":                                         "compare args",
		"panic: runtime error: nil pointer dereference":                        "a fault in the program",
		"exec /app: exec format error":                                         "kubectl get node/n1",
		"bye":                                                                  "look for the reason in the container's log",
	} {
		f := causestest.Base(1)
		f.R.From.Message = safetext.Clean(said)
		for _, r := range app.Rules() {
			if do := r.Do(f); r.ID == causes.AppExitError && (!strings.Contains(do[0], want) ||
				!strings.Contains(do[len(do)-1], "kubectl logs web-0")) {
				t.Errorf("%s: %q, want %q", said, do, want)
			}
		}
	}
}

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
