package eventrecord

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
)

// kinds are ends of the names of fields with the kind of the object that an event is about, the surest first; other
// objects in a record have a kind, too.
var kinds = [][]string{{"involvedobjectkind", "regardingkind"}, {"objectkind", "eventkind"}, {"kind"}}

// The other fields of an event, as ends of their names without separators.
var (
	messages   = []string{"eventmessage", "message", "messages", "note", "msg"}
	bodies     = []string{"body", "body.stringvalue", "content"}
	namespaces = []string{"metadatanamespace", "namespacename", "namespace"}
	senders    = []string{"sourcecomponent", "reportingcomponent", "reportingcontroller", "eventsource"}
	lastTimes  = []string{"lasttimestamp", "lastseen", "lastoccurrence", "lastoccurrencetimestamp"}
	times      = []string{"eventtime", "firsttimestamp", "createdat"}
)

// aReason is the form of events' reasons.
var aReason = regexp.MustCompile(`^[A-Z][A-Za-z]+$`)

// Of returns the events that a record is about, none for most records. at is when the record was written.
func Of(f field.Fields, at time.Time) [][]byte {
	if all := titled(f, at); len(all) > 0 {
		return all
	}
	kind, object := involved(f)
	if kind == "" && slices.Contains(ofPods, f.Ending("reason")) && f.Ending("podname", "pod") != "" && !logged(f) {
		kind, object = "Pod", "pod" // a tool kept what people read of an event
	}
	if kind == "" {
		return nil
	}
	name := cmp.Or(f[object+"name"], f[object+"object"], f["name"], f.Ending("podname", "pod"))
	e := event{kind: kind, name: name, part: f[object+"fieldpath"], reason: f.Ending("reason"),
		message:   cmp.Or(f.Ending(messages...), firstOf(f, bodies)),
		namespace: cmp.Or(f[object+"namespace"], f["namespace"], f.Ending(namespaces...)),
		sender:    cmp.Or(f.Ending(senders...), f[object+"component"]),
		host:      cmp.Or(f.Ending("sourcehost"), f.Host()), at: moment(f, at)}
	if name == "" || !aReason.MatchString(e.reason) ||
		e.sender == "" && (e.namespace == "" || e.message == "") || f.OutputOfOther(name) {
		return nil
	}
	e.count, _ = strconv.Atoi(f.Ending("eventcount")) // 0 is one
	return [][]byte{e.json()}
}

// logged reports whether a record is a line of a program's log, which may have a word of its own for a reason.
func logged(f field.Fields) bool {
	_, name := f.First([]string{"level", "severity", "logger", "caller", "lvl"})
	return name != ""
}

// involved returns the kind of the object that an event is about, and what the names of the object's fields begin with.
func involved(f field.Fields) (kind, object string) {
	for _, ends := range kinds {
		best := ""
		for name, value := range f {
			if (value == "Pod" || value == "Node") && strings.HasSuffix(name, "kind") && (best == "" || name < best) &&
				slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(field.Short(name), end) }) {
				best = name
			}
		}
		if best != "" {
			return f[best], strings.TrimSuffix(best, "kind")
		}
	}
	return "", ""
}

// moment returns when an event happened last: what it says itself, or when its record was written.
func moment(f field.Fields, at time.Time) time.Time {
	if t, ok := field.Moment(f.Ending(lastTimes...)); ok {
		return t
	}
	if t, ok := field.Moment(f.Ending(times...)); ok && at.IsZero() {
		return t
	}
	return at
}

func firstOf(f field.Fields, names []string) string {
	value, _ := f.First(names)
	return value
}

// pairIn matches one pair of a logfmt line.
var pairIn = regexp.MustCompile(`([A-Za-z_.]+)=(?:"((?:[^"\\]|\\.)*)"|(\S*))`)

// ofPods are reasons of events that only pods have (kubelet events/event.go, and who ends pods), and that no program
// has for a word of its own.
var ofPods = []string{"Killing", "Unhealthy", "BackOff", "Evicted", "OOMKilling", "SandboxChanged",
	"FailedPostStartHook", "FailedPreStopHook", "ExceededGracePeriod", "Preempting", "Preempted",
	"TaintManagerEviction", "FailedScheduling"}

// Line returns the fields of an event in a logfmt line, nil for another line.
func Line(s string) field.Fields {
	if !strings.HasPrefix(s, "name=") || !strings.Contains(s, " kind=") || !strings.Contains(s, " reason=") {
		return nil
	}
	f := field.Fields{}
	for _, m := range pairIn.FindAllStringSubmatch(s, field.Max) {
		if name := strings.ToLower(m[1]); f[name] == "" {
			f[name] = strings.ReplaceAll(m[2], `\"`, `"`) + m[3]
		}
	}
	return f
}
