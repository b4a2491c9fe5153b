package kubeletlog

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Two processes that write in turn are two kubelets of one node; the last words of one that was replaced are not. Each
// line comes a second after the one before, by the process of that number; a negative one tells its version.
func TestTwoKubeletsOfOneNodeAreTold(t *testing.T) {
	for name, c := range map[string]struct {
		lines []int
		want  int
	}{
		"both write on":                        {[]int{-1, 1, -2, 1, 2, 1, 2, 1, 2, 1, 2, 1}, 1},
		"the last words of the first":          {[]int{-1, 1, -2, 2, 1, 2, 2, 2, 2, 2, 2}, 0},
		"one that told no start, between":      {[]int{-1, 1, 2, 2, 1, 1, 1, 1, 1, 1, 1}, 1},
		"a line behind one that told no start": {[]int{-1, 1, 2, 1, 2, 2, 2, 2, 2, 2, 2}, 1},
		"one after the other":                  {[]int{-1, 1, -2, 2, 2, 2, 2, 2, 2, 2, 2}, 0},
		"a number that is given again, a minute later": {slices.Concat([]int{-1, 1, -2}, slices.Repeat([]int{2}, 65),
			[]int{-1, 1, 1, 1, 1}), 0},
	} {
		t.Run(name, func(t *testing.T) {
			got, p := 0, &Parser{Known: true}
			emit := func(o evidence.Observation) {
				if f, ok := o.Fact.(evidence.KubeletStarted); ok && f.Beside {
					got++
				}
			}
			for i, pid := range c.lines {
				text := `kubelet.go:1] "SyncLoop (PLEG): event for pod" pod="a/b" event={"ID":"u","Type":"ContainerDied","Data":"c"}`
				if pid < 0 {
					pid, text = -pid, `server.go:1] "Kubelet version" kubeletVersion="v1.31.0"`
				}
				at := t0.Add(time.Duration(i) * time.Second)
				p.Add(evidence.Entry{Time: at, PID: forwarder,
					Message: fmt.Sprintf("I%s %7d %s", at.Format("0102 15:04:05.000000"), pid, text)}, emit)
			}
			p.Close(emit)
			if got != c.want {
				t.Errorf("told %d times, want %d", got, c.want)
			}
		})
	}
}

// Docker tells of a container by fields that may be the container's own.
func TestAKubeletThatOnlyDockerNamesIsDoubted(t *testing.T) {
	for unit, want := range map[string]int{"kubelet": 1, "kubelet.service": 0} {
		got, p := 0, &Parser{Known: true}
		for i := range 3 {
			at := t0.Add(time.Duration(i) * time.Second)
			p.Add(evidence.Entry{Time: at, PID: 70, Unit: unit, Writer: evidence.Vouched,
				Message: "I" + at.Format("0102 15:04:05.000000") + `      70 kubelet.go:1] "SyncLoop ADD" source="api" pods=["a/b"]`},
				func(o evidence.Observation) {
					if f, ok := o.Fact.(evidence.KubeletStarted); ok && f.Beside {
						got++
					}
				})
		}
		if got != want {
			t.Errorf("%s: told %d times, want %d", unit, got, want)
		}
	}
}

// A journal that hangs takes lines up later than they were written: whose lines doubt what came before is told by
// their own clock.
func TestASecondKubeletWritesByItsOwnClock(t *testing.T) {
	var began time.Time
	p := &Parser{Known: true}
	for i, pid := range []int{1, 2, 2, 1, 1, 1, 1, 1, 1, 1} {
		at := t0.Add(time.Duration(i) * time.Second)
		p.Add(evidence.Entry{Time: at.Add(9 * time.Second), PID: forwarder,
			Message: fmt.Sprintf("I%s %7d %s", at.Format("0102 15:04:05.000000"), pid,
				`kubelet.go:1] "SyncLoop (PLEG): event for pod" pod="a/b" event={"ID":"u","Type":"ContainerDied","Data":"c"}`)},
			func(o evidence.Observation) {
				if f, ok := o.Fact.(evidence.KubeletStarted); ok && f.Beside {
					began = o.Time
				}
			})
	}
	if want := t0.Add(time.Second); !began.Equal(want) {
		t.Errorf("it began at %s, want %s", began, want)
	}
}
