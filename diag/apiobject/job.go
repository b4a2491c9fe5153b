package apiobject

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// overdue returns the event with which a Job's controller ends its pods at its deadline, made from the condition with
// the same content, which lasts (kubernetes v1.2–v1.37 pkg/controller/job/job_controller.go syncJob); nil for any other
// Job.
func overdue(raw json.RawMessage) *corev1.Event {
	var job struct {
		metav1.ObjectMeta `json:"metadata"`
		Status            struct {
			Conditions []struct {
				Type, Reason       string
				LastTransitionTime metav1.Time
			}
		}
	}
	if json.Unmarshal(raw, &job) != nil {
		return nil
	}
	for _, c := range job.Status.Conditions {
		if (c.Type == "Failed" || c.Type == "FailureTarget") && c.Reason == "DeadlineExceeded" {
			return &corev1.Event{
				ObjectMeta:     metav1.ObjectMeta{Namespace: job.Namespace, Name: job.Name + "." + c.Reason},
				InvolvedObject: corev1.ObjectReference{Kind: "Job", Namespace: job.Namespace, Name: job.Name, UID: job.UID},
				Reason:         c.Reason, Message: "Job was active longer than specified deadline",
				Source:        corev1.EventSource{Component: "job-controller"},
				LastTimestamp: c.LastTransitionTime, FirstTimestamp: c.LastTransitionTime, Count: 1,
			}
		}
	}
	return nil
}
