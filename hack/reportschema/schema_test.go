package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const reportDir = "../../analyzer/report"

func TestTheSchemaInTheDocsIsThatOfTheTypes(t *testing.T) {
	want, err := generate(reportDir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../docs/report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("docs/report.schema.json is out of date, `make generate` renews it (-want +got):\n%s", diff)
	}
}

func TestWhatTheSchemaSays(t *testing.T) {
	raw, err := generate(reportDir)
	if err != nil {
		t.Fatal(err)
	}
	var s schema
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	if got := s.Properties["apiVersion"].Const; got != "restartwhy.dev/v1alpha1" {
		t.Errorf("apiVersion is %q", got)
	}
	if diff := cmp.Diff([]string{"proven", "likely", "possible", "unknown"}, s.Defs["Confidence"].Enum); diff != "" {
		t.Errorf("confidences: %s", diff)
	}
	item := s.Defs["Item"]
	if to := item.Properties["to"]; len(to.AnyOf) != 2 || to.AnyOf[1].Type != "null" {
		t.Errorf("to must be allowed to be null: %+v", to)
	}
	for _, key := range item.Required {
		if key == "time" {
			t.Error("time is required although an unknown time is absent")
		}
	}
	for name := range s.Defs {
		if name == "Story" || name == "Lane" {
			t.Errorf("%s is no part of a report", name)
		}
	}
}

// A type that the schema cannot describe stops the generation; it is never left out.
func TestASourceThatCannotBeTold(t *testing.T) {
	const head = "package report\nconst (\n\tAPIVersion = \"x/v1\"\n\tKind = \"K\"\n)\n"
	const base = head +
		"type Report struct {\n\tAPIVersion string `json:\"apiVersion\"`\n\tKind string `json:\"kind\"`\n\tMore %s\n}\ntype Word string\n"
	cases := map[string]struct{ more, err string }{
		"a map":                      {"map[string]string `json:\"more\"`", "has no schema"},
		"a field without a tag":      {"string", "without a name or a tag"},
		"a field that is not JSON":   {"string `yaml:\"more\"`", "no name in JSON"},
		"a type of another package":  {"Elsewhere `json:\"more\"`", "not of this package"},
		"a word without constants":   {"Word `json:\"more\"`", "neither a struct nor a word"},
		"a complex number":           {"complex64 `json:\"more\"`", "not of this package"},
		"a plain text, for contrast": {"string `json:\"more\"`", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "report.go"), []byte(strings.Replace(base, "%s", c.more, 1)),
				0o600); err != nil {
				t.Fatal(err)
			}
			_, err := generate(dir)
			if c.err == "" && err != nil {
				t.Fatal(err)
			}
			if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("error %v, want %q", err, c.err)
			}
		})
	}
	if _, err := generate(t.TempDir()); err == nil {
		t.Error("an empty directory was accepted")
	}
}
