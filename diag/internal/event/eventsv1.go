package event

import (
	"encoding/json"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/apijson"
)

// DecodeEvent reads an event of either API. It converts events of events.k8s.io into the core API's form of the same
// object: both are one object in etcd (kubernetes pkg/apis/events/v1/conversion.go). A list may state the API of its
// items only once, so only an event's own fields distinguish the two.
func DecodeEvent(raw json.RawMessage) (*corev1.Event, error) {
	var either struct {
		corev1.Event
		Regarding *json.RawMessage `json:"regarding"`
	}
	err := apijson.Unmarshal(raw, &either)
	if either.Regarding == nil && !strings.HasPrefix(either.APIVersion, eventsv1.GroupName+"/") {
		return &either.Event, err
	}
	var e eventsv1.Event
	if err := apijson.Unmarshal(raw, &e); err != nil {
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
