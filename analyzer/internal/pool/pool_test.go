package pool

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// ruled returns a list as in verdicts: one fact rules several causes out.
func ruled() report.Eliminations {
	return report.Eliminations{
		{Because: "exit code 1 is <its own>", Evidence: []string{"e1", "e2"}, Causes: []string{"oom-node", "oom-pod-limit"}},
		{Because: "exit code 1 is <its own>", Evidence: []string{"e3"}, Causes: []string{"app-signal"}},
		{Because: "it did not boot", Evidence: []string{}, Causes: []string{"node-reboot"}},
		{Because: "the pod is there", Evidence: []string{}, Causes: []string{"evicted-memory"}},
	}
}

func verdictOf(n int) report.Verdict {
	id := []string{fmt.Sprint("e", n)}
	return report.Verdict{
		Cause: "app-exit-error", Summary: "it " + "ended", Actions: append(make([]string, 0, 8), "read "+"its log"),
		Chain: append(make([]report.Link, 0, 8), report.Link{Text: "exit " + "code 1", Evidence: id},
			report.Link{Text: "started again", Evidence: append([]string(nil), id...)}, report.Link{Text: "no evidence"}),
		Alternatives: []report.Alternative{{Text: "or " + "else"}},
		Missing:      []report.Missing{{What: "a " + "log", Consequence: "c", Command: "d"}},
	}
}

func ruledBy(p *Pool, list report.Eliminations) report.Eliminations {
	for _, e := range list {
		for _, cause := range e.Causes {
			p.Rule(cause, e.Because, e.Evidence)
		}
	}
	return p.Ruled()
}

func TestWhatEvidenceRulesOutComesFirst(t *testing.T) {
	var p Pool
	list := ruled()
	slices.Reverse(list)
	if got := ruledBy(&p, list); got[0].Causes[0] != "app-signal" || got[3].Causes[0] != "node-reboot" {
		t.Errorf("%+v", got)
	}
	if again := p.Ruled(); len(again) != 0 {
		t.Errorf("%d facts of the verdict before", len(again))
	}
}

func TestAPoolChangesNothingThatIsRead(t *testing.T) {
	var p Pool
	for n := range 3 {
		want, got := verdictOf(n), verdictOf(n)
		want.Eliminated, got.Eliminated = ruled(), ruledBy(&p, ruled())
		p.Share(&got)
		r := &report.Report{Items: []report.Item{{Verdict: want}, {Verdict: got}}}
		r.Normalise()
		if diff := cmp.Diff(r.Items[0], r.Items[1]); diff != "" {
			t.Error(diff)
		}
	}
}

func TestAPoolShares(t *testing.T) {
	var p Pool
	a, b := verdictOf(1), verdictOf(2)
	a.Eliminated, b.Eliminated = ruledBy(&p, ruled()), ruledBy(&p, ruled())
	p.Share(&a)
	p.Share(&b)
	if &a.Actions[0] != &b.Actions[0] || &a.Eliminated[0].Causes[0] != &b.Eliminated[0].Causes[0] {
		t.Error("two verdicts keep a list each of what is the same")
	}
	if &a.Eliminated[0] == &b.Eliminated[0] {
		t.Error("a fact that cites evidence is shared")
	}
	if &a.Chain[0].Evidence[0] != &a.Chain[1].Evidence[0] || cap(a.Chain) != len(a.Chain) {
		t.Error("links of one verdict keep a list each, or room that they do not need")
	}
	if b.Chain[0].Evidence[0] != "e2" {
		t.Errorf("the evidence of one verdict became that of another: %v", b.Chain[0].Evidence)
	}
}

func TestAPoolTellsWhatAVerdictCites(t *testing.T) {
	var p Pool
	for n := range 2 {
		v := verdictOf(n)
		v.Eliminated = ruledBy(&p, ruled())
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

func TestTimesOfAPool(t *testing.T) {
	var p Pool
	zone := time.FixedZone("", 3600)
	at := time.Date(2026, 11, 21, 8, 0, 0, 0, zone)
	if p.Time(time.Time{}) != nil || !p.Time(at).Equal(at) || p.Time(at).Location() != time.UTC {
		t.Errorf("%v", p.Time(at))
	}
}
