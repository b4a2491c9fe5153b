package sim

import (
	"errors"
	"strings"
	"testing"
)

func TestAFactThatIsNoneListsThoseThatAre(t *testing.T) {
	for _, text := range []string{"", "sandbox", "sandbox-missing=app", "exited=app",
		"exited=:1", "exited=app:x", "exited=app:99999999999", "hash-differs",
		"log-dir-count", "log-dir-count=", "log-dir-count=-1",
		"log-dir-count=x", "log-dir-count=4294967295", "log-dir-count=99999999999999999999",
		"rejected", "rejected=", "rejected=two words", "rejected=\x1b[31m",
		"rejected=" + strings.Repeat("a", 64), "readmitted=app", "deadline-exceeded=1",
		"no-apparmor=", "record-gone", "hash-differs="} {
		if f, err := ParseSupposition(text); !errors.Is(err, ErrUnknownFact) {
			t.Errorf("%q is taken for %v, %v", text, f, err)
		}
	}
	_, err := ParseSupposition("nonsense")
	for _, known := range Facts() {
		if !strings.Contains(err.Error(), known) {
			t.Errorf("%q is not named in %v", known, err)
		}
	}
}

func TestEveryFactSaysWhatItMeans(t *testing.T) {
	all := Explained()
	for _, f := range Facts() {
		if !strings.Contains(all, "  "+f+" ") {
			t.Errorf("%s is not explained", f)
		}
	}
	for line := range strings.Lines(all) {
		if name, says, _ := strings.Cut(strings.TrimSpace(line), " "); len(strings.TrimSpace(says)) < 10 {
			t.Errorf("%s says %q", name, says)
		}
	}
}
