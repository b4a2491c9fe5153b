package render

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report/reporttest"
)

func TestTemplatesComeFromTheFormatTheFlagOrAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t")
	if err := os.WriteFile(file, []byte(`{{(index .items 0).pod}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Options{
		"after the format":          {Format: "go-template={{(index .items 0).pod}}"},
		"in --template":             {Format: "go-template", Template: "{{(index .items 0).pod}}"},
		"after an equals sign":      {Format: "jsonpath=", Template: "{.items[0].pod}"},
		"in a file":                 {Format: "go-template-file=" + file},
		"in a file of --template":   {Format: "templatefile", Template: file},
		"a path with equals signs":  {Format: `jsonpath={.items[?(@.pod=="web-0")].pod}`},
		"without braces, as a path": {Format: "jsonpath={.items[0]['pod']}"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := render(t, o, reporttest.Report()); got != "web-0" {
				t.Errorf("printed %q", got)
			}
		})
	}
}

func TestWhatIsWrongWithATemplateIsSaidBefore(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(large, make([]byte, 1<<20+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for format, want := range map[string]string{
		"go-template":            "it needs a template",
		"jsonpath=":              "it needs a template",
		"go-template-file=none":  "read template: open none",
		"jsonpath-file=" + large: "longer than 1 MiB",
		"go-template={{.items":   "read template",
		"jsonpath={.items[}":     "read jsonpath",
		"jsonpaths={.items}":     "unknown output format",
		"markdown=x":             "unknown output format",
	} {
		if _, err := New(Options{Format: format}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("-o %s: %v, want %q", format, err, want)
		}
	}
}

// A template that fails prints nothing, and never ends the program.
func TestATemplateThatFailsPrintsNothing(t *testing.T) {
	for _, o := range []Options{
		{Format: "go-template=begin {{.nothing}}", StrictKeys: true},
		{Format: "jsonpath=begin {.nothing}", StrictKeys: true},
		{Format: "go-template=begin {{index .items 99}}"},
		{Format: `go-template=begin {{base64decode "%"}}`},
		{Format: "jsonpath=begin {.items[99]}"},
	} {
		p, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := p(&b, reporttest.Report()); err == nil || b.Len() > 0 || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: error %v, printed %q", o, err, b.String())
		}
	}
}

func TestWhatIsMissingIsNothingUnlessItMatters(t *testing.T) {
	if got := render(t, Options{Format: "jsonpath=[{.nothing}]"}, reporttest.Report()); got != "[]" {
		t.Errorf("printed %q", got)
	}
}
