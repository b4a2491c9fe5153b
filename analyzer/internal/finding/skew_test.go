package finding_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A difference that is no time zone may be how late the kubelet is: what it dates after the end does not move before
// it.
func TestAClockInNoZoneMovesNoLineBeforeTheEnd(t *testing.T) {
	for _, c := range []struct {
		name string
		by   time.Duration
		kill float64 // by the kubelet's clock, after the end
		want bool
	}{
		{"a kill that the clock moves before the end", 40 * time.Second, 35, true},
		{"a kill that is before the end as it is", 40 * time.Second, -2, false},
		{"a kill that stays behind the end", 40 * time.Second, 45, false},
		{"a zone", time.Hour, 3595, false},
		{"a clock that is behind", -40 * time.Second, -42, false},
		{"a kill after the end that a clock that is behind moves before it", -40 * time.Second, -39.9, true},
		{"the same clock", 0, -2, false},
	} {
		s := analyzertest.New().Records(10, 42.3, 1, "Error", 44, nil)
		s.Kubelet(42.3+c.kill, analyzertest.OldID, evidence.KillStarted{GraceSeconds: 30})
		for i := range 4 {
			of := evidence.Subject{PodUID: "u2", Container: "x", ContainerID: strings.Repeat(strconv.Itoa(i+5), 64)}
			at := 50 + 10*float64(i)
			s.Add(evidence.SourceCRI, at, of, evidence.ContainerRecord{State: evidence.StateExited, Attempt: i,
				Started: analyzertest.At(at - 5), Finished: analyzertest.At(at)})
			s.Add(evidence.SourceKubeletLog, at+0.6+c.by.Seconds(), of, evidence.ContainerDied{})
		}
		if doubted(t, s, "the kubelet-log of ") != c.want {
			t.Errorf("%s: doubted is %v", c.name, !c.want)
		}
	}
}
