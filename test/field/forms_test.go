package main

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

// What the same evidence shows does not depend on how it was pasted. Every entry of the open half is read in one form,
// chosen by its name; `make field FORMS=1` reads all in all forms. lost is how many of a hundred may still become
// silent, vague or wrong because of it.
func TestEvidenceTellsTheSameInEveryForm(t *testing.T) {
	const lost = 6
	read, worse := 0, 0
	for _, e := range load(t) {
		if e.Blind() || !readable(e) {
			continue
		}
		sum := sha256.Sum256([]byte(e.Name))
		before, _, err := judge(e)
		if err != nil {
			t.Fatal(err)
		}
		f := forms[int(sum[2])%len(forms)]
		in := *e
		in.Files = f.make(e.Files)
		after, _, err := judge(&in)
		if err != nil {
			t.Fatal(err)
		}
		for i := range after {
			read++
			if after[i].Outcome == score.WrongProven {
				t.Errorf("%s, %s: %s", e.Name, f.name, after[i].Why)
			}
			if fell(before[i], after[i]) {
				worse++
				t.Logf("%s, %s: %s, was %s: %s", e.Name, f.name, after[i].Outcome, before[i].Outcome, after[i].Why)
			}
		}
	}
	if worse*100 > lost*read {
		t.Errorf("%d of %d verdicts are worse in another form", worse, read)
	}
}

// A form changes only what its name says.
func TestForms(t *testing.T) {
	in := map[string][]byte{"b.txt": []byte("NAME   READY\nweb-0  0/1\n"),
		"pod.yaml": []byte("kind: Pod\nmetadata:\n  name: web-0\n")}
	names := map[string]bool{}
	for _, f := range forms {
		if names[f.name] {
			t.Errorf("%s: twice", f.name)
		}
		names[f.name] = true
		var all []byte
		for _, d := range f.make(in) {
			all = append(all, d...)
		}
		if bytes.Count(all, []byte("web-0")) != 2 {
			t.Errorf("%s: it lost a name:\n%s", f.name, all)
		}
	}
	if string(in["b.txt"]) != "NAME   READY\nweb-0  0/1\n" {
		t.Error("a form changed the files that it was given")
	}
}
