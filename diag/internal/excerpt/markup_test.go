package excerpt

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
)

// An object is found whatever stands around it, and only once.
func TestAnObjectIsFoundWhateverStandsAroundIt(t *testing.T) {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web-0\n  namespace: shop\nstatus:\n  phase: Failed"
	numbered := ""
	for i, line := range strings.Split(pod, "\n") {
		numbered += fmt.Sprintf("%3d  %s\n", i+1, line)
	}
	for name, text := range map[string]string{
		"a fence":                  "```yaml\n" + pod + "\n```\n",
		"words before":             "it fails:\n\n" + pod + "\n",
		"words behind":             pod + "\nThat is all I see.\n",
		"cut in front":             "...\n" + pod + "\n",
		"the head of a file":       "==> pod.yaml <==\n" + pod + "\n",
		"a rule":                   "--------\n" + pod + "\n--------\n",
		"marks of Jira":            "{code:yaml}\n" + pod + "\n{code}\n",
		"marks of a forum":         "[code]\n" + pod + "\n[/code]\n",
		"HTML":                     "<pre><code>" + pod + "</code></pre>\n",
		"a fold":                   "<details><summary>pod</summary>\n\n" + pod + "\n</details>\n",
		"numbers":                  numbered,
		"an indent of blanks":      "    " + strings.ReplaceAll(pod, "\n", "\n    "),
		"an indent of tabs":        "\t" + strings.ReplaceAll(pod, "\n", "\n\t"),
		"hard blanks":              strings.ReplaceAll(pod, "  ", " \u00a0"),
		"another one right behind": pod + "\n" + strings.ReplaceAll(pod, "web-0", "web-1"),
	} {
		t.Run(name, func(t *testing.T) {
			found, ok := Read(text, "x", describe.Place{}, time.Time{})
			want := 1 + strings.Count(text, "web-1")
			if n := len(found.Whole) + len(found.Objects); !ok || n != want {
				t.Errorf("%v, %d objects, want %d: %+v", ok, n, want, found)
			}
		})
	}
}

// What a container wrote separates nothing: neither its output nor the message in a description.
func TestWordsOfAContainerSeparateNothing(t *testing.T) {
	for name, text := range map[string]string{
		"output":    "$ kubectl logs web-0\n=======\n<p>it broke</p>\n{code}\nkind: Pod\n",
		"a message": "Name: web-0\nNamespace: shop\nContainers:\n  app:\n    Message: a\n=======\n<p>b</p>\n    Exit Code: 3\n",
	} {
		t.Run(name, func(t *testing.T) {
			if parts, marked := Split(text); len(parts) != 1 || marked {
				t.Errorf("%d parts: %+v", len(parts), parts)
			}
		})
	}
}

// A log in which a line or two have a page of their own is as its daemon wrote it.
func TestALogWithAPageInIt(t *testing.T) {
	line := `I1121 07:00:00.000000 1 kubelet.go:1] "SyncLoop UPDATE" source="api" pods=["shop/web-0"]` + "\n"
	page := `I1121 07:00:01.000000 1 prober.go:1] "Probe failed" output="a &gt; b"` + "\n"
	if Worn(strings.Repeat(line, 9) + page) {
		t.Error("one line makes it a paste")
	}
	if !Worn(strings.ReplaceAll(strings.Repeat(line, 9), `"`, "&quot;")) {
		t.Error("a log that a page escaped is none")
	}
}
