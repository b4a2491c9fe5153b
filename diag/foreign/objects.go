package foreign

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podrecord"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/spool"
)

// objects collects a file's pods, events and nodes in one list. If a watch shows several states of a pod or node, the
// newest counts.
type objects struct {
	out    *spool.Buffer
	states map[string]state // by kind and UID
	order  []string
	held   int // bytes
	left   int // objects beyond the limit
}

// maxObjects is how many bytes of objects are held in memory, and read from one file.
const maxObjects = 512 << 20

// state is one version of an object.
type state struct {
	version uint64
	raw     []byte
}

func (o *objects) add(kind string, raw []byte) {
	var known struct {
		Kind, APIVersion string
		Regarding        json.RawMessage
		Metadata         struct{ UID, Namespace, Name, ResourceVersion string }
	}
	if json.Unmarshal(raw, &known) != nil {
		return
	}
	if kind == "" {
		kind = known.Kind
	}
	typed := append([]byte(nil), raw...)
	if known.Kind == "" {
		if kind == "Event" { // the API server's have a kind
			raw = podrecord.Stored(kind, raw)
		}
		version := "v1"
		if known.Regarding != nil {
			version = "events.k8s.io/v1"
		}
		typed = append([]byte(`{"kind":"`+kind+`","apiVersion":"`+version+`",`), raw[1:]...)
	}
	m := &known.Metadata
	version, _ := strconv.ParseUint(m.ResourceVersion, 10, 64)
	key := kind + "/" + m.UID
	if m.UID == "" {
		key = kind + "/" + m.Namespace + "/" + m.Name + "/" + m.ResourceVersion
		if kind == "Event" && m.ResourceVersion == "" { // a table row: its made-up name may occur twice
			key += "/" + string(raw)
		}
	}
	if o.states == nil {
		o.states = map[string]state{}
	}
	have, seen := o.states[key]
	if seen && version < have.version {
		return
	}
	if o.held+len(typed)-len(have.raw) > maxObjects {
		o.left++
		return
	}
	if !seen {
		o.order = append(o.order, key)
	}
	o.held += len(typed) - len(have.raw)
	o.states[key] = state{version, typed}
}

// file returns the list; false if it is empty.
func (o *objects) file(path string) (evidence.File, bool) {
	if len(o.order) == 0 {
		return evidence.File{}, false
	}
	o.out = spool.New(math.MaxInt64)
	o.out.Add([]byte(`{"kind":"List","apiVersion":"v1","items":[`))
	for i, key := range o.order {
		if i > 0 {
			o.out.Add([]byte(","))
		}
		o.out.Add([]byte("\n"))
		o.out.Add(o.states[key].raw)
	}
	o.out.Add([]byte("\n]}\n"))
	o.states, o.order = nil, nil
	return o.out.File(path), true
}
