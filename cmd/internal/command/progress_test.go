package command

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func watching() (*ProgressBar, *bytes.Buffer, *time.Time) {
	var out bytes.Buffer
	clock := morning
	// The end is there already, so that no goroutine draws beside the test.
	return &ProgressBar{W: &out, watched: true, now: func() time.Time { return clock }, end: make(chan struct{})},
		&out, &clock
}

func TestEverySourceUnderWayHasALine(t *testing.T) {
	p, out, clock := watching()
	p.Step("pod on n1", false)
	p.Step("pod on \x1b[31mn2", false)
	if p.lines() != nil {
		t.Errorf("it shows %q before anything took long", p.lines())
	}
	*clock = clock.Add(2 * time.Second)
	p.draw()
	got := p.lines()
	if len(got) != 2 || !strings.HasPrefix(got[0], "pod on n1 ") || !strings.HasSuffix(got[0], "2.0s") {
		t.Errorf("lines %q", got)
	}
	for _, l := range got {
		if strings.ContainsFunc(l, unicode.IsControl) || len(l) > 79 {
			t.Errorf("line %q", l)
		}
	}
	p.Step("pod on n1", true)
	if got = p.lines(); len(got) != 2 || got[1] != "1 done, 0 more under way" {
		t.Errorf("lines %q", got)
	}
	p.Clear()
	if text := out.String(); !strings.HasSuffix(text, "\x1b[2A\x1b[J") {
		t.Errorf("it leaves %q", text)
	}
	out.Reset()
	p.Clear()
	if out.Len() > 0 {
		t.Errorf("it erases twice: %q", out)
	}
}

func TestManySourcesDoNotFillTheScreen(t *testing.T) {
	p, _, clock := watching()
	for i := range 40 {
		p.Step(fmt.Sprintf("pod on n%d", i), false)
	}
	*clock = clock.Add(time.Second)
	if got := p.lines(); len(got) != progressRows+1 || got[progressRows] != "0 done, 34 more under way" {
		t.Errorf("lines %q", got)
	}
}

func TestAPipeSeesNoProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		env, _, errOut := anEnv()
		p := NewProgress(env)
		p.Step("api", false)
		time.Sleep(progressDelay + 2*progressTick)
		p.Step("api", true)
		p.Clear()
		if errOut.Len() > 0 || p.end != nil {
			t.Errorf("it wrote %q", errOut)
		}
	})
}

func TestTheDrawingEndsWithTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, out, _ := watching()
		p.end = nil
		p.now = clock.Now
		p.Step("journal", false)
		time.Sleep(progressDelay + 3*progressTick)
		p.Clear()
		n := out.Len()
		if n == 0 {
			t.Error("nothing was drawn")
		}
		time.Sleep(2 * progressTick)
		if synctest.Wait(); out.Len() != n {
			t.Error("it goes on drawing")
		}
	})
}

func TestTheReadingOfALogMoves(t *testing.T) {
	p, _, clock := watching()
	at := evidence.Progress{Bytes: 256 << 20, Total: 1 << 30, Lines: 1_234_567, Ends: 89}
	p.Reading(func() evidence.Progress { return at })
	if p.lines() != nil {
		t.Errorf("it shows %q before anything took long", p.lines())
	}
	*clock = clock.Add(2 * time.Second)
	if got := p.lines(); len(got) != 1 || got[0] != "256 MiB of 1024 MiB, 1.2 million lines, 89 container exits, 6s left" {
		t.Errorf("lines %q", got)
	}
	at.Bytes = at.Total
	if got := p.lines(); len(got) != 1 || !strings.HasSuffix(got[0], "working out why") || len(got[0]) > 79 {
		t.Errorf("lines %q", got)
	}
	p.Clear()
	if p.lines() != nil {
		t.Errorf("it shows %q when all is done", p.lines())
	}
}
