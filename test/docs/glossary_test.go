package docs

import (
	"slices"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

func TestNoForeignWordComesBack(t *testing.T) {
	found, read, err := ForeignBelow(root)
	if err != nil {
		t.Fatal(err)
	}
	if read < 500 {
		t.Errorf("only %d files were read", read)
	}
	for _, f := range found {
		t.Error(f)
	}
}

func TestAForeignWordIsFound(t *testing.T) {
	for name, text := range map[string]string{
		"in a document":            "The pod was made anew.",
		"at the start":             "Somebody deleted the pod",
		"of several words":         "the hash of this very spec",
		"beside another sentence":  "fine; what became of it",
		"beside a mark":            "`kubelet` (started *anew*)",
		"that stands for a number": "the process exited by itself with code 3",
	} {
		t.Run(name, func(t *testing.T) {
			if got := Foreign(text); len(got) != 1 {
				t.Errorf("%q: %q", text, got)
			}
		})
	}
	for _, fine := range []string{"a thought", "the newest renewal", "bought at once", "the latest"} {
		if got := Foreign(fine); len(got) != 0 {
			t.Errorf("%q: %q", fine, got)
		}
	}
}

// A word that is planted in a tree is found if a user reads it, and only then.
func TestAPlantedWordIsFoundWhereAUserReadsIt(t *testing.T) {
	dir := filetest.Plant(t, map[string]string{
		"docs/a.md":                     "line\nmade anew\n",
		"cmd/a.go":                      "package a\n\n// made anew\nvar s = \"made anew\" + `said\nby somebody`\n",
		"cmd/a_test.go":                 "package a\n\nvar s = \"made anew\"\n",
		"cmd/testdata/a.md":             "made anew",
		"cmd/zz_generated.go":           "package a\n\nvar s = \"made anew\"\n",
		"diag/internal/kubeletmsg/a.go": "package a\n\nvar s = \"made anew\"\n",
		"docs/INCIDENTS.md":             "made anew",
		".cache/a.md":                   "made anew",
	})
	found, read, err := ForeignBelow(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`cmd/a.go: 4: "anew": write again, recreated, restarted`,
		`cmd/a.go: 4: "somebody": write someone, or the passive`,
		`docs/a.md: "anew": write again, recreated, restarted`,
	}
	if !slices.Equal(found, want) || read != 2 {
		t.Errorf("%d files were read, found %q", read, found)
	}
	if _, err := ForeignGo("a.go", "package"); err == nil {
		t.Error("code that is none is no error")
	}
}
