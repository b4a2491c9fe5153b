package apiobject

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/event"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/readmission"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Caps on what is read back. YAML costs many times its size in memory.
const (
	maxJSON     = 512 << 20
	maxYAML     = 32 << 20
	maxHashes   = 4096 // of one container
	maxBadItems = 3    // gaps for items of one file; more are counted
)

// Decode reads a piece back from its files, or makes one of foreign lists of
// pods, events and nodes. Foreign objects are redacted on the way, and hash sees
// their containers before that; of ReplicaSets and ControllerRevisions nothing but
// hashes is kept. What cannot be read becomes a gap when the piece is observed.
func Decode(files []evidence.File, hash Hasher) *Piece {
	d := decoder{piece: &Piece{}, seen: ImagesSeen{}, wide: hash.Near != nil, fit: readmission.NewChecker()}
	for _, f := range files {
		if err := d.file(f); err != nil {
			d.gap(f.Path, err)
		}
	}
	d.redact(hash)
	d.fit.Answers(d.piece.Readmit)
	d.piece.dateTables()
	d.piece.Sort()
	return d.piece
}

// redact takes up the pods that were not redacted yet. Of each its hashes are computed before that, which takes as
// long as reading it.
func (d *decoder) redact(hash Hasher) {
	hashes := make([][]ContainerHashes, len(d.foreign))
	redacted := make([]*corev1.Pod, len(d.foreign))
	some := func(_, from, to int) {
		for i := from; i < to; i++ {
			p := d.foreign[i]
			hashes[i], redacted[i] = HashPod(p, d.seen, d.past.of(p), hash), redact.Pod(p)
		}
	}
	if d.wide { // a search may be for the first few containers only
		some(0, 0, len(d.foreign))
	} else {
		inParts(len(d.foreign), some)
	}
	for i, p := range d.foreign {
		d.fit.Pod(p)
		d.piece.PutHashes(string(p.UID), hashes[i])
	}
	d.piece.Pods, d.foreign = append(d.piece.Pods, redacted...), nil
}

type decoder struct {
	fit     readmission.Checker
	piece   *Piece
	foreign []*corev1.Pod // not redacted yet: they wait for the images of the events
	seen    ImagesSeen
	past    lineage
	wide    bool // earlier templates are of use: every revision costs as many hashes again
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
	var read bytes.Buffer
	// hundreds of megabytes, which are not to be copied on the way
	read.Grow(int(max(0, min(f.Size, limit))) + bytes.MinRead)
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

// document reads one list, or one object alone. What stands before damage counts.
func (d *decoder) document(where string, data []byte) error {
	l, err := itemsOf(data)
	if err != nil {
		return err
	}
	itemKind := strings.TrimSuffix(l.Kind, "List") // PodList holds pods that do not say so
	if l.Items == nil && !strings.HasSuffix(l.Kind, "List") {
		l.Items = []json.RawMessage{data}
	}
	bad := 0
	for i, one := range parseAll(itemKind, l.Redacted, l.Items) {
		err := d.item(one)
		if damaged := (*json.SyntaxError)(nil); errors.As(err, &damaged) {
			return fmt.Errorf("item %d: %w", i, err)
		}
		if err != nil {
			if bad++; bad <= maxBadItems {
				d.gap(where, fmt.Errorf("item %d: %w", i, err))
			}
		}
	}
	if l.Window != nil && l.Redacted { // only of a list that was read to its end
		d.piece.Window = l.Window
	}
	if bad > maxBadItems {
		return fmt.Errorf("%d items cannot be read", bad)
	}
	return nil
}

// item takes up what was read.
func (d *decoder) item(one parsed) error {
	if one.err != nil {
		return one.err
	}
	switch v := one.object.(type) {
	case *corev1.Pod:
		if one.redacted {
			d.piece.Pods = append(d.piece.Pods, v)
		} else {
			d.foreign = append(d.foreign, v)
		}
	case *corev1.Event:
		d.piece.Events = append(d.piece.Events, v)
		o := &v.InvolvedObject
		d.seen.Add(o.Namespace, o.Name, event.ContainerOf(o.FieldPath),
			kubeletmsg.ParseImage(event.PlainMessage(v)), "an event")
	case *corev1.Node:
		if !one.redacted {
			d.fit.Node(v)
		}
		d.piece.Nodes = append(d.piece.Nodes, redact.Node(v))
	default:
		return d.other(one.kind, one.raw)
	}
	return nil
}

// other reads the kinds of which there are few, or that are ours.
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
		if d.wide && kind != "Job" {
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
	return nil // a list may hold other kinds; they say nothing about restarts
}
