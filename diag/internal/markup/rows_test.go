package markup

import (
	"strings"
	"testing"
)

func TestRowsInMarkdown(t *testing.T) {
	const head, row = "NAME   READY   STATUS", "web-0   1/1   Running"
	is := func(want string) func(string) bool { return func(line string) bool { return line == want } }
	for name, c := range map[string]struct{ text, want string }{
		"a table":              {"| Name | Ready | Status |\n|---|:-:|---|\n| web-0 | 1/1 | Running |\nthe end", head + "\n" + row + "\nthe end"},
		"cells as code, empty": {"| NAME | READY | STATUS |\n| `web-0` | | **Error** |", head + "\nweb-0   <none>   Error"},
		"a table as CSV": {"NAME,READY,STATUS\nweb-0,1/1,Running\n\nthe end, as it is, of it",
			head + "\n" + row + "\n\nthe end, as it is, of it"},
		"with quotes": {"\"Name\";\"Ready\";\"Status\"\n\"web-0\";\"1/1\";\"Running\"",
			head + "\n" + row},
		"other CSV":              {"name,state,code\nweb-0,1/1,Running", ""},
		"another table":          {"| Version | Fixed | By |\n|---|---|---|\n| 1.2 | yes | me |", ""},
		"code within a sentence": {"it says `" + row + "` since then", "it says `" + row + "` since then\n" + row},
		"code that is the line":  {"`" + row + "`", ""},
		"other code":             {"we use `kubectl get pods` here", ""},
	} {
		out := Rows(strings.Split(c.text, "\n"), is(head), is(row))
		want := c.want
		if want == "" {
			want = c.text
		}
		if got := strings.Join(out, "\n"); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
