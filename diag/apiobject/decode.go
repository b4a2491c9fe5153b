package apiobject

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/apijson"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/event"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/readmission"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/tableage"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Caps on input. YAML needs many times its size in memory.
const (
	maxJSON     = 512 << 20
	maxYAML     = 32 << 20
	maxHashes   = 4096 // per container
	maxBadItems = 3    // gaps for items of one file; the rest is only counted
)

// Decode reads a piece back from its files, or makes one from foreign lists of pods, events and nodes. Foreign objects
// are redacted on the way, and hash sees their containers before that; of ReplicaSets and ControllerRevisions only
// hashes are kept. What cannot be read becomes a gap when the piece is observed.
func Decode(files []evidence.File, hash Hasher) *Piece {
	d := decoder{piece: &Piece{}, seen: ImagesSeen{}, made: templates{}, hash: hash, fit: readmission.NewChecker()}
	for _, f := range files {
		if err := d.file(f); err != nil {
			d.gap(f.Path, err)
		}
	}
	d.hashAgain()
	for i := range d.foreign {
		p := &d.foreign[i]
		d.piece.Pods = append(d.piece.Pods, p.pod)
		d.piece.PutHashes(string(p.pod.UID), p.hashes)
	}
	d.fit.Answers(d.piece.Readmit)
	tableage.Date(d.piece.Events, d.piece.Pods)
	d.piece.Sort()
	return d.piece
}

type decoder struct {
	fit     readmission.Checker
	piece   *Piece
	foreign []foreignPod
	made    templates
	hash    Hasher
	seen    ImagesSeen
	past    lineage
}

// foreignPod is a pod that was not redacted in its file. It is redacted at once, because whole pods are many times
// larger; raw is kept only for those whose hashes need what is read after them.
type foreignPod struct {
	pod    *corev1.Pod // redacted
	hashes []ContainerHashes
	raw    json.RawMessage // nil if fields were left out: nothing is hashed then
}

// wide reports whether earlier templates are useful: every revision costs as many hashes again.
func (d *decoder) wide() bool { return d.hash.Near != nil }

// hashAgain computes the hashes of pods about which more is known than when they were read: their earlier templates,
// and images that only events name.
func (d *decoder) hashAgain() {
	if d.hash.Present == nil {
		return
	}
	var again []int
	for i := range d.foreign {
		if d.wide() || d.seenSince(&d.foreign[i]) {
			again = append(again, i)
		}
	}
	some := func(_, from, to int) {
		for _, i := range again[from:to] {
			one := &d.foreign[i]
			var p corev1.Pod
			if apijson.Unmarshal(one.raw, &p) == nil { // as it did before
				one.hashes = HashPod(&p, d.seen, d.past.of(&p), d.hash)
			}
		}
	}
	if d.wide() { // a search may cover only the first few containers
		some(0, 0, len(again))
	} else {
		inParts(len(again), some)
	}
}

// seenSince reports whether an image of the container was seen that is not among its hashes.
func (d *decoder) seenSince(p *foreignPod) (since bool) {
	if len(d.seen) == 0 {
		return false
	}
	for c := range Containers(&p.pod.Spec) {
		for _, s := range d.seen[ContainerKey{p.pod.Namespace, p.pod.Name, c.Name}] {
			since = since || !slices.ContainsFunc(p.hashes, func(h ContainerHashes) bool {
				return h.Container == c.Name &&
					slices.ContainsFunc(h.Hashes, func(x evidence.SpecHash) bool { return x.Image == s.image })
			})
		}
	}
	return since
}

func (d *decoder) gap(where string, err error) {
	d.piece.gaps = append(d.piece.gaps, evidence.Gap{
		Source: evidence.SourceAPI, Why: fmt.Sprintf("read %s: %v", safetext.Ident(where), err),
		Hint: "what it says about pods, events or nodes is missing",
	})
}

func (d *decoder) file(f evidence.File) error {
	isYAML := path.Ext(f.Path) == ".yaml" || path.Ext(f.Path) == ".yml"
	limit := int64(maxJSON)
	if isYAML {
		limit = maxYAML
	}
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	// Hundreds of megabytes: room that is not cleared first, and not copied while it grows.
	read := bytes.NewBuffer(make([]byte, 0, int(max(0, min(f.Size, limit)))+bytes.MinRead))
	if _, err := read.ReadFrom(io.LimitReader(r, limit+1)); err != nil {
		return err
	}
	data := read.Bytes()
	if int64(len(data)) > limit {
		return fmt.Errorf("larger than %d MiB", limit>>20)
	}
	if !isYAML {
		return d.document(f.Path, data)
	}
	for _, doc := range bytes.Split(data, []byte("\n---")) {
		if len(bytes.TrimSpace(doc)) == 0 {
			continue
		}
		converted, err := yaml.YAMLToJSON(doc)
		if err != nil {
			return err
		}
		if err := d.document(f.Path, converted); err != nil {
			return err
		}
	}
	return nil
}

// document reads one list, or a single object. Items before a damaged part count.
func (d *decoder) document(where string, data []byte) error {
	l, err := itemsOf(data)
	if err != nil {
		return err
	}
	itemKind := strings.TrimSuffix(l.Kind, "List") // the items of a PodList have no kind of their own
	if l.Items == nil && !strings.HasSuffix(l.Kind, "List") {
		l.Items = []json.RawMessage{data}
	}
	bad := 0
	for i, one := range parseAll(itemKind, l.Redacted, l.Items, d.keep) {
		err := d.item(one)
		if damaged := (*json.SyntaxError)(nil); errors.As(err, &damaged) {
			return fmt.Errorf("item %d: %w", i, err)
		}
		if err == nil && len(one.left) > 0 {
			err = fmt.Errorf("left out %s: the field cannot have that value", dotted(one.left))
		}
		if err != nil {
			if bad++; bad <= maxBadItems {
				d.gap(where, fmt.Errorf("item %d: %w", i, err))
			}
		}
	}
	if l.Window != nil && l.Redacted { // only for a list that was read to its end
		d.piece.Window = l.Window
	}
	if bad > maxBadItems {
		return fmt.Errorf("%d items cannot be read, or not completely", bad)
	}
	return nil
}

// keep redacts a pod and sets what is kept of it.
func (d *decoder) keep(one *parsed, p *corev1.Pod) {
	one.pod = redact.Pod(p)
	one.object, one.template, one.demand = one.pod, d.made.key(one.pod), readmission.DemandOf(p)
	if !d.wide() && one.hashable() {
		one.hashes = HashPod(p, d.seen, nil, d.hash)
	}
}

// item adds one parsed object to the piece.
func (d *decoder) item(one parsed) error {
	if one.err != nil {
		return one.err
	}
	switch v := one.object.(type) {
	case *corev1.Pod:
		if one.redacted {
			d.piece.Pods = append(d.piece.Pods, v)
		} else {
			d.made.share(one.pod, one.template)
			if one.hashable() {
				d.fit.Pod(one.demand)
			} else {
				one.raw = nil
			}
			d.foreign = append(d.foreign, foreignPod{one.pod, one.hashes, one.raw})
		}
	case *corev1.Event:
		d.piece.Events = append(d.piece.Events, v)
		if o := &v.InvolvedObject; d.hash.Present != nil {
			d.seen.Add(o.Namespace, o.Name, kubeletmsg.ContainerOf(o.FieldPath),
				kubeletmsg.ParseImage(event.PlainMessage(v)), "an event")
		}
	case *corev1.Node:
		if !one.redacted && len(one.left) == 0 { // whose taints and labels are all known
			d.fit.Node(v)
		}
		d.piece.Nodes = append(d.piece.Nodes, redact.Node(v))
	default:
		return d.other(one.kind, one.raw)
	}
	return nil
}

// other reads kinds that are rare or that are our own.
func (d *decoder) other(kind string, raw json.RawMessage) error {
	switch kind {
	case readmission.ReadmissionKind:
		var r readmission.PodReadmission
		if err := json.Unmarshal(raw, &r); err != nil {
			return err
		}
		d.piece.Readmit(r)
	case "ReplicaSet", "Job", "ControllerRevision":
		if of, ok := TypesOfOwners[kind]; ok {
			var m metav1.PartialObjectMetadata
			if err := json.Unmarshal(raw, &m); err != nil {
				return err
			}
			d.piece.PutOwner(redact.Owner(of, &m.ObjectMeta))
		}
		if e := overdue(raw); kind == "Job" && e != nil {
			d.piece.Events = append(d.piece.Events, e)
		}
		if d.wide() && kind != "Job" {
			return d.past.add(kind, raw)
		}
	case hashesKind:
		var h ContainerHashes
		if err := json.Unmarshal(raw, &h); err != nil {
			return err
		}
		if len(h.Hashes) > maxHashes {
			return fmt.Errorf("%d hashes of one container", len(h.Hashes))
		}
		d.piece.PutHashes(h.PodUID, append(d.piece.Hashes[h.PodUID], h))
	}
	return nil // a list may hold other kinds; they are irrelevant to restarts
}
