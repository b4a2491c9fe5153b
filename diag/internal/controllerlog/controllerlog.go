package controllerlog

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/event"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Parser reads the lines of one log in order: some controllers name the namespace of a pod a line before they evict
// it. The zero value is ready.
type Parser struct {
	spaces map[string]string // by pod
}

// maxSpaces bounds what is kept of such lines.
const maxSpaces = 10_000

// line is one message behind klog's header.
type line struct {
	text   string
	values klogline.Values
}

// end is what a line tells of a pod.
type end struct {
	namespace, pod, uid string
	fact                evidence.Fact
}

// Knows tells at a glance whether a message may say something. It allocates nothing.
func Knows(header klogline.Header, text string) bool {
	_, ok := find(header.File, text)
	return ok
}

// Add reads one entry. Emitted observations have Time, Subject, Fact and Text, and hold on to nothing of the entry.
func (p *Parser) Add(e *evidence.Entry, emit func(evidence.Observation)) {
	h, text, ok := klogline.ParseHeader(e.Message)
	if !ok {
		return
	}
	r, ok := find(h.File, text)
	if !ok {
		return
	}
	text = strings.Clone(text)
	l := line{text: text}
	if quoted(text) {
		_, rest, _ := klogline.QuotedPrefix(text)
		l.values = klogline.ParseValues(nil, rest)
	}
	for _, said := range r.read(&l) {
		if said.fact == nil { // only its names
			p.note(said)
			continue
		}
		if said.namespace == "" {
			said.namespace = p.spaces[said.pod]
		}
		if said.pod == "" || said.namespace == "" {
			continue
		}
		emit(evidence.Observation{Time: e.Time, Fact: said.fact, Text: safetext.Clean(text),
			Subject: evidence.Subject{Namespace: said.namespace, Pod: said.pod, PodUID: said.uid}})
	}
}

func (p *Parser) note(said end) {
	if p.spaces == nil {
		p.spaces = map[string]string{}
	}
	if len(p.spaces) < maxSpaces {
		p.spaces[said.pod] = said.namespace
	}
}

func quoted(text string) bool { return strings.HasPrefix(text, `"`) }

// find is the rule of a message.
func find(file, text string) (*rule, bool) {
	if text == "" {
		return nil, false
	}
	for i := range rules {
		r := &rules[i]
		if text[0] == r.begins[0] && strings.HasPrefix(text, r.begins) && (r.file == "" || r.file == file) {
			return r, true
		}
	}
	return nil, false
}

// pod reads a reference to one: "ns/name", since the first garbage collector also "ns:name".
func pod(ref string) end {
	ref = strings.TrimRight(strings.TrimSpace(ref), `".,`)
	ns, name, ok := strings.Cut(strings.Replace(ref, ":", "/", 1), "/")
	if !ok {
		ns, name = "", ref
	}
	if strings.ContainsAny(name, " /") {
		return end{}
	}
	return end{namespace: safetext.Ident(ns), pod: safetext.Ident(name)}
}

// evicted is an end of which only whose pod it is has to be read.
func evicted(reason, key string) func(*line) []end {
	return func(l *line) []end {
		said := pod(l.values.Get(key))
		said.fact = evidence.PodEvicted{Reason: reason}
		return []end{said}
	}
}

// printed is the same of a line that is no structured one: the pod stands behind its beginning.
func printed(reason, begins string) func(*line) []end {
	return func(l *line) []end {
		name, _, _ := strings.Cut(strings.TrimPrefix(l.text, begins), " ")
		said := pod(strings.TrimPrefix(name, `"`))
		said.fact = evidence.PodEvicted{Reason: reason}
		return []end{said}
	}
}

// accepted: pod accepted for update ns/name with priority 1.5
func accepted(l *line) []end {
	name, _, _ := strings.Cut(strings.TrimPrefix(l.text, "pod accepted for update "), " ")
	if said := pod(name); said.namespace != "" {
		return []end{said}
	}
	return nil
}

// descheduled: Evicted pod: "name" in namespace "ns" (LowNodeUtilization)
func descheduled(l *line) []end {
	name, rest, ok := klogline.QuotedPrefix(strings.TrimPrefix(l.text, "Evicted pod: "))
	if !ok {
		return nil
	}
	ns, _, ok := klogline.QuotedPrefix(strings.TrimPrefix(rest, " in namespace "))
	if !ok {
		return nil // the strategy repeats what its evictor said
	}
	return []end{{namespace: safetext.Ident(ns), pod: safetext.Ident(name),
		fact: evidence.PodEvicted{Reason: "Descheduled"}}}
}

// scaledDown: Scale-down: removing node n, utilization: {…}, pods to reschedule: ns/a,ns/b
func scaledDown(l *line) (all []end) {
	_, list, ok := strings.Cut(l.text, "pods to reschedule: ")
	if quoted(l.text) {
		list, ok = l.values.Get("podsToReschedule"), true
	}
	if !ok {
		return nil
	}
	for name := range strings.SplitSeq(list, ",") {
		if said := pod(name); said.namespace != "" {
			said.fact = evidence.PodEvicted{Reason: "ScaleDown",
				Message: safetext.Clean("deleting pod for node scale down")}
			all = append(all, said)
		}
	}
	return all
}

// deleting: "Deleting pod" controller="taint-eviction-controller" pod="ns/name": every controller that owns pods
// deletes them with these words.
func deleting(l *line) []end {
	said := pod(l.values.Get("pod"))
	said.fact = evidence.PodDeleted{GraceSeconds: -1}
	if l.values.Get("controller") == "taint-eviction-controller" {
		said.fact = evidence.PodEvicted{Reason: "TaintManagerEviction"}
	}
	return []end{said}
}

// collected: "Deleting item" logger="…" item="[v1/Pod, namespace: ns, name: n, uid: u]" propagationPolicy="Background"
func collected(l *line) []end {
	item, ok := strings.CutPrefix(strings.TrimSuffix(l.values.Get("item"), "]"), "[v1/Pod, namespace: ")
	ns, rest, named := strings.Cut(item, ", name: ")
	name, uid, whole := strings.Cut(rest, ", uid: ")
	if !ok || !named || !whole {
		return nil
	}
	return []end{{namespace: safetext.Ident(ns), pod: safetext.Ident(name), uid: safetext.Ident(uid),
		fact: evidence.PodDeleted{GraceSeconds: -1}}}
}

// recorded reads the events that a recorder writes into the log of its program too: those by which a controller ends
// a pod.
func recorded(l *line) []end {
	e, ok := kubeletmsg.ParseEvent(l.text)
	if quoted(l.text) {
		at := pod(l.values.Get("object"))
		ok = l.values.Get("kind") == "Pod"
		e = kubeletmsg.EventLine{Namespace: at.namespace, Pod: at.pod,
			Reason: l.values.Get("reason"), Message: l.values.Get("message")}
	}
	if !ok || e.Reason == "Evicted" && e.Message != "Evicted pod" { // the kubelet's own, but for Karpenter's
		return nil
	}
	fact, ends := event.FactOf(&corev1.Event{Reason: e.Reason, Message: e.Message,
		InvolvedObject: corev1.ObjectReference{Kind: "Pod"},
		Source:         corev1.EventSource{Component: "controller"}}).(evidence.PodEvicted)
	if !ends {
		return nil
	}
	return []end{{namespace: safetext.Ident(e.Namespace), pod: safetext.Ident(e.Pod), uid: safetext.Ident(e.UID),
		fact: fact}}
}
