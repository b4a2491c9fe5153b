package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

// ruled is a list as verdicts have it: several causes fall to one fact.
func ruled() []Eliminated {
	return []Eliminated{
		{Cause: "oom-node", Because: "exit code 1 is <its own>", Evidence: []string{"e1", "e2"}},
		{Cause: "oom-pod-limit", Because: "exit code 1 is <its own>", Evidence: []string{"e1", "e2"}},
		{Cause: "app-signal", Because: "exit code 1 is <its own>", Evidence: []string{"e3"}},
		{Cause: "node-reboot", Because: "it did not boot", Evidence: []string{}},
		{Cause: "evicted-memory", Because: "the pod is there", Evidence: []string{}},
	}
}

func TestEliminationsReadLikeTheirList(t *testing.T) {
	want := ruled()
	e := Eliminate(want...)
	if e.Len() != len(want) {
		t.Fatalf("%d, want %d", e.Len(), len(want))
	}
	for i, got := range e.All() {
		if diff := cmp.Diff(want[i], got); diff != "" {
			t.Error(diff)
		}
		if of, ok := e.Of(want[i].Cause); !ok || of.Because != want[i].Because {
			t.Errorf("of %s: %+v", want[i].Cause, of)
		}
	}
	if _, ok := e.Of("unknown"); ok {
		t.Error("a cause that is not there was found")
	}
	cited := 0
	for range e.Cited() {
		cited++
	}
	if cited != 2 {
		t.Errorf("%d facts, want the 2 that cite anything, each once", cited)
	}
	for range e.All() {
		break // a loop may end early
	}
	for range e.Cited() {
		break
	}
}

func TestEliminationsAreAListInJSON(t *testing.T) {
	for name, list := range map[string][]Eliminated{"some": ruled(), "none": {}} {
		var want, got bytes.Buffer
		for _, one := range []struct {
			to *bytes.Buffer
			v  any
		}{{&want, list}, {&got, Eliminate(list...)}} {
			enc := json.NewEncoder(one.to)
			enc.SetEscapeHTML(false)
			if err := enc.Encode(one.v); err != nil {
				t.Fatal(err)
			}
		}
		if want.String() != got.String() {
			t.Errorf("%s: %s, want %s", name, &got, &want)
		}
		var back Eliminations
		if err := json.Unmarshal(got.Bytes(), &back); err != nil {
			t.Fatal(err)
		}
		if !back.Equal(Eliminate(list...)) {
			t.Errorf("%s: read back as %+v", name, back)
		}
	}
	var zero Eliminations
	if text, err := json.Marshal(zero); err != nil || string(text) != "[]" {
		t.Errorf("the zero value: %s, %v", text, err)
	}
	if err := json.Unmarshal([]byte(`{"cause":1}`), &zero); err == nil {
		t.Error("something else than a list was read")
	}
}

func TestEliminationsDifferWhereTheirListsDo(t *testing.T) {
	base := Eliminate(ruled()...)
	for name, change := range map[string]func(l []Eliminated) []Eliminated{
		"another cause":    func(l []Eliminated) []Eliminated { l[0].Cause = "x"; return l },
		"another fact":     func(l []Eliminated) []Eliminated { l[3].Because = "x"; return l },
		"other evidence":   func(l []Eliminated) []Eliminated { l[1].Evidence = []string{"e9"}; return l },
		"another order":    func(l []Eliminated) []Eliminated { l[0], l[1] = l[1], l[0]; return l },
		"one less":         func(l []Eliminated) []Eliminated { return l[:4] },
		"none of them":     func([]Eliminated) []Eliminated { return nil },
		"one more, at end": func(l []Eliminated) []Eliminated { return append(l, Eliminated{Cause: "y"}) },
	} {
		if Eliminate(change(ruled())...).Equal(base) {
			t.Errorf("%s: equal", name)
		}
	}
	if !Eliminate(ruled()...).Equal(base) {
		t.Error("the same list is not equal")
	}
}

func verdictOf(n int) Verdict {
	id := []string{fmt.Sprint("e", n)}
	return Verdict{
		Cause: "app-exit-error", Summary: "it " + "ended", Actions: append(make([]string, 0, 8), "read "+"its log"),
		Chain:        append(make([]Link, 0, 8), Link{Text: "exit " + "code 1", Evidence: id}, Link{Text: "started again", Evidence: append([]string(nil), id...)}, Link{Text: "no evidence"}),
		Alternatives: []Alternative{{Text: "or " + "else"}},
		Missing:      []Missing{{What: "a " + "log", Consequence: "c", Command: "d"}},
	}
}

func TestAPoolChangesNothingThatIsRead(t *testing.T) {
	var p Pool
	for n := range 3 {
		want, got := verdictOf(n), verdictOf(n)
		want.Eliminated, got.Eliminated = Eliminate(ruled()...), p.Eliminate(ruled()[:3], ruled()[3:])
		p.Share(&got)
		r := &Report{Items: []Item{{Verdict: want}, {Verdict: got}}}
		r.Normalise()
		if diff := cmp.Diff(r.Items[0], r.Items[1]); diff != "" {
			t.Error(diff)
		}
	}
}

func TestAPoolShares(t *testing.T) {
	var p Pool
	a, b := verdictOf(1), verdictOf(2)
	a.Eliminated, b.Eliminated = p.Eliminate(ruled()), p.Eliminate(ruled())
	p.Share(&a)
	p.Share(&b)
	if &a.Actions[0] != &b.Actions[0] || a.Eliminated.shape != b.Eliminated.shape {
		t.Error("two verdicts keep a list each of what is the same")
	}
	if other := p.Eliminate(ruled()[1:]); other.shape == a.Eliminated.shape || other.shape.shared[0] != a.Eliminated.shape.shared[0] {
		t.Error("a fact that cites nothing is kept twice")
	}
	if &a.Eliminated.own[0] == &b.Eliminated.own[0] {
		t.Error("a fact that cites evidence is shared")
	}
	if &a.Chain[0].Evidence[0] != &a.Chain[1].Evidence[0] || cap(a.Chain) != len(a.Chain) {
		t.Error("links of one verdict keep a list each, or room that they do not need")
	}
	if b.Chain[0].Evidence[0] != "e2" {
		t.Errorf("the evidence of one verdict became that of another: %v", b.Chain[0].Evidence)
	}
}

// Two facts at the same places whose words are equally long hash alike, and are two.
func TestShapesAreComparedAndNotOnlyHashed(t *testing.T) {
	list := func(because string) []Eliminated { return []Eliminated{{Cause: "a", Because: because}} }
	var p Pool
	x, y := p.Eliminate(list("one")), p.Eliminate(list("two"))
	if x.At(0).Because != "one" || y.At(0).Because != "two" {
		t.Errorf("%+v and %+v", x.At(0), y.At(0))
	}
}

func TestAPoolTellsWhatAVerdictCites(t *testing.T) {
	var p Pool
	for n := range 2 {
		v := verdictOf(n)
		v.Eliminated = p.Eliminate(ruled())
		p.Share(&v)
		want := [][]string{{fmt.Sprint("e", n)}, {"e1", "e2"}, {"e3"}}
		if n == 1 {
			want[0] = []string{"e1"}
		}
		if diff := cmp.Diff(want, p.Cited()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestTextsAndTimesOfAPool(t *testing.T) {
	var p Pool
	b := []byte("a sentence")
	one := p.Text(b)
	copy(b, "overwritten")
	if two := p.Text([]byte("a sentence")); one != "a sentence" || unsafe.StringData(one) != unsafe.StringData(two) {
		t.Errorf("%q and %q", one, two)
	}
	zone := time.FixedZone("", 3600)
	at := time.Date(2026, 11, 21, 8, 0, 0, 0, zone)
	if p.Time(time.Time{}) != nil || !p.Time(at).Equal(at) || p.Time(at).Location() != time.UTC {
		t.Errorf("%v", p.Time(at))
	}
}
