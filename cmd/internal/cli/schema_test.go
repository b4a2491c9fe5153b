package cli

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

var t0 = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

func testEnv() (command.Env, *bytes.Buffer, *bytes.Buffer) {
	streams, _, out, errOut := genericiooptions.NewTestIOStreams()
	return command.Env{Streams: streams, Version: "test", Now: func() time.Time { return t0 },
		Getenv: func(string) string { return "" }}, out, errOut
}

// run carries out one command line in this process.
func run(t *testing.T, args ...string) (out, errOut string, code int) {
	t.Helper()
	env, o, e := testEnv()
	code = Run(t.Context(), env, append([]string{"kubectl-restartwhy"}, args...))
	return o.String(), e.String(), code
}

func reportSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile(filepath.Join("..", "..", "..", "docs", "report.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// instance reads JSON as the validator wants it.
func instance(t *testing.T, data []byte) map[string]any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return v.(map[string]any)
}

func TestReportsAreWhatTheSchemaSays(t *testing.T) {
	schema := reportSchema(t)
	for name, args := range map[string][]string{
		"the recorded incident": {"demo", "-o", "json"},
		"a report of nothing":   {"demo", "--cause", "resize-restart", "-o", "json"},
		"one cause":             {"demo", "--cause", "hash-kubelet-upgrade", "-o", "json"},
	} {
		t.Run(name, func(t *testing.T) {
			out, errs, code := run(t, args...)
			if code != 0 {
				t.Fatalf("exit code %d: %s", code, errs)
			}
			if err := schema.Validate(instance(t, []byte(out))); err != nil {
				t.Error(err)
			}
		})
	}
}

// A schema that takes everything would prove nothing.
func TestTheSchemaRefusesWhatNoReportIs(t *testing.T) {
	schema := reportSchema(t)
	out, _, _ := run(t, "demo", "-o", "json")
	for name, change := range map[string]func(r map[string]any){
		"a list that is null":       func(r map[string]any) { r["gaps"] = nil },
		"a field that is gone":      func(r map[string]any) { delete(r, "items") },
		"another kind":              func(r map[string]any) { r["kind"] = "PodList" },
		"a time that is none":       func(r map[string]any) { r["generatedAt"] = "yesterday" },
		"a confidence that is none": func(r map[string]any) { item(r)["verdict"].(map[string]any)["confidence"] = "certain" },
		"an item without a verdict": func(r map[string]any) { delete(item(r), "verdict") },
		"a zero for no instance":    func(r map[string]any) { item(r)["to"] = json.Number("0") },
	} {
		t.Run(name, func(t *testing.T) {
			r := instance(t, []byte(out))
			change(r)
			if err := schema.Validate(r); err == nil {
				t.Error("the schema takes it")
			} else if !strings.Contains(err.Error(), "jsonschema validation failed") {
				t.Error(err)
			}
		})
	}
}

func item(r map[string]any) map[string]any { return r["items"].([]any)[0].(map[string]any) }

func TestInvokedName(t *testing.T) {
	cases := map[string]struct{ name, first string }{
		"/usr/bin/kubectl-restartwhy x":                {"kubectl restartwhy", "x"},
		"kubectl-restartwhy.exe x":                     {"kubectl restartwhy", "x"},
		"/home/me/bin/kubectl_complete-restartwhy web": {"kubectl restartwhy", "__complete"},
		"./restartwhy x":                               {"restartwhy", "x"},
	}
	for in, want := range cases {
		name, rest := invoked(strings.Fields(in))
		if name != want.name || rest[0] != want.first {
			t.Errorf("%s: called %q with %q", in, name, rest)
		}
	}
	if _, rest := invoked(nil); rest == nil || len(rest) != 0 {
		t.Error("without arguments cobra would take those of the process")
	}
}
