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
