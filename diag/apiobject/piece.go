package apiobject

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/event"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/readmission"
)

// The paths of a piece's files in a bundle.
const (
	podsPath   = "cluster/pods.json"
	eventsPath = "cluster/events.json"
	nodesPath  = "cluster/nodes.json"
	hashesPath = "cluster/spechashes.json"
	ownersPath = "cluster/owners.json"
	hashesKind = "SpecHashes"

	ReadmissionPath = "cluster/readmission.json"
)

// Piece holds the API server's objects, redacted. It implements evidence.RawEvidence.
type Piece struct {
	Pods       []*corev1.Pod
	Uneventful int // how many pods were left out: nothing ended in them
	Events     []*corev1.Event
	Nodes      []*corev1.Node
	Hashes     map[string][]ContainerHashes // by pod UID
	Owners     owners
	// readmissions are by pod UID.
	readmissions map[string]readmission.PodReadmission
	// Window is nil when the events are not known to be complete.
	Window *EventReach
	// gaps are for files that could not be read back.
	gaps []evidence.Gap
	// spent: Observe lets go of what it has read.
	spent bool
}

// ContainerHashes holds the hashes of one container's spec: one entry of cluster/spechashes.json.
type ContainerHashes struct {
	PodUID    string              `json:"podUID"`
	Namespace string              `json:"namespace"`
	Pod       string              `json:"pod"`
	Container string              `json:"container"`
	Hashes    []evidence.SpecHash `json:"hashes"`
}

// Len is the number of objects.
func (p *Piece) Len() int { return len(p.Pods) + len(p.Events) + len(p.Nodes) }

// Quiet is how many pods were read but not kept: nothing ended in them.
func (p *Piece) Quiet() int { return p.Uneventful }

// Empty reports whether there are no objects.
func (p *Piece) Empty() bool { return p.Len() == 0 }

// Spend makes Observe let go of pods and events while it reads them: it can be called once, and they are not needed
// afterwards.
func (p *Piece) Spend() { p.spent = true }

// PutHashes stores the hashes of a pod's containers.
func (p *Piece) PutHashes(podUID string, h []ContainerHashes) {
	if p.Hashes == nil {
		p.Hashes = map[string][]ContainerHashes{}
	}
	if len(h) > 0 {
		p.Hashes[podUID] = h
	}
}

// PutOwner stores what is known of a pod's controller.
func (p *Piece) PutOwner(o *metav1.PartialObjectMetadata) {
	if p.Owners == nil {
		p.Owners = owners{}
	}
	p.Owners.add(o)
}

// AddHashes adds hashes to those collected for a container, of images that only another source named. It ignores an
// unknown container, and hashes beyond the limit of Decode.
func (p *Piece) AddHashes(podUID, container string, more []evidence.SpecHash) {
	of := p.Hashes[podUID]
	for i := range of {
		if have := &of[i].Hashes; of[i].Container == container && len(*have)+len(more) <= maxHashes {
			*have = append(*have, more...)
			return
		}
	}
}

// Sort orders everything independently of which request finished first, and drops events that a list returned twice.
func (p *Piece) Sort() {
	slices.SortStableFunc(p.Pods, func(a, b *corev1.Pod) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), cmp.Compare(a.UID, b.UID))
	})
	slices.SortStableFunc(p.Nodes, func(a, b *corev1.Node) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortStableFunc(p.Events, func(a, b *corev1.Event) int {
		return cmp.Or(event.LastTime(a).Compare(event.LastTime(b)), cmp.Compare(a.Namespace, b.Namespace),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.Message, b.Message))
	})
	p.Events = slices.CompactFunc(p.Events, func(a, b *corev1.Event) bool {
		return a.Name != "" && a.Name == b.Name && a.Namespace == b.Namespace && a.UID == b.UID &&
			(a.UID != "" || a.Message == b.Message && a.InvolvedObject.FieldPath == b.InvolvedObject.FieldPath)
	})
}

// Files returns Kubernetes lists that kubectl can read, one object per line, the hashes, and how pods compare with
// their nodes. The same objects give the same bytes.
func (p *Piece) Files() []evidence.File {
	pods, events, nodes := list{Redacted: true}, list{Redacted: true, Window: p.Window}, list{Redacted: true}
	for _, o := range p.Pods {
		typed := *o
		typed.TypeMeta = metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}
		pods.add(&typed)
	}
	for _, o := range p.Events {
		typed := *o
		typed.TypeMeta = metav1.TypeMeta{Kind: "Event", APIVersion: "v1"}
		events.add(&typed)
	}
	for _, o := range p.Nodes {
		typed := *o
		typed.TypeMeta = metav1.TypeMeta{Kind: "Node", APIVersion: "v1"}
		nodes.add(&typed)
	}
	hashes := list{Kind: hashesKind}
	readmissions := list{Kind: readmission.ReadmissionKind}
	for _, o := range p.Pods {
		if r, ok := p.readmissions[string(o.UID)]; ok {
			readmissions.add(&r)
		}
		for i := range p.Hashes[string(o.UID)] {
			hashes.add(&p.Hashes[string(o.UID)][i])
		}
	}
	files := []evidence.File{
		evidence.Bytes(podsPath, pods.encode()), evidence.Bytes(eventsPath, events.encode()),
		evidence.Bytes(nodesPath, nodes.encode()), evidence.Bytes(hashesPath, hashes.encode()),
	}
	if len(p.Owners) > 0 {
		files = append(files, evidence.Bytes(ownersPath, p.Owners.list().encode()))
	}
	if len(readmissions.Items) > 0 {
		files = append(files, evidence.Bytes(ReadmissionPath, readmissions.encode()))
	}
	return files
}

// list is a Kubernetes List with fields of our own: a mark that it is redacted, and the window of the events.
type list struct {
	Kind       string            `json:"kind"`
	APIVersion string            `json:"apiVersion,omitempty"`
	Redacted   bool              `json:"redacted,omitempty"`
	Window     *EventReach       `json:"window,omitempty"`
	Items      []json.RawMessage `json:"items"`
}

// add skips an object that cannot be encoded: none of these types can fail.
func (l *list) add(object any) {
	if raw, err := json.Marshal(object); err == nil {
		l.Items = append(l.Items, raw)
	}
}

// encode writes head and items by hand, to give each item its own line.
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

// EventReach is the time over which the absence of an event means something.
type EventReach struct {
	From  metav1.Time `json:"from"`
	Until metav1.Time `json:"until"`
}

// Readmit stores whether a pod still fits its node.
func (p *Piece) Readmit(r readmission.PodReadmission) {
	if p.readmissions == nil {
		p.readmissions = map[string]readmission.PodReadmission{}
	}
	p.readmissions[r.PodUID] = r
}
