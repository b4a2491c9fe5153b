package apiobject

import (
	"encoding/json"
	"fmt"
	"iter"
	"regexp"
	"runtime"
	"sync"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/apijson"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/event"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/quantity"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/readmission"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/tableage"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
)

// parsed is one item of a list. object is set for the kinds that make up large lists: a pod, redacted; an event,
// redacted; a node, unchanged. It is nil for other kinds. pod is a pod that was not redacted in the list, with what is
// needed of it as it was.
type parsed struct {
	kind     string
	redacted bool
	object   any
	pod      *corev1.Pod
	template string
	demand   readmission.Demand
	hashes   []ContainerHashes
	raw      json.RawMessage
	left     []string // JSON pointers of fields that were left out, because their values are none that these can have
	err      error
}

// atOnce is how many items are decoded before they are consumed.
const atOnce = 1024

// parseAll decodes items in order, on all processors: it is most of the work of an analysis, and items are independent.
// keep is called for each pod that is not redacted, from several goroutines. It redacts it, and must not keep it: whole
// pods are large, and the next one takes its place.
func parseAll(kind string, redacted bool, items []json.RawMessage,
	keep func(*parsed, *corev1.Pod)) iter.Seq2[int, parsed] {
	return func(yield func(int, parsed) bool) {
		out := make([]parsed, min(atOnce, len(items)))
		for at := 0; at < len(items); at += len(out) {
			out = out[:min(len(out), len(items)-at)]
			inParts(len(out), func(_, from, to int) {
				guess, room := headKind(items[at+from]), &corev1.Pod{}
				for i := from; i < to; i++ {
					one := &out[i]
					*one = parse(kind, guess, redacted, items[at+i], room)
					if p, ok := one.object.(*corev1.Pod); ok && !redacted {
						keep(one, p)
					}
					guess = one.kind
				}
			})
			for i := range out {
				if !yield(at+i, out[i]) {
					return
				}
				out[i] = parsed{}
			}
		}
	}
}

// inParts splits n items over all processors: each is called with its own index, below GOMAXPROCS, and a range. A panic
// in a part is raised again here, where a caller may recover it.
func inParts(n int, each func(part, from, to int)) {
	step := (n + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	var broken atomic.Value
	for part := 0; part*step < n; part++ {
		wg.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					broken.Store(fmt.Errorf("%v", p))
				}
			}()
			each(part, part*step, min((part+1)*step, n))
		})
	}
	wg.Wait()
	if p := broken.Load(); p != nil {
		panic(p)
	}
}

var kindAhead = regexp.MustCompile(`^\s*\{(?:\s*"apiVersion"\s*:\s*"[\w./]*"\s*,)?\s*"kind"\s*:\s*"(\w+)"`)

// headKind returns the kind of an object that starts with it, as nearly all do: searching for it costs as much as
// reading the object, and one pod may be all there is.
func headKind(raw json.RawMessage) string {
	if m := kindAhead.FindSubmatch(raw[:min(len(raw), 256)]); m != nil {
		return string(m[1])
	}
	return ""
}

// parse decodes one item. kind is what the list says about all its items; guess, where it does not, is the kind of the
// item before: a wrong guess is noticed. room is for a pod.
func parse(kind, guess string, redacted bool, raw json.RawMessage, room *corev1.Pod) parsed {
	one := parsed{kind: kind, redacted: redacted, raw: raw}
	if one.err = quantity.Check(raw); one.err != nil {
		return one
	}
	if kind == "" {
		object, itself, err := decodeAs(guess, raw, room)
		if err == nil && object != nil && itself == guess {
			one.kind, one.object = guess, whatIsKept(object, redacted)
			return one
		}
		var typed struct {
			Kind string `json:"kind"`
		}
		if one.err = json.Unmarshal(raw, &typed); one.err != nil {
			return one
		}
		one.kind = typed.Kind
	}
	object, _, err := decodeAs(one.kind, raw, room)
	if err != nil {
		object, err = one.mend(err)
	}
	if one.err = err; err == nil {
		one.object = whatIsKept(object, redacted)
	}
	return one
}

// decodeAs decodes an object of a kind, and returns the kind that it states; nil for kinds that are read elsewhere.
func decodeAs(kind string, raw json.RawMessage, room *corev1.Pod) (object any, itself string, err error) {
	switch kind {
	case "Pod":
		*room = corev1.Pod{}
		err = apijson.Unmarshal(raw, room)
		return room, room.Kind, err
	case "Event":
		e, err := event.DecodeEvent(raw)
		if err != nil {
			return nil, "", err
		}
		return e, e.Kind, nil
	case "Node":
		var n corev1.Node
		err = apijson.Unmarshal(raw, &n)
		return &n, n.Kind, err
	}
	return nil, "", nil
}

// whatIsKept is the part of an object that is kept. Whole pods and nodes are needed until they are consumed.
func whatIsKept(object any, redacted bool) any {
	switch o := object.(type) {
	case *corev1.Pod:
		if redacted {
			return redact.Pod(o)
		}
	case *corev1.Event:
		kept := redact.Event(o)
		tableage.Keep(kept, o)
		return kept
	}
	return object
}
