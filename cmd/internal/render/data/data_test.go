package data

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report/reporttest"
)

// A document is what encoding/json would write at once.
func TestADocumentIsThatOfEncodingJSON(t *testing.T) {
	const trap = "<b>&\u2028\\\"{[]},: \n    \"items\": [],"
	hostile, bare, idle := reporttest.Report(), reporttest.Report(), reporttest.Report()
	hostile.Items[0].Verdict.Summary, hostile.Incidents[0].Summary, hostile.Scope.Selector = trap, trap, trap
	bare.Evidence, idle.Items = nil, nil
	hostilePreflight, none := reporttest.Preflight(), reporttest.Preflight()
	hostilePreflight.Items[0].Because, hostilePreflight.Groups[0].Because = trap, trap
	none.Items = nil
	for name, r := range map[string]normal{
		"a report": reporttest.Report(), "a hostile report": hostile, "a report without evidence": bare,
		"a report without items": idle, "an empty report": &report.Report{},
		"a preflight": reporttest.Preflight(), "a hostile preflight": hostilePreflight, "a preflight without items": none,
		"an empty preflight": &report.Preflight{},
	} {
		var got, line bytes.Buffer
		if err := errors.Join(JSON(&got, r), Line(&line, r)); err != nil {
			t.Fatal(err)
		}
		for form, text := range map[string]string{"    ": got.String(), "": line.String()} {
			var want bytes.Buffer
			e := json.NewEncoder(&want)
			e.SetEscapeHTML(false)
			e.SetIndent("", form)
			if err := e.Encode(r); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(want.String(), "\n"), strings.Split(text, "\n")); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}

// full takes some bytes and no more.
type full int

func (f *full) Write(p []byte) (int, error) {
	if *f -= full(len(p)); *f < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	for _, room := range []full{0, 100} {
		for name, write := range map[string]func(io.Writer) error{
			"a preflight": func(w io.Writer) error { return JSON(w, reporttest.Preflight()) },
			"a report":    func(w io.Writer) error { return JSON(w, reporttest.Report()) },
			"a line":      func(w io.Writer) error { return Line(w, reporttest.Report()) },
		} {
			left := room
			if err := write(&left); err == nil || !strings.Contains(err.Error(), "no space left") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
