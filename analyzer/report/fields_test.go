package report

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "add new fields to the recorded ones")

// fields lists every field of a type with its JSON path and type: items[].verdict.chain[].at time.
func fields(t reflect.Type, path string, into *[]string) {
	switch t.Kind() {
	case reflect.Pointer:
		fields(t.Elem(), path, into)
	case reflect.Slice:
		fields(t.Elem(), path+"[]", into)
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			*into = append(*into, path+" time")
			return
		}
		for i := range t.NumField() {
			name, opts, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			if opts != "" {
				opts = "?"
			}
			fields(t.Field(i).Type, strings.TrimPrefix(path+"."+name+opts, "."), into)
		}
	default:
		*into = append(*into, path+" "+t.Kind().String())
	}
}

// v1alpha1 is extended, never renamed: a recorded field keeps its place and type, and is optional only if it was
// before.
func TestNoFieldOfTheContractIsRenamed(t *testing.T) {
	promised(t, "testdata/v1alpha1.fields", reflect.TypeFor[Report]())
	promised(t, "testdata/v1alpha1-preflight.fields", reflect.TypeFor[Preflight]())
	promised(t, "testdata/v1alpha1-preflight-outcome.fields", reflect.TypeFor[PreflightOutcome]())
}

// promised compares a document's fields with the recorded ones.
func promised(t *testing.T, file string, document reflect.Type) {
	t.Helper()
	var now []string
	fields(document, "", &now)
	slices.Sort(now)
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	recorded := strings.Fields(strings.ReplaceAll(string(raw), " ", "\x00"))
	for i := range recorded {
		recorded[i] = strings.ReplaceAll(recorded[i], "\x00", " ")
		if !slices.Contains(now, recorded[i]) {
			t.Errorf("%s is gone or of another type: scripts that read %s break", recorded[i], APIVersion)
		}
	}
	for _, field := range now {
		if !slices.Contains(recorded, field) {
			recorded = append(recorded, field)
			if !*update {
				t.Errorf("%s is new: run the test with -update to promise it", field)
			}
		}
	}
	if *update && !t.Failed() {
		slices.Sort(recorded)
		if err := os.WriteFile(file, []byte(strings.Join(recorded, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The values are a contract like the fields.
func TestTheWordsOfTheContractAreThere(t *testing.T) {
	got := fmt.Sprint(APIVersion, Kind, []ItemKind{Restart, Death, Refused, None},
		[]Confidence{Proven, Likely, Possible, Unknown},
		[]Role{RoleRoot, RoleMechanism, RoleDecision, RoleThen, RoleEffect})
	want := "restartwhy.dev/v1alpha1RestartReport[Restart Death Refused None] [proven likely possible unknown] [root mechanism decision then effect]"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	got = fmt.Sprint(PreflightKind, Predictions(), FindingLevels())
	if want := "PreflightReport[restarts may unknown stays] [blocker risk check note]"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	got = fmt.Sprint(PreflightOutcomeKind, []ExchangeSeen{SeenVersion, SeenStart, SeenContainers},
		[]Became{BecameRestarted, BecameEnded, BecameStayed, BecameMoved},
		[]OutcomeVerdict{VerdictRight, VerdictWrong, VerdictWaiting, VerdictOpen, VerdictNeither})
	if want := "PreflightOutcome[version start containers] [restarted ended stayed moved] [right wrong waiting open neither]"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestCountsAddUp(t *testing.T) {
	var c PreflightCount
	for i, p := range append(Predictions(), Restarts, "something else") {
		c.Add(p)
		if c.Total() != i+1 {
			t.Errorf("%d after %d containers", c.Total(), i+1)
		}
	}
	if want := (PreflightCount{Restarts: 2, May: 1, Unknown: 2, Stays: 1}); c != want {
		t.Errorf("%+v, want %+v", c, want)
	}
}

// Every compared container is counted once, and what a node was waiting for is missed when it settles.
func TestOutcomesAddUp(t *testing.T) {
	var o PreflightOutcome
	for _, p := range Predictions() {
		for _, v := range []OutcomeVerdict{VerdictRight, VerdictWrong, VerdictWaiting, VerdictOpen, VerdictNeither} {
			for _, b := range []Became{BecameRestarted, BecameEnded, BecameStayed, BecameMoved} {
				it := PreflightOutcomeItem{Prediction: p, Became: b, Verdict: v}
				o.Count.Add(&it)
				o.Items = append(o.Items, it)
			}
		}
	}
	total := func(c PreflightOutcomeCount) (n int64) {
		for v, i := reflect.ValueOf(c), 0; i < v.NumField(); i++ {
			n += v.Field(i).Int()
		}
		return n
	}
	if n := total(o.Count); n != int64(len(o.Items)) {
		t.Errorf("%d counted of %d", n, len(o.Items))
	}
	var sum PreflightOutcomeCount
	o.Count.NotRunning, o.Count.Unpredicted = 3, 5
	sum.Sum(o.Count)
	sum.Sum(o.Count)
	if total(sum) != 2*total(o.Count) || sum.Unpredicted != 10 {
		t.Errorf("%+v is not twice %+v", sum, o.Count)
	}
	waiting, missed := o.Count.Waiting, o.Count.Missed
	o.Settle()
	if !o.Settled || waiting == 0 || o.Count.Waiting != 0 || o.Count.Missed != missed+waiting {
		t.Errorf("%+v", o.Count)
	}
	for _, it := range o.Items {
		if it.Verdict == VerdictWaiting {
			t.Errorf("%+v still waits", it)
		}
	}
}
