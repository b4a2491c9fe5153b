package apiobject

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/event"
)

const (
	killingCore = `{"apiVersion":"v1","kind":"Event","metadata":{"name":"web-0.1","namespace":"shop"},
"involvedObject":{"kind":"Pod","namespace":"shop","name":"web-0","uid":"u1","fieldPath":"spec.containers{a}"},
"reason":"Killing","message":"Container a failed liveness probe, will be restarted","type":"Normal","count":3,
"source":{"component":"kubelet","host":"n1"},"firstTimestamp":"2026-11-21T07:00:00Z","lastTimestamp":"2026-11-21T07:05:00Z","eventTime":null,
"reportingComponent":"kubelet","reportingInstance":"n1"}`
	// The same object as events.k8s.io/v1 shows it.
	killingEvents = `{"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"web-0.1","namespace":"shop"},
"regarding":{"kind":"Pod","namespace":"shop","name":"web-0","uid":"u1","fieldPath":"spec.containers{a}"},
"reason":"Killing","note":"Container a failed liveness probe, will be restarted","type":"Normal","deprecatedCount":3,
"deprecatedSource":{"component":"kubelet","host":"n1"},"deprecatedFirstTimestamp":"2026-11-21T07:00:00Z","deprecatedLastTimestamp":"2026-11-21T07:05:00Z","eventTime":null,
"reportingController":"kubelet","reportingInstance":"n1"}`
)

func TestBothAPIsShowTheSameEvent(t *testing.T) {
	for name, list := range map[string]string{
		"one object":        killingEvents,
		"a list of kubectl": `{"apiVersion":"v1","kind":"List","items":[` + killingEvents + `]}`,
		"a list that names the group": `{"apiVersion":"events.k8s.io/v1","kind":"EventList","items":[` +
			strings.Replace(killingEvents, `"apiVersion":"events.k8s.io/v1","kind":"Event",`, "", 1) + `]}`,
	} {
		t.Run(name, func(t *testing.T) {
			want := Decode([]evidence.File{evidence.Bytes("cluster/e.json", []byte(killingCore))}, Hasher{})
			got := Decode([]evidence.File{evidence.Bytes("cluster/e.json", []byte(list))}, Hasher{})
			if len(got.Events) != 1 || len(got.gaps) != 0 {
				t.Fatalf("%d events, gaps %v", len(got.Events), got.gaps)
			}
			if diff := cmp.Diff(want.Events, got.Events); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestASeriesKeepsItsCount(t *testing.T) {
	const series = `{"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"x","namespace":"shop"},"regarding":{"kind":"Pod","name":"web-0"},
"reason":"BackOff","note":"n","eventTime":"2026-11-21T07:00:00.000000Z","series":{"count":7,"lastObservedTime":"2026-11-21T07:09:00.000000Z"}}`
	e, err := event.DecodeEvent([]byte(series))
	if err != nil || e.Series == nil || e.Series.Count != 7 || e.Series.LastObservedTime.UTC().Minute() != 9 ||
		e.EventTime.IsZero() {
		t.Errorf("%+v, %v", e, err)
	}
	if _, err := event.DecodeEvent([]byte(`{"regarding":"no object"}`)); err == nil {
		t.Error("an event whose subject is no object is read")
	}
}
