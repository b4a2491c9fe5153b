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

// Parser reads the lines of one log in order: some controllers log the namespace of a pod one line before they evict
// it. The zero value is ready to use.
type Parser struct {
	spaces map[string]string // by pod
}

// maxSpaces limits how many such namespaces are kept.
const maxSpaces = 10_000

// line is one message, without klog's header.
type line struct {
	text   string
	values klogline.Values
}

// end is what a line says about a pod.
type end struct {
	namespace, pod, uid string
	fact                evidence.Fact
}

// Knows reports quickly whether a message may be relevant. It does not allocate.
func Knows(header klogline.Header, text string) bool {
	_, ok := find(header.File, text)
	return ok
}

// Add reads one entry. Emitted observations have Time, Subject, Fact and Text, and keep no reference to the entry.
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
		if said.fact == nil { // only names the pod
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

// find returns the rule for a message.
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

// pod parses a reference to a pod: "ns/name", since the first garbage collector also "ns:name".
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

// evicted returns a reader for lines that only need the pod's name.
func evicted(reason, key string) func(*line) []end {
	return func(l *line) []end {
		said := pod(l.values.Get(key))
		said.fact = evidence.PodEvicted{Reason: reason}
		return []end{said}
	}
}

// printed does the same for unstructured lines: the pod follows the prefix.
func printed(reason, begins string) func(*line) []end {
	return func(l *line) []end {
		name, _, _ := strings.Cut(strings.TrimPrefix(l.text, begins), " ")
		said := pod(strings.TrimPrefix(name, `"`))
		said.fact = evidence.PodEvicted{Reason: reason}
		return []end{said}
	}
}

// accepted reads: pod accepted for update ns/name with priority 1.5
func accepted(l *line) []end {
	name, _, _ := strings.Cut(strings.TrimPrefix(l.text, "pod accepted for update "), " ")
	if said := pod(name); said.namespace != "" {
		return []end{said}
	}
	return nil
}

// descheduled reads: Evicted pod: "name" in namespace "ns" (LowNodeUtilization)
func descheduled(l *line) []end {
	name, rest, ok := klogline.QuotedPrefix(strings.TrimPrefix(l.text, "Evicted pod: "))
	if !ok {
		return nil
	}
	ns, _, ok := klogline.QuotedPrefix(strings.TrimPrefix(rest, " in namespace "))
	if !ok {
		return nil // the strategy repeats its evictor's line
	}
	return []end{{namespace: safetext.Ident(ns), pod: safetext.Ident(name),
		fact: evidence.PodEvicted{Reason: "Descheduled"}}}
}

// scaledDown reads: Scale-down: removing node n, utilization: {…}, pods to reschedule: ns/a,ns/b
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

// deleting reads: "Deleting pod" controller="taint-eviction-controller" pod="ns/name". Every controller that owns pods
// logs their deletion with this message.
func deleting(l *line) []end {
	said := pod(l.values.Get("pod"))
	said.fact = evidence.PodDeleted{GraceSeconds: -1}
	if l.values.Get("controller") == "taint-eviction-controller" {
		said.fact = evidence.PodEvicted{Reason: "TaintManagerEviction"}
	}
	return []end{said}
}

// collected reads: "Deleting item" logger="…" item="[v1/Pod, namespace: ns, name: n, uid: u]"
// propagationPolicy="Background"
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

// recorded reads events that a recorder also writes to its program's log, if a controller ends a pod with them.
func recorded(l *line) []end {
	e, ok := kubeletmsg.ParseEvent(l.text)
	if quoted(l.text) {
		at := pod(l.values.Get("object"))
		ok = l.values.Get("kind") == "Pod"
		e = kubeletmsg.EventLine{Namespace: at.namespace, Pod: at.pod,
			Reason: l.values.Get("reason"), Message: l.values.Get("message")}
	}
	if !ok || e.Reason == "Evicted" && e.Message != "Evicted pod" { // the kubelet's own, except Karpenter's
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
