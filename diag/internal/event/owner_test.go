package event

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A ReplicaSet deletes what is too much. Other controllers also delete pods that failed, whatever ended those.
func TestWhoDeletedAPodAndWhy(t *testing.T) {
	for kind, c := range map[string]struct {
		message string
		owner   bool
	}{
		"ReplicaSet":            {"Deleted pod: web-0", true},
		"replicaset":            {"Deleted pod: web-0", true},
		"ReplicationController": {"Deleted pod: web-0", true},
		"StatefulSet":           {"delete Pod web-0 in StatefulSet web successful", false},
		"DaemonSet":             {"Deleted pod: web-0", false},
		"Job":                   {"Deleted pod: web-0", false},
	} {
		b := evidence.NewBuilder(time.Time{})
		ObserveEvent(b, &corev1.Event{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "e"}, Reason: "SuccessfulDelete", Message: c.message,
			InvolvedObject: corev1.ObjectReference{Kind: kind, Namespace: "shop", Name: "web"},
		}, nil, nil)
		all := b.Build().Observations
		if len(all) != 1 || all[0].Subject.Pod != "web-0" ||
			all[0].Fact != evidence.Fact(evidence.PodDeleted{GraceSeconds: -1, ByOwner: c.owner}) {
			t.Errorf("%s: %+v", kind, all)
		}
	}
}
