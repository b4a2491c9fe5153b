package event

import (
	"encoding/json"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
)

// DecodeEvent reads an event of either API. Those of events.k8s.io are turned
// into what the core API shows of the same object: both are one in etcd
// (kubernetes pkg/apis/events/v1/conversion.go). A list may leave the kind's API
// to its items or to itself, so that only an event's own fields tell them apart.
func DecodeEvent(raw json.RawMessage) (*corev1.Event, error) {
	var either struct {
		corev1.Event
		Regarding *json.RawMessage `json:"regarding"`
	}
	err := json.Unmarshal(raw, &either)
	if either.Regarding == nil && !strings.HasPrefix(either.APIVersion, eventsv1.GroupName+"/") {
		return &either.Event, err
	}
	var e eventsv1.Event
	if err := json.Unmarshal(raw, &e); err != nil {
		return nil, err
	}
	out := &corev1.Event{
		TypeMeta:   e.TypeMeta,
		ObjectMeta: e.ObjectMeta, InvolvedObject: e.Regarding, Related: e.Related,
		Reason: e.Reason, Message: e.Note, Type: e.Type,
		Source: e.DeprecatedSource, FirstTimestamp: e.DeprecatedFirstTimestamp,
		LastTimestamp: e.DeprecatedLastTimestamp, Count: e.DeprecatedCount,
		EventTime: e.EventTime, Action: e.Action, ReportingController: e.ReportingController,
		ReportingInstance: e.ReportingInstance,
	}
	if e.Series != nil {
		out.Series = &corev1.EventSeries{Count: e.Series.Count, LastObservedTime: e.Series.LastObservedTime}
	}
	return out, nil
}
