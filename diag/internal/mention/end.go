package mention

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podrecord"
)

// object is a JSON object.
type object = map[string]any

// end is what a text says about one end.
type end struct {
	naming.Names
	near  naming.Names // the last names before it
	at    int          // its last line
	code  *int64
	ended string // the reason, or one of the symbols for it
	// waits is the reason of waiting, failed the pod's reason.
	waits, failed string
	// said is what the kubelet would have said about the failed pod, line the text's own line.
	// own is what the process itself logged last.
	said, line, own string
	events          []event
	// finished and written are times in the text, of the end and of the line.
	finished, written time.Time
	node              string
	ofNode            bool
	beside            bool // its words count only next to others
	trace             bool // its words show that it ended, and not how
	deleted           bool
	asked             bool // the text reports none, and asks
	prose             bool // a person says it
	init              bool // of an init container, by the line above
	other             int  // number of one of several pods without a name
}

// event is an event whose message is in the text.
type event struct{ reason, message string }

// ofPods are the reasons of events about a whole pod.
var ofPods = []string{"Preempted", "SandboxChanged", "TaintManagerEviction", "Evicted", "FailedCreatePodSandBox",
	"FailedCreatePodContainer"}

// mostEvents is how many events of one end are kept.
const mostEvents = 8

// fill adds what the other end has and this one does not.
func (e *end) fill(other *end) {
	e.Names = e.Names.Beside(other.Names)
	if e.code == nil {
		e.code = other.code
	}
	if e.ended == "" || e.ended == endsBare && other.ended != "" || e.ended != "OOMKilled" &&
		other.ended == "OOMKilled" {
		e.ended = other.ended
	}
	e.waits, e.failed, e.own = cmp.Or(e.waits, other.waits), cmp.Or(e.failed, other.failed), cmp.Or(e.own, other.own)
	if len(other.said) > len(e.said) { // the whole sentence, not only its reason
		e.said = other.said
	}
	for _, v := range other.events {
		if len(e.events) < mostEvents && !slices.Contains(e.events, v) {
			e.events = append(e.events, v)
		}
	}
	if e.finished.IsZero() {
		e.finished = other.finished
	}
	e.node, e.deleted, e.init = cmp.Or(e.node, other.node), e.deleted || other.deleted, e.init || other.init
	e.trace = e.trace && other.trace
	if e.written.IsZero() {
		e.written = other.written
	}
}

// takes adds the statements of a line to the end that earlier lines report; false if they belong to another one.
func (e *end) takes(next *end) bool {
	other := func(a, b string) bool { return a != "" && b != "" && a != b }
	if next.at-e.at > apart || e.prose && e.Pod == "" && next.Pod != "" && !next.prose ||
		next.Pod == "" && e.other != next.other ||
		other(e.Pod, next.Pod) || other(e.Container, next.Container) ||
		e.code != nil && next.code != nil || other(e.failed, next.failed) ||
		other(e.ended, next.ended) && e.ended != endsBare && next.ended != endsBare {
		return false
	}
	if e.prose && !next.prose && e.own == "" && (next.ended == endsCrash || next.ofNode) {
		e.own = next.line // a log says more of it than a person
	}
	e.fill(next)
	e.at = next.at
	return true
}

// secretive matches fields of a pod or a container that may have secret values: in JSON, YAML, Python or Go, and in
// strings.
var secretive = regexp.MustCompile(`(?i)(?:envs?|args|command|cmd|annotations|labels|containers|metadata|spec|config|` +
	`process|state|mounts|volumes|volumeAttributes|binds|headers|test)\\*["']?\s*:\s*[\[{]|\bmap\[`)

// quoted returns the part of a line that may be shown: nothing of an unparsed object. Its values may be those of
// environment variables, and no name shows which.
func quoted(line string) string {
	if secretive.MatchString(line) {
		return ""
	}
	return commandLine.ReplaceAllString(line, "$1")
}

// commandLine matches a process's command line, of which any word may be a secret, as earlyoom, systemd-coredump and
// auditd write it behind what they say, and sudo.
var commandLine = regexp.MustCompile(`(?:,? cmdline "| Command Line: | proctitle=).*|` +
	`(\bCOMMAND=(?:\S*/systemctl restart \S+|\S+)).*`)

// ofInit matches lines about an init container.
var ofInit = regexp.MustCompile(`\bInit:[A-Z]|\binit[ -]?(?:[cC]ontainer|step|phase)|\bInit[ -]?[cC]ontainers?\b`)

// ofInit reports whether the line of an end is an init container's. A person may name one beside what ended.
func (e *end) ofInit() bool {
	if !e.prose {
		return ofInit.MatchString(e.line)
	}
	all := sentences(e.line)
	return slices.ContainsFunc(all, func(s string) bool {
		return ofInit.MatchString(s) && (len(all) == 1 || fallen.MatchString(s) || gone.MatchString(s) ||
			strings.Contains(s, "Init:") || strings.Contains(s, "Loop"))
	})
}

// uidOf returns the UID of the pod in objects from such statements.
func uidOf(n naming.Names) string { return evidence.Mentioned + n.Namespace + "/" + n.Pod }

func (e *end) uid() string {
	switch {
	case e.asked:
		return uidOf(e.Names) + evidence.Asked
	case e.other > 0:
		return uidOf(e.Names) + "/" + strconv.Itoa(e.other)
	}
	return uidOf(e.Names)
}

// objects returns the pod as the API would have it, and its events. printed is the latest time at which the text
// existed.
func (e *end) objects(printed time.Time) (out []json.RawMessage) {
	if e.failed != "" && e.ended == "ContainerStatusUnknown" {
		e.ended = "" // the kubelet's word for the containers of such a pod
	}
	if e.failed != "" && e.deleted { // whoever deleted it afterwards
		e.deleted = false
		e.events = slices.DeleteFunc(e.events, func(v event) bool { return v.reason == "Killing" })
	}
	hooked := func(v event) bool { return v.reason == "FailedPostStartHook" }
	if e.waits == "RunContainerError" && slices.ContainsFunc(e.events, hooked) {
		e.waits = "PostStartHookError" // old kubelets had one word for both
	}
	unmade := func(v event) bool { return strings.HasPrefix(v.reason, "FailedCreatePod") }
	if e.code == nil && (e.ended == "Error" || e.ended == endsBare && e.prose) && neverMadeOf(e.waits) ||
		e.code == nil && e.ended == "Error" && slices.ContainsFunc(e.events, unmade) {
		e.ended = "" // "fails to start" is said of it, too, and that the pod is restarted
	}
	status, line := object{"name": e.Container}, quoted(e.line)
	ended := object{"message": quoted(cmp.Or(e.own, e.line))}
	if e.code != nil {
		ended["exitCode"] = json.Number(strconv.FormatInt(*e.code, 10))
	}
	switch e.ended {
	case "", endsBare: // a code alone does not give the reason: 137 may have been OOMKilled
	case endsCrash:
		if e.code == nil {
			ended["reason"] = "Error" // the kubelet's word for every code except 0
		}
	default:
		ended["reason"] = e.ended
	}
	if !e.finished.IsZero() {
		ended["finishedAt"] = e.finished.UTC().Format(time.RFC3339)
	}
	if e.waits != "" {
		status["state"] = object{"waiting": object{"reason": e.waits, "message": line}}
	}
	killed := slices.ContainsFunc(e.events, func(v event) bool { return v.reason != "Unhealthy" })
	if e.code != nil || e.ended != "" && (e.ended != endsBare || !killed) || len(e.events) > 0 && !killed {
		status["lastState"] = object{"terminated": ended}
	}
	whole := object{}
	if status["state"] != nil || status["lastState"] != nil {
		list := "containerStatuses"
		if e.init || e.ofInit() || strings.HasPrefix(e.Container, "init-") {
			list = "initContainerStatuses"
		}
		whole[list] = []any{status}
	}
	switch e.failed {
	case "":
	case failsBare:
		whole["phase"] = "Failed"
	default:
		whole["phase"], whole["reason"], whole["message"] = "Failed", e.failed, quoted(e.said)
	}
	at := e.written
	if at.IsZero() {
		at = printed
	}
	if len(whole) > 0 || e.deleted { // events alone describe a pod that is gone
		meta := object{"name": e.Pod, "namespace": e.Namespace, "uid": e.uid()}
		if e.deleted && !at.IsZero() {
			meta["deletionTimestamp"] = at.UTC().Format(time.RFC3339)
		}
		out = podrecord.Append(out, object{"kind": "Pod", "apiVersion": "v1", "metadata": meta,
			"spec": object{"nodeName": e.node}, "status": whole})
	}
	for i, v := range e.events {
		out = podrecord.Append(out, e.event(v, i, at))
	}
	return out
}

// neverMadeOf reports whether a reason of waiting is that of a container that could not be made.
func neverMadeOf(reason string) bool {
	return strings.HasPrefix(reason, "Create") || strings.HasPrefix(reason, "ErrImage") ||
		strings.HasPrefix(reason, "Image") || reason == "InvalidImageName"
}

func (e *end) event(v event, n int, at time.Time) object {
	involved := object{"kind": "Pod", "namespace": e.Namespace, "name": e.Pod, "uid": e.uid()}
	if !slices.Contains(ofPods, v.reason) {
		involved["fieldPath"] = "spec.containers{" + cmp.Or(e.Container, evidence.Unnamed) + "}"
	}
	kind, sender := "Normal", "kubelet"
	switch v.reason {
	case "TaintManagerEviction":
		sender = "taint-eviction-controller"
	case "Evicted":
		sender = "kubectl-drain"
	case "Preempted":
		sender = "default-scheduler"
	}
	if v.reason == "Unhealthy" {
		kind = "Warning"
	}
	out := object{"kind": "Event", "apiVersion": "v1", "type": kind, "reason": v.reason, "message": quoted(v.message),
		"involvedObject": involved, "source": object{"component": sender},
		"metadata": object{"name": e.Pod + "." + strings.ToLower(v.reason) + strconv.Itoa(n), "namespace": e.Namespace}}
	if !at.IsZero() {
		out["firstTimestamp"], out["lastTimestamp"] = at.UTC().Format(time.RFC3339), at.UTC().Format(time.RFC3339)
	}
	return out
}

// About returns the pod that all of a person's texts are about, without anything else; nil if they name neither a pod
// nor a namespace.
func About(n naming.Names) json.RawMessage {
	if n == (naming.Names{}) {
		return nil
	}
	spec, meta := object{}, object{"name": cmp.Or(n.Pod, evidence.Unnamed), "namespace": n.Namespace,
		"uid": evidence.Meant}
	if n.Container != "" {
		spec["containers"] = []any{object{"name": n.Container}}
	}
	return podrecord.Append(nil, object{"kind": "Pod", "apiVersion": "v1", "metadata": meta, "spec": spec,
		"status": object{}})[0]
}
