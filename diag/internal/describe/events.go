package describe

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
)

// The annotations of events whose times were computed from when their table was printed: the table's file, and the
// uncertainty of the age. Other objects in the same input may show better when that was.
const (
	TableOf = "restartwhy.dev/table"
	WidthOf = "restartwhy.dev/age-width"
)

// event is a row of a table of events.
type event struct {
	table                 string
	kind, reason, message string // kind is Normal or Warning
	component, host       string
	object                string // pod/web-0
	path                  string // spec.containers{app}
	namespace             string
	seen                  seen
	last, first           time.Time // if the table has times instead of ages
	cut                   bool      // the message was cut off, and was completed
}

// readEvents reads the table below "Events:".
func readEvents(lines []string) (all []event) {
	defer func() { nameContainers(all) }()
	var head columns
	for _, l := range lines {
		switch {
		case strings.TrimSpace(l) == "" || strings.HasPrefix(strings.TrimSpace(l), "----"):
		case head.names == nil:
			if head = headOf(l); head.has("REASON", "MESSAGE") {
				continue
			}
			if head = headOf(HeadOf(l)); !head.has("REASON", "MESSAGE") {
				return nil
			}
			if e, ok := eventOf(head.row(l)); ok {
				all = append(all, e)
			}
		case len(l) > 0 && l[0] != ' ' && l[0] != '\t' && head.at[0] > 0:
			return all // the next description
		default:
			if e, ok := eventOf(head.row(l)); ok {
				all = append(all, e)
			}
		}
	}
	return all
}

func eventOf(cells map[string]string) (e event, ok bool) {
	e = event{kind: cells["TYPE"], reason: cells["REASON"], message: cells["MESSAGE"],
		object: cells["OBJECT"], path: cmp.Or(cells["SUBOBJECT"], cells["SUBOBJECTPATH"]), namespace: cells["NAMESPACE"]}
	e.message, e.cut = kubeletmsg.Completed(e.message)
	from := cmp.Or(cells["FROM"], cells["SOURCE"])
	e.component, e.host, _ = strings.Cut(from, ", ")
	if old, ok := strings.CutPrefix(from, "{"); ok { // kubectl up to 1.5 prints the struct; reasons were small up to 1.1
		e.reason = strings.ToUpper(e.reason[:min(1, len(e.reason))]) + e.reason[min(1, len(e.reason)):]
		e.component, e.host, _ = strings.Cut(strings.TrimSuffix(old, "}"), " ")
		e.host = strings.TrimSpace(e.host)
	}
	if name, kind := cells["NAME"], cells["KIND"]; e.object == "" && name != "" { // kubectl up to 1.13, dashboards
		at := strings.LastIndexByte(name, '.')
		if kind = cmp.Or(kind, "pod"); at > 0 && suffix.MatchString(name[at+1:]) {
			name = name[:at] // a pod's own name may have dots: a static pod has its node's
		} else if cells["KIND"] != "" {
			name, _, _ = strings.Cut(name, ".")
		}
		e.object = strings.ToLower(kind) + "/" + name
	}
	for _, column := range []string{"AGE", "LAST SEEN", "LASTSEEN"} {
		if v := cells[column]; v != "" {
			e.seen = parseSeen(v)
			e.last = momentOf(v)
		}
	}
	if e.first = momentOf(cells["FIRST SEEN"]); e.first.IsZero() {
		e.first = e.last
	}
	if first, known := age(cells["FIRST SEEN"]); known {
		e.seen.first = first
	}
	if n, known := number(cells["COUNT"]); known {
		e.seen.count = n
	}
	if _, ok := cells["TYPE"]; !ok {
		e.kind = "Normal" // a column that was not printed
	}
	return e, e.reason != "" && (e.kind == "Normal" || e.kind == "Warning")
}

// moments are how kubectl (the last one up to 1.1), Kibana, Grafana and spreadsheets write a time in a table; one
// without a zone counts as UTC.
var moments = []string{time.RFC3339Nano, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02T15:04:05",
	"Jan 2, 2006 @ 15:04:05", time.RFC1123Z}

// momentOf returns the time in a cell, zero for an age or anything else.
func momentOf(cell string) time.Time {
	for _, layout := range moments {
		if t, err := time.Parse(layout, cell); err == nil {
			return t
		}
	}
	return time.Time{}
}

// suffix matches the end of an event's name after its object's: the time in hexadecimal.
var suffix = regexp.MustCompile(`^[0-9a-f]{14,17}$`)

func number(s string) (n int, ok bool) {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' || n > 100_000_000 {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, s != ""
}

// inMessage finds the container in a kubelet's message.
var inMessage = regexp.MustCompile(`(?i)\bcontainer "?(` + aContainer + `)"? ` +
	`(?:failed (?:liveness|startup)|definition|in pod)|` +
	`^(?:(?:Created|Started|Stopping)|Error: failed to (?:start|create)) container "?(` + aContainer +
	`)"?(?:\W*$|:| in )`) // and not "with docker id", as up to 1.8

const aContainer = `[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?`

// container returns the field path of the container that an event is about: a back-off and a failed start always belong
// to one, even if old kubelets and narrow tables do not name it.
func (e *event) container() string {
	of := e.reason == "BackOff" && strings.HasPrefix(e.message, "Back-off restarting failed container") ||
		e.reason == "Failed" && !strings.HasPrefix(e.message, "Failed to pull ") || // its start failed
		e.reason == "InspectFailed" || e.reason == "ErrImageNeverPull" ||
		e.reason == "FailedPostStartHook" || e.reason == "FailedPreStopHook" ||
		e.reason == "Killing" && e.message == "FailedPostStartHook"
	if e.path == "" && of && !inMessage.MatchString(e.message) {
		return "spec.containers{" + evidence.Unnamed + "}"
	}
	return e.path
}

// ofContainer are the reasons of events about a container.
var ofContainer = map[string]bool{"Failed": true, "BackOff": true, "Killing": true, "Unhealthy": true,
	"Created": true, "Started": true, "Pulled": true, "FailedPostStartHook": true, "FailedPreStopHook": true}

// nameContainers fills in the container for the rows of a pod, in a table without a column for it, if their messages
// name only one.
func nameContainers(rows []event) {
	only := map[string]string{} // by object; "" for several
	for i := range rows {
		path := rows[i].path
		if m := inMessage.FindStringSubmatch(rows[i].message); path == "" && m != nil {
			path = "spec.containers{" + m[1] + m[2] + "}"
		}
		if have, seen := only[rows[i].object]; path != "" && seen && have != path {
			only[rows[i].object] = ""
		} else if path != "" {
			only[rows[i].object] = path
		}
	}
	started := map[string]string{} // the container of each object that started last
	for i := range rows {
		e := &rows[i]
		m := inMessage.FindStringSubmatch(e.message)
		if e.reason == "Started" && m != nil {
			started[e.object] = "spec.containers{" + m[1] + m[2] + "}"
		}
		if e.path == "" && ofContainer[e.reason] {
			e.path = only[e.object]
		}
		// The kubelet runs the hook right after the start, and starts no other container meanwhile
		// (kuberuntime_container.go startContainer).
		if e.path == "" && m == nil && (e.reason == "FailedPostStartHook" || e.message == "FailedPostStartHook") {
			e.path = started[e.object]
		}
	}
}

// json returns the event as an object; at is when the table was printed.
func (e *event) json(namespace, pod, uid, path string, at time.Time) object {
	if m := inMessage.FindStringSubmatch(e.message); path == "" && m != nil {
		path = "spec.containers{" + m[1] + m[2] + "}"
	}
	involved := object{"kind": "Pod", "namespace": namespace, "name": pod}
	if path != "" {
		involved["fieldPath"] = path
	}
	if uid != "" {
		involved["uid"] = uid
	}
	return e.about(involved, namespace, pod, at)
}

// ofNode returns an event of a node as an object.
func (e *event) ofNode(name string, at time.Time) object {
	return e.about(object{"kind": "Node", "name": name, "uid": name}, "default", name, at)
}

func (e *event) about(involved object, namespace, name string, at time.Time) object {
	meta := object{"name": name + "." + e.reason, "namespace": namespace}
	if e.table != "" && e.seen.known && !at.IsZero() {
		meta["annotations"] = object{TableOf: e.table, WidthOf: e.seen.width.String()}
	}
	out := object{
		"kind": "Event", "apiVersion": "v1", "metadata": meta, "involvedObject": involved,
		"type": e.kind, "reason": e.reason, "message": e.message, "count": e.seen.count,
		"source": object{"component": e.component, "host": e.host},
	}
	if !e.last.IsZero() {
		out["firstTimestamp"] = e.first.UTC().Format(time.RFC3339)
		out["lastTimestamp"] = e.last.UTC().Format(time.RFC3339)
	} else if e.seen.known && !at.IsZero() {
		out["firstTimestamp"] = at.Add(-e.seen.first).UTC().Format(time.RFC3339)
		out["lastTimestamp"] = at.Add(-e.seen.last).UTC().Format(time.RFC3339)
	}
	return out
}
