package lookup

import (
	"strings"
	"testing"
)

func TestASentenceIsReadByItsTerms(t *testing.T) {
	for text, want := range map[string]string{
		"pod evicted":                   "Evicted",
		"why was it 137?":               "exit 137",
		"it exited with 2 this morning": "exit 2",
		"my pods are OOMKilled since (CrashLoopBackOff)": "OOMKilled CrashLoopBackOff",
		"liveness failing on web-0":                      "Liveness probe failed",
		"restarted 5 times in 2 days":                    "",
		"context deadline exceeded":                      "context deadline exceeded",
		"my cat":                                         "",
	} {
		x := New()
		var terms []string
		found := x.Sentence(text)
		for _, a := range x.Report().Answers {
			terms = append(terms, a.Term)
		}
		if got := strings.Join(terms, " "); got != want || found != (want != "") {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// A call that took too long ends no container, and neither does a runtime that does not answer: no cause has a share.
func TestWhatEndsNothingHasNoCauses(t *testing.T) {
	for _, text := range []string{"context deadline exceeded", "PLEG is not healthy: pleg was last seen active 3m0s ago",
		"rpc error: code = DeadlineExceeded desc = context deadline exceeded"} {
		x := New()
		x.Line(Line{Text: text})
		all := x.Report().Answers
		if len(all) != 1 || len(all[0].Causes) > 0 || strings.Contains(all[0].Means, "ran for longer") {
			t.Errorf("%s: %+v", text, all)
		}
	}
}

// A message is explained in plain words with what mends it, also where no word of it is known.
func TestAMessageInPlainWords(t *testing.T) {
	for message, want := range map[string]struct{ cause, here, advice string }{
		`OCI runtime create failed: chdir to cwd ("/a") set in config.json failed: permission denied`: {
			"start-error", "working directory /a", "workingDir"},
		`exec: "/run.sh": permission denied`:           {"start-error", "/run.sh may not be executed", "chmod +x"},
		"listen tcp :80: bind: address already in use": {"app-exit-error", "", "its port"},
		"Pod was evicted by VPA Updater to apply resource recommendation.": {
			"api-evicted", "vertical pod autoscaler", "kubectl get vpa -n NAMESPACE"},
	} {
		x := New()
		if !x.Line(Line{Text: message, Message: message}) && !x.Message(message) {
			t.Errorf("%s: not recognised", message)
			continue
		}
		a := x.Report().Answers[0]
		if a.Causes[0].Cause != want.cause || !strings.Contains(a.Here, want.here) ||
			!strings.Contains(a.Advice, want.advice) {
			t.Errorf("%s: %+v", message, a)
		}
	}
	if hint := LastWords("2026-11-29 bind: address already in use"); !strings.Contains(hint, "its port") {
		t.Errorf("a known line suggests %q", hint)
	}
	if hint := LastWords("listening on :8080"); hint != "" {
		t.Errorf("a line like any other suggests %q", hint)
	}
	for _, text := range []string{"hello world", "karpenter controller started", "ModuleNotFoundError: file not found",
		"HTTP 429 Too Many Requests"} {
		if New().Message(text) {
			t.Errorf("%q is explained", text)
		}
	}
	for _, text := range []string{"dial tcp 10.0.0.1:5432: i/o timeout", "x509: certificate signed by unknown authority",
		"FATAL: permission denied for table users"} {
		x := New()
		if !x.Message(text) || x.Report().Answers[0].Causes[0].Cause != "app-exit-error" {
			t.Errorf("%q is taken for a runtime's: %+v", text, x.Report().Answers)
		}
	}
}
