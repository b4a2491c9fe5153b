package finding_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A difference that is no time zone may in part be how late the kubelet is.
func TestAClockInNoZoneIsDoubted(t *testing.T) {
	for by, want := range map[time.Duration]bool{time.Hour: false, 40 * time.Second: true, 0: false} {
		s := analyzertest.New().Records(10, 42.3, 1, "Error", 44, nil)
		for i := range 4 {
			of := evidence.Subject{PodUID: "u2", Container: "x", ContainerID: strings.Repeat(strconv.Itoa(i+5), 64)}
			at := 50 + 10*float64(i)
			s.Add(evidence.SourceCRI, at, of, evidence.ContainerRecord{State: evidence.StateExited, Attempt: i,
				Started: analyzertest.At(at - 5), Finished: analyzertest.At(at)})
			s.Add(evidence.SourceKubeletLog, at+0.6+by.Seconds(), of, evidence.ContainerDied{})
		}
		if doubted(t, s, "the times of the kubelet") != want {
			t.Errorf("lines %s ahead: doubted is %v", by, !want)
		}
	}
}
