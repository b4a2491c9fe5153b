package docs

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCommandsOfThePlugin(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"a block without a prompt": {"```\nkubectl restartwhy -A -o json\n```", "-A -o json"},
		"a block with a prompt":    {"```sh\n$ kubectl restartwhy steady\nkubectl restartwhy said this\n```", "steady"},
		"a block by indentation":   {"Type\n\n    kubectl restartwhy demo\n", "demo"},
		"between words":            {"Use `kubectl restartwhy explain` then.", "explain"},
		"behind other programs":    {"```\njournalctl -u kubelet -o export | kubectl restartwhy analyze -\n```", "analyze -"},
		"before other programs":    {"```\nkubectl restartwhy demo -o json | jq .items\n```", "demo -o json"},
		"into a file":              {"```\nkubectl restartwhy -A -o html > why.html\n```", "-A -o html"},
		"with errors elsewhere":    {"```\nkubectl restartwhy -A 2>/dev/null\n```", "-A"},
		"with a comment":           {"```\nkubectl restartwhy   # this namespace\n```", ""},
		"on another machine": {"```\nssh worker-3 sudo kubectl-restartwhy collect --local -o - > n.tar.zst\n```",
			"collect --local -o -"},
		"in another container": {"```\ndocker exec kind-worker kubectl-restartwhy collect --local -o -\n```",
			"collect --local -o -"},
		"with a variable": {"```\nNO_COLOR=1 kubectl restartwhy demo\n```", "demo"},
		"by its path":     {"```\nbin/kubectl-restartwhy version\n```", "version"},
		"two on one line": {"```\nkubectl restartwhy version && kubectl restartwhy demo\n```", "version;demo"},
		"over two lines":  {"```\nkubectl restartwhy web-0 \\\n  -n shop\n```", "web-0 -n shop"},
		"quoted words": {"```\nkubectl restartwhy -o 'jsonpath={.items[*].id} x' --since \"2 h\"\n```",
			"-o jsonpath={.items[*].id} x --since 2 h"},
		"a semicolon in quotes": {"```\nkubectl restartwhy --template 'a;b|c'\n```", "--template a;b|c"},
	} {
		var got []string
		for _, c := range Plugin(tt.text) {
			got = append(got, strings.TrimSuffix(strings.TrimPrefix(c.String(), "kubectl restartwhy "), " "))
		}
		if d := cmp.Diff(tt.want, strings.Join(got, ";")); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if len(got) == 0 {
			t.Errorf("%s: no command found", name)
		}
	}
}

func TestWhatIsNoCommand(t *testing.T) {
	for name, text := range map[string]string{
		"a sentence":          "kubectl restartwhy is a plugin.",
		"a form":              "`kubectl restartwhy [POD | TYPE/NAME …]`",
		"an open end":         "`kubectl restartwhy collect … -o FILE.tar.zst`",
		"an open template":    "`kubectl restartwhy -o jsonpath=…`",
		"the file, installed": "```\nmake build && install bin/kubectl-restartwhy /usr/local/bin/\n```",
		"the file, linked":    "```\nln -s kubectl-restartwhy kubectl_complete-restartwhy\n```",
		"another plugin":      "`kubectl why web-0`",
		"a comment":           "```\n# kubectl restartwhy web-0\n```",
		"an HTML comment":     "<!-- `kubectl restartwhy nonsense` -->",
	} {
		if got := Plugin(text); len(got) > 0 {
			t.Errorf("%s: taken for %v", name, got)
		}
	}
}

func TestTargetsOfMake(t *testing.T) {
	var got []string
	for _, c := range Make(
		"`make oracle SEED=1 CASES=2`, `make -n test`, make sure\n\n```\nmake dist krew-check   # both\nmakedepend x\n```\n") {
		got = append(got, c.Args...)
	}
	if d := cmp.Diff([]string{"oracle", "test", "dist", "krew-check"}, got); d != "" {
		t.Errorf("targets (-want +got):\n%s", d)
	}
}

func TestScreens(t *testing.T) {
	got := Screens(
		"```\n$ kubectl restartwhy demo\none\n\n  two\n$ kubectl get pods\nthree\n```\n\n```\nkubectl restartwhy version\nfour\n```\n```\n$ kubectl restartwhy version\n```\n")
	want := []Screen{{Command{2, []string{"demo"}}, []string{"one", "", "  two"}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("screens (-want +got):\n%s", d)
	}
}

func TestLinesOfCommands(t *testing.T) {
	got := Plugin("# T\n\n```\nkubectl restartwhy a \\\n  b\nkubectl restartwhy c\n```\n`kubectl restartwhy d`\n")
	want := []Command{{4, []string{"a", "b"}}, {6, []string{"c"}}, {8, []string{"d"}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("commands (-want +got):\n%s", d)
	}
}

// For any document, reading it ends and invents nothing.
func FuzzPlugin(f *testing.F) {
	f.Add("```sh\n$ kubectl restartwhy steady | head\n```\n")
	f.Add("`kubectl restartwhy -o 'x` y'")
	f.Add("~~~~\n```\nkubectl restartwhy a \\\n")
	f.Add("<!-- \n\t    kubectl restartwhy '\" 2> >\n")
	f.Fuzz(func(t *testing.T, text string) {
		total := strings.Count(text, "\n") + 1
		for _, c := range Plugin(text) {
			if c.Line < 1 || c.Line > total {
				t.Errorf("line %d of %d", c.Line, total)
			}
			for _, w := range c.Args {
				if len(w) > len(text) {
					t.Errorf("a word of %d bytes out of %d", len(w), len(text))
				}
			}
		}
		Screens(text)
		Links(text)
		Anchors(text)
		Make(text)
	})
}
