package unwrap

import (
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/auditlog"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
)

// This file settles whose word an object in a record is: the API server's, a store's, or a container's.

// inside reads a value that a store or an exporter keeps in a record.
func (w *walker) inside(raw string, outer Record, depth int) {
	w.stored++
	w.value([]byte(raw), outer, depth)
	w.stored--
}

// printed reports whether an object is what a container printed, because its record names the container. It may look
// like an object of the API, a list, samples, a kubelet's line.
func (w *walker) printed(m object, raw []byte) bool {
	var name string
	switch {
	case m["scopeMetrics"] != nil: // a measurement of the container that its resource names
	case m["kubernetes"] != nil || m["resource"] != nil || m["container_name"] != nil ||
		m["containerName"] != nil && !klogRecord(m) || // a kubelet calls a container so, too
		m["log"] != nil || m["attributes"] != nil || m["stream"] != nil || m["tags"] != nil:
		f, _, _ := fieldsOf(raw)
		name = f.Container()
	case m["body"] != nil:
		name = w.around.Container()
	}
	return name != "" && (!field.OfEvents(name) || klogRecord(m))
}

// audited passes on requests to the API server, of which most records have none that matters.
func (w *walker) audited(requests []auditlog.Request, received string) {
	if len(requests) == 0 {
		w.Records++
	}
	at, _ := field.Moment(received)
	for i := range requests {
		w.record(Record{Time: at, Unit: auditlog.Unit, Message: requests[i].String()})
	}
}

// events passes on events, and reports whether there are any.
func (w *walker) events(all [][]byte) bool {
	for _, raw := range all {
		w.put("Event", raw)
	}
	return len(all) > 0
}

func (w *walker) put(kind string, raw []byte) {
	w.Objects++
	if w.sink.Object != nil {
		w.sink.Object(kind, raw)
	}
}
