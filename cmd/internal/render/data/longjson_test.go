package data

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report/reporttest"
)

// Written item by item a preflight is the same document.
func TestAPreflightWrittenInPartsIsTheSameDocument(t *testing.T) {
	hostile := reporttest.Preflight()
	hostile.Items[0].Because = "<b>&\n    \"items\": [],"
	hostile.Groups[0].Because = "\n    \"items\": [],"
	one := reporttest.Preflight()
	one.Items = one.Items[:1]
	none := reporttest.Preflight()
	none.Items = nil
	for name, r := range map[string]*report.Preflight{"as it is": reporttest.Preflight(),
		"hostile": hostile, "one item": one, "none": none, "nothing at all": {}} {
		var want, got bytes.Buffer
		if err := errors.Join(printJSON(&want, r), PreflightJSON(&got, r)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(want.String(), "\n"), strings.Split(got.String(), "\n")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Written element by element a report is the same document.
func TestAReportWrittenInPartsIsTheSameDocument(t *testing.T) {
	const trap = "<b>&\n    \"items\": [],\n    \"evidence\": [],"
	hostile := reporttest.Report()
	hostile.Items[0].Verdict.Summary, hostile.Incidents[0].Summary, hostile.Scope.Selector = trap, trap, trap
	bare := reporttest.Report()
	bare.Evidence = nil
	idle := reporttest.Report()
	idle.Items = nil
	for name, r := range map[string]*report.Report{"as it is": reporttest.Report(),
		"hostile": hostile, "without evidence": bare, "without items": idle, "nothing at all": {}} {
		var want, got bytes.Buffer
		if err := errors.Join(printJSON(&want, r), JSON(&got, r)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(want.String(), "\n"), strings.Split(got.String(), "\n")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What is indented here is what encoding/json indents.
func FuzzIndented(f *testing.F) {
	deep := strings.Repeat(`[{"a":`, 20) + "1" + strings.Repeat("}]", 20)
	for _, text := range []string{`{"a":[],"b":{},"c":[1,{"d":"]},\\\"{["}],"e":"\\"}`,
		`"x"`, `[]`, `[[[]],{"":[{}]}]`, deep} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var in, want bytes.Buffer
		if json.Compact(&in, data) != nil {
			return // nothing to indent: only JSON comes out of the encoder
		}
		if err := json.Indent(&want, in.Bytes(), "        ", "    "); err != nil {
			t.Fatal(err)
		}
		if got := appendIndented(nil, in.Bytes(), 2); string(got) != want.String() {
			t.Errorf("%s\nbecame\n%s\nand not\n%s", data, got, &want)
		}
	})
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
		again := room
		for name, err := range map[string]error{"a preflight": PreflightJSON(&room, reporttest.Preflight()),
			"a report": JSON(&again, reporttest.Report())} {
			if err == nil || !strings.Contains(err.Error(), "no space left") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
