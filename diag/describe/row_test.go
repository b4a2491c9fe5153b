package describe_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/describe"
)

func TestHeadOfARowThatLostIt(t *testing.T) {
	for name, c := range map[string]struct{ row, head string }{
		"a description's event": {
			"  Warning  BackOff    7s (x12 over 2m)   kubelet, n1  Back-off restarting failed container",
			"  Type     Reason     Age                From         Message"},
		"an event without its host": {
			"Normal   Killing         6s (x2 over 79s)     kubelet            Stopping container app",
			"Type     Reason          Age                  From               Message"},
		"an event of a namespace": {
			"4m1s        Warning   Unhealthy   pod/web-0   Readiness probe failed: no",
			"LAST SEEN   TYPE      REASON      OBJECT      MESSAGE"},
		"a pod": {
			"web-0        1/2       CrashLoopBackOff   6 (4m8s ago)   9m44s",
			"NAME         READY     STATUS             RESTARTS       AGE"},
		"a pod of a namespace, wide": {
			"shop          web-0        0/1       Evicted    0          9m     10.0.0.1      n1      <none>   <none>",
			"NAMESPACE     NAME         READY     STATUS     RESTARTS   AGE    IP            NODE    NOMINATED NODE"},
		"of all kinds": {
			"pod/web-0    0/1       Evicted   0          9m",
			"NAME         READY     STATUS    RESTARTS   AGE"},
		"an application's line": {row: "Warning: 3 of 4 checks failed"},
		"words with a ratio":    {row: "progress 1/2 done 7 of 9"},
		"nothing":               {},
	} {
		t.Run(name, func(t *testing.T) {
			if got := describe.HeadOf(c.row); got != c.head {
				t.Errorf("%q, want %q", got, c.head)
			}
		})
	}
}
