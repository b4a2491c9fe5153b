package apiserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Caps on what is read back. YAML costs many times its size in memory.
const (
	maxJSON     = 512 << 20
	maxYAML     = 32 << 20
	sniffed     = 64 << 10
	maxHashes   = 4096 // of one container
	maxBadItems = 3    // gaps for items of one file; more are counted
)

var kindsSniffed = regexp.MustCompile(`(?m)"?kind"?\s*:\s*"?(List|PodList|EventList|NodeList|Pod|Event|Node|` + hashesKind + `|` + readmissionKind + `)"?\s*(?:[,}\r\n]|$)`)

// Recognises tells whether Decode can read something from the file: one of a
// piece's own files, or what `kubectl get pods,events,nodes -o json|yaml` wrote.
func Recognises(f evidence.File) bool {
	switch path.Ext(f.Path) {
	case ".json", ".yaml", ".yml":
	default:
		return false
	}
	r, err := f.Open()
	if err != nil {
		return false
	}
	defer r.Close()
	head := make([]byte, sniffed)
	n, _ := io.ReadFull(r, head)
	return kindsSniffed.Match(head[:n])
}

// Decode reads a piece back from its files, or makes one of foreign lists of
// pods, events and nodes. Foreign objects are redacted on the way, and hash sees
// their containers before that; of ReplicaSets and ControllerRevisions nothing but
// hashes is kept. What cannot be read becomes a gap when the piece is observed.
func Decode(files []evidence.File, hash Hasher) *Piece {
	d := decoder{piece: &Piece{}, seen: imagesSeen{}, wide: hash.Near != nil, door: newDoor()}
	for _, f := range files {
		if err := d.file(f); err != nil {
			d.gap(f.Path, err)
		}
	}
	for _, p := range d.foreign {
		d.door.pod(p)
		d.piece.putHashes(string(p.UID), hashPod(p, d.seen, d.past.of(p), hash))
		d.piece.pods = append(d.piece.pods, redact.Pod(p))
	}
	d.door.compare(d.piece)
	d.piece.sort()
	return d.piece
}

type decoder struct {
	door    door
	piece   *Piece
	foreign []*corev1.Pod // not redacted yet: they wait for the images of the events
	seen    imagesSeen
	past    lineage
	wide    bool // earlier templates are of use: every revision costs as many hashes again
}

func (d *decoder) gap(where string, err error) {
	d.piece.gaps = append(d.piece.gaps, evidence.Gap{
		Source: evidence.SourceAPI, Why: fmt.Sprintf("read %s: %v", safetext.Ident(where), err), Hint: "what it says about pods, events or nodes is missing",
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
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return err
	}
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

// document reads one list, or one object alone.
func (d *decoder) document(where string, data []byte) error {
	var l list
	if err := json.Unmarshal(data, &l); err != nil {
		return err
	}
	if l.Window != nil && l.Redacted {
		d.piece.window = l.Window
	}
	itemKind := strings.TrimSuffix(l.Kind, "List") // PodList holds pods that do not say so
	if l.Items == nil && l.Kind != "List" {
		l.Items = []json.RawMessage{data}
	}
	bad := 0
	for i, raw := range l.Items {
		if err := d.item(itemKind, l.Redacted, raw); err != nil {
			if bad++; bad <= maxBadItems {
				d.gap(where, fmt.Errorf("item %d: %w", i, err))
			}
		}
	}
	if bad > maxBadItems {
		return fmt.Errorf("%d items cannot be read", bad)
	}
	return nil
}

func (d *decoder) item(kind string, redacted bool, raw json.RawMessage) error {
	if kind == "" {
		var typed struct {
			Kind string `json:"kind"`
		}
		if err := json.Unmarshal(raw, &typed); err != nil {
			return err
		}
		kind = typed.Kind
	}
	if err := checkQuantities(raw); err != nil {
		return err
	}
	switch kind {
	case "Pod":
		var p corev1.Pod
		if err := json.Unmarshal(raw, &p); err != nil {
			return err
		}
		if redacted {
			d.piece.pods = append(d.piece.pods, redact.Pod(&p))
		} else {
			d.foreign = append(d.foreign, &p)
		}
	case "Event":
		e, err := decodeEvent(raw)
		if err != nil {
			return err
		}
		kept := redact.Event(e)
		d.piece.events = append(d.piece.events, kept)
		d.seen.add(e.InvolvedObject.Namespace, e.InvolvedObject.Name, containerOf(e.InvolvedObject.FieldPath), kubeletmsg.ParseImage(plainMessage(kept)), "an event")
	case "Node":
		var n corev1.Node
		if err := json.Unmarshal(raw, &n); err != nil {
			return err
		}
		if !redacted {
			d.door.node(&n)
		}
		d.piece.nodes = append(d.piece.nodes, redact.Node(&n))
	case readmissionKind:
		var r PodReadmission
		if err := json.Unmarshal(raw, &r); err != nil {
			return err
		}
		d.piece.readmit(r)
	case "ReplicaSet", "ControllerRevision":
		if d.wide {
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
		d.piece.putHashes(h.PodUID, append(d.piece.hashes[h.PodUID], h))
	}
	return nil // a list may hold other kinds; they say nothing about restarts
}
