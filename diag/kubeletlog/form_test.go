package kubeletlog

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAFormNamesTheValuesOfALine(t *testing.T) {
	const form = `Container "<name>" (<id>) of pod <pod)>: <message>`
	for name, c := range map[string]struct {
		form, line string
		want       map[string]string // nil for a line of another form
	}{
		"a line": {form, `Container "a" (x) of pod p_n(u): gone`,
			map[string]string{"name": "a", "id": "x", "pod": "p_n(u)", "message": "gone"}},
		"a value with escapes": {form, `Container "a\"b" (x) of pod p(u): `,
			map[string]string{"name": `a"b`, "id": "x", "pod": "p(u)", "message": ""}},
		"the text of a form in a value": {form, `Container "a" (x) of pod p(u): of pod q(v): gone`,
			map[string]string{"name": "a", "id": "x", "pod": "p(u)", "message": "of pod q(v): gone"}},
		"a line that goes on": {`Sandbox for pod "<pod>" has changed.`, `Sandbox for pod "p" has changed. Why`,
			map[string]string{"pod": "p"}},
		"no values":              {"Starting", "Starting the loop", map[string]string{}},
		"another beginning":      {form, `A Container "a" (x) of pod p(u): gone`, nil},
		"a value without quotes": {form, `Container a (x) of pod p(u): gone`, nil},
		"a cut value":            {form, `Container "a`, nil},
		"a cut line":             {form, `Container "a" (x) of pod p(u`, nil},
		"text behind the quotes": {form, `Container "a" and (x) of pod p(u): gone`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := formOf(c.form)
			values, ok := f.parse(nil, c.line)
			if !ok {
				if c.want != nil {
					t.Fatalf("%q is not of the form %q", c.line, c.form)
				}
				return
			}
			got := map[string]string{}
			for i := range values {
				got[values[i].Key] = values[i].Text()
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if !f.like(c.line) {
				t.Error("the quick look does not take it for one")
			}
		})
	}
}
