package apiserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// The files of a piece, as a bundle stores them.
const (
	podsPath   = "cluster/pods.json"
	eventsPath = "cluster/events.json"
	nodesPath  = "cluster/nodes.json"
	hashesPath = "cluster/spechashes.json"
	ownersPath = "cluster/owners.json"
	hashesKind = "SpecHashes"

	readmissionPath = "cluster/readmission.json"
)

// Piece is what the API server said, redacted. It implements evidence.RawEvidence.
type Piece struct {
	pods   []*corev1.Pod
	quiet  int // pods that are not among them: nothing ended in them
	events []*corev1.Event
	nodes  []*corev1.Node
	hashes map[string][]ContainerHashes // by pod UID
	owners owners
	// readmissions are by pod UID.
	readmissions map[string]PodReadmission
	// window is nil when the events are not known to be complete.
	window *window
	// gaps are files that could not be read back.
	gaps []evidence.Gap
}

// ContainerHashes are the hashes of one container's spec, one entry of
// cluster/spechashes.json.
type ContainerHashes struct {
	PodUID    string              `json:"podUID"`
	Namespace string              `json:"namespace"`
	Pod       string              `json:"pod"`
	Container string              `json:"container"`
	Hashes    []evidence.SpecHash `json:"hashes"`
}

// Len is how many objects it has.
func (p *Piece) Len() int { return len(p.pods) + len(p.events) + len(p.nodes) }

// Quiet is how many pods were read, and not kept: nothing ended in them.
func (p *Piece) Quiet() int { return p.quiet }

func (p *Piece) empty() bool { return p.Len() == 0 }

func (p *Piece) putHashes(podUID string, h []ContainerHashes) {
	if p.hashes == nil {
		p.hashes = map[string][]ContainerHashes{}
	}
	if len(h) > 0 {
		p.hashes[podUID] = h
	}
}

func (p *Piece) putOwner(o *metav1.PartialObjectMetadata) {
	if p.owners == nil {
		p.owners = owners{}
	}
	p.owners.add(o)
}

// AddHashes adds hashes to those of a container that were collected: of images that
// only another source told. A container that is not known is left out, and so is what
// would be too much to read back.
func (p *Piece) AddHashes(podUID, container string, more []evidence.SpecHash) {
	of := p.hashes[podUID]
	for i := range of {
		if have := &of[i].Hashes; of[i].Container == container && len(*have)+len(more) <= maxHashes {
			*have = append(*have, more...)
			return
		}
	}
}

// sort gives everything an order that does not depend on who answered first,
// and drops events that a list brought twice.
func (p *Piece) sort() {
	slices.SortStableFunc(p.pods, func(a, b *corev1.Pod) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), cmp.Compare(a.UID, b.UID))
	})
	slices.SortStableFunc(p.nodes, func(a, b *corev1.Node) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortStableFunc(p.events, func(a, b *corev1.Event) int {
		return cmp.Or(lastTime(a).Compare(lastTime(b)), cmp.Compare(a.Namespace, b.Namespace),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.Message, b.Message))
	})
	p.events = slices.CompactFunc(p.events, func(a, b *corev1.Event) bool {
		return a.Name != "" && a.Name == b.Name && a.Namespace == b.Namespace && a.UID == b.UID &&
			(a.UID != "" || a.Message == b.Message && a.InvolvedObject.FieldPath == b.InvolvedObject.FieldPath)
	})
}

// Files are Kubernetes lists that kubectl can read, one object a line, the hashes,
// and how pods compare with their nodes. The same objects give the same bytes.
func (p *Piece) Files() []evidence.File {
	pods, events, nodes := list{Redacted: true}, list{Redacted: true, Window: p.window}, list{Redacted: true}
	for _, o := range p.pods {
		typed := *o
		typed.TypeMeta = metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}
		pods.add(&typed)
	}
	for _, o := range p.events {
		typed := *o
		typed.TypeMeta = metav1.TypeMeta{Kind: "Event", APIVersion: "v1"}
		events.add(&typed)
	}
	for _, o := range p.nodes {
		typed := *o
		typed.TypeMeta = metav1.TypeMeta{Kind: "Node", APIVersion: "v1"}
		nodes.add(&typed)
	}
	hashes := list{Kind: hashesKind}
	readmissions := list{Kind: readmissionKind}
	for _, o := range p.pods {
		if r, ok := p.readmissions[string(o.UID)]; ok {
			readmissions.add(&r)
		}
		for i := range p.hashes[string(o.UID)] {
			hashes.add(&p.hashes[string(o.UID)][i])
		}
	}
	files := []evidence.File{
		evidence.Bytes(podsPath, pods.encode()), evidence.Bytes(eventsPath, events.encode()),
		evidence.Bytes(nodesPath, nodes.encode()), evidence.Bytes(hashesPath, hashes.encode()),
	}
	if len(p.owners) > 0 {
		files = append(files, evidence.Bytes(ownersPath, p.owners.list().encode()))
	}
	if len(readmissions.Items) > 0 {
		files = append(files, evidence.Bytes(readmissionPath, readmissions.encode()))
	}
	return files
}

// list is a Kubernetes List with what only our own files have: a mark that it
// is redacted, and the window of the events.
type list struct {
	Kind       string            `json:"kind"`
	APIVersion string            `json:"apiVersion,omitempty"`
	Redacted   bool              `json:"redacted,omitempty"`
	Window     *window           `json:"window,omitempty"`
	Items      []json.RawMessage `json:"items"`
}

// add leaves out an object that cannot be encoded: of these types none can fail.
func (l *list) add(object any) {
	if raw, err := json.Marshal(object); err == nil {
		l.Items = append(l.Items, raw)
	}
}

// encode writes head and items by hand, so that every item has its own line.
func (l *list) encode() []byte {
	items := l.Items
	l.Items = nil
	if l.Kind == "" {
		l.Kind, l.APIVersion = "List", "v1"
	}
	head, err := json.Marshal(l)
	if err != nil {
		return nil
	}
	var b bytes.Buffer
	b.Write(bytes.TrimSuffix(head, []byte("null}")))
	b.WriteString("[")
	for i, item := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.Write(item)
	}
	b.WriteString("\n]}\n")
	return b.Bytes()
}
