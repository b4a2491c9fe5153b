package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/lookup"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/markdown"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

// tryWords are commands to begin with.
const tryWords = "```\nkubectl restartwhy explain 137                  # a code, a signal, a reason\n" +
	"kubectl restartwhy explain 'Container web definition changed, will be restarted'\n" +
	"kubectl restartwhy demo fails-liveness          # and a pod of the recorded incident, with proof\n" +
	"kubectl restartwhy demo steady -o markdown\n```\n\n"

// wordPages are the files of docs/words: what `explain` says of the words that people
// search for, with the causes as links, and an index.
func wordPages() map[string]string {
	files := map[string]string{}
	var index strings.Builder
	index.WriteString(
		"# Words\n\nWhat `kubectl restartwhy explain` says of the words that people search for. Generated from its table (`make generate`); it knows many more.\n\n" + tryWords)
	entries := slices.DeleteFunc(lookup.All(), func(e lookup.Meaning) bool { return e.Page == "" })
	for i := range entries {
		e := &entries[i]
		text := markdown.Write(present.Explanation(&report.Explanation{Answers: []report.Answer{lookup.Answer(e)}}))
		for _, id := range analyzer.CauseIDs() {
			text = strings.ReplaceAll(text, "`"+id+"`", "[`"+id+"`](../causes/"+id+".md)")
		}
		text += fmt.Sprintf("\nFrom: %s. All [words](README.md), all [causes](../causes/README.md).\n", e.Source)
		files[e.Page+".md"] = text
		fmt.Fprintf(&index, "- [%s](%s.md): %s\n", e.Term, e.Page, e.Means)
	}
	files["README.md"] = index.String()
	return files
}

func TestTheDocumentsOfTheWordsAreUpToDate(t *testing.T) {
	want := wordPages()
	filetest.Folder(t, filepath.Join("..", "..", "..", "docs", "words"), want)
	if len(want) < 21 {
		t.Errorf("%d pages", len(want)-1)
	}
}
