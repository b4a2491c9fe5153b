package evidence

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Builder gathers what sources observe into a Snapshot. It is not safe for
// concurrent use: sources collect in parallel, pieces are observed in turn.
type Builder struct {
	snap Snapshot
	// blocks are the observations: a list that grows in one piece is copied again and again.
	blocks [][]Observation
	text   []byte // of the last observation's id
	nodes  map[string]int
	pods   map[string]int
	gaps   map[Gap]bool
	// hashed is behind the container that got hashes last: the next one's are mostly of the
	// next, and a pod may have thousands.
	hashed int
}

// NewBuilder returns an empty builder. collectedAt is the end of the collection.
func NewBuilder(collectedAt time.Time) *Builder {
	return &Builder{
		snap:  Snapshot{CollectedAt: collectedAt},
		nodes: map[string]int{}, pods: map[string]int{}, gaps: map[Gap]bool{},
	}
}

// Observe adds one observation. Its subject and source are made safe here.
func (b *Builder) Observe(o Observation) {
	s := &o.Subject
	for _, f := range []*string{&s.Node, &s.Namespace, &s.Pod, &s.PodUID, &s.Container, &s.ContainerID, &s.SandboxID, &o.Source.Node, &o.Source.Where} {
		*f = safetext.Ident(*f)
	}
	o.Time = o.Time.UTC()
	b.text = identify(&o, b.text[:0])
	n := len(b.blocks) - 1
	if n < 0 || len(b.blocks[n]) == cap(b.blocks[n]) {
		size := firstBlock
		if n >= 0 {
			size = min(2*cap(b.blocks[n]), largeBlock)
		}
		b.blocks, n = append(b.blocks, make([]Observation, 0, size)), n+1
	}
	b.blocks[n] = append(b.blocks[n], o)
}

// The sizes of blocks of observations.
const (
	firstBlock = 16
	largeBlock = 4096
)

// Join takes over all that another builder gathered, which must not be used afterwards: the parts of
// a large piece are observed side by side.
func (b *Builder) Join(part *Builder) {
	b.blocks = append(b.blocks, part.blocks...)
	for i := range part.snap.Pods {
		b.Pod(part.snap.Pods[i])
	}
	for i := range part.snap.Nodes {
		b.Node(part.snap.Nodes[i])
	}
	for _, g := range part.snap.Gaps {
		b.Gap(g)
	}
	b.snap.Coverage = append(b.snap.Coverage, part.snap.Coverage...)
}

// Node adds or completes a node: a field that is already known stays.
func (b *Builder) Node(n Node) {
	if n.Name == "" {
		return
	}
	i, ok := b.nodes[n.Name]
	if !ok {
		b.nodes[n.Name] = len(b.snap.Nodes)
		b.snap.Nodes = append(b.snap.Nodes, n)
		return
	}
	have := &b.snap.Nodes[i]
	fill(&have.KubeletVersion, n.KubeletVersion)
	fill(&have.Runtime, n.Runtime)
	fill(&have.BootID, n.BootID)
	fill(&have.Machine, n.Machine)
	fill(&have.HostBoot, n.HostBoot)
	fill(&have.KernelVersion, n.KernelVersion)
	fill(&have.OSImage, n.OSImage)
	fill(&have.OS, n.OS)
	fill(&have.Ready, n.Ready)
	if have.Allocatable == nil {
		have.Allocatable = n.Allocatable
	}
	if have.CreatedAt.IsZero() {
		have.CreatedAt = n.CreatedAt
	}
}

// Pod adds a pod. A pod that is known already (by UID) is replaced: the later
// collection knows more.
func (b *Builder) Pod(p Pod) {
	if i, ok := b.pods[p.UID]; ok {
		b.snap.Pods[i] = p
		return
	}
	b.pods[p.UID] = len(b.snap.Pods)
	b.snap.Pods = append(b.snap.Pods, p)
}

// Hashes attaches spec hashes to a container of a pod that was added before, those
// that were searched apart from the others; it tells whether there is such a container.
// The slice is kept, and must not change afterwards: hashes are the most of what a
// large cluster's pods need.
func (b *Builder) Hashes(podUID, container string, hashes []SpecHash) bool {
	i, ok := b.pods[podUID]
	if !ok {
		return false
	}
	all := b.snap.Pods[i].Containers
	for n := range all {
		c := (b.hashed + n) % len(all)
		if into := &all[c]; into.Name == container {
			b.hashed = c + 1
			into.Hashes, into.Searched = nil, nil
			if !slices.ContainsFunc(hashes, func(h SpecHash) bool { return h.Searched }) {
				into.Hashes = slices.Clip(hashes)
				return true
			}
			for _, h := range hashes {
				if h.Searched {
					into.Searched = append(into.Searched, h)
				} else {
					into.Hashes = append(into.Hashes, h)
				}
			}
			return true
		}
	}
	return false
}

// Cover adds the reach of a source.
func (b *Builder) Cover(c Coverage) { b.snap.Coverage = append(b.snap.Coverage, c) }

// Gap adds evidence that is missing; the same gap counts once.
func (b *Builder) Gap(g Gap) {
	g.Source = SourceKind(safetext.Ident(string(g.Source))) // a manifest may hold any
	g.Why, g.Hint, g.Node = safetext.Clean(g.Why).String(), safetext.Clean(g.Hint).String(), safetext.Ident(g.Node)
	if !b.gaps[g] {
		b.gaps[g] = true
		b.snap.Gaps = append(b.snap.Gaps, g)
	}
}

// Build sorts everything, drops observations that were made twice (the same
// line in two files), assigns ids and returns the snapshot. The builder must
// not be used afterwards.
func (b *Builder) Build() *Snapshot {
	s := &b.snap
	slices.SortFunc(s.Nodes, func(x, y Node) int { return cmp.Compare(x.Name, y.Name) })
	slices.SortFunc(s.Pods, func(x, y Pod) int {
		return cmp.Or(cmp.Compare(x.Namespace, y.Namespace), cmp.Compare(x.Name, y.Name), cmp.Compare(x.UID, y.UID))
	})
	slices.SortFunc(s.Coverage, func(x, y Coverage) int {
		return cmp.Or(cmp.Compare(x.Source, y.Source), cmp.Compare(x.Node, y.Node), x.From.Compare(y.From), x.Until.Compare(y.Until))
	})
	slices.SortFunc(s.Gaps, func(x, y Gap) int {
		return cmp.Or(cmp.Compare(x.Source, y.Source), cmp.Compare(x.Node, y.Node), cmp.Compare(x.Why, y.Why))
	})
	s.Observations = ordered(b.blocks)
	b.blocks = nil
	s.Observations = slices.CompactFunc(s.Observations, func(x, y Observation) bool {
		return x.ID == y.ID && x.Time.Equal(y.Time) && x.Text == y.Text
	})
	distinguish(s.Observations)
	return s
}

// ordered returns the observations by time and id. Small keys are sorted, and every observation is copied
// once: they are large, and a stable sort in place moves each some dozen times (half the time of a snapshot).
func ordered(blocks [][]Observation) []Observation {
	type key struct {
		sec         int64
		nsec, place int32
		o           *Observation
	}
	n := 0
	for _, block := range blocks {
		n += len(block)
	}
	keys := make([]key, 0, n)
	for _, block := range blocks {
		for i := range block {
			o := &block[i]
			keys = append(keys, key{o.Time.Unix(), int32(o.Time.Nanosecond()), int32(len(keys)), o})
		}
	}
	slices.SortFunc(keys, func(x, y key) int {
		switch {
		case x.sec != y.sec:
			return cmp.Compare(x.sec, y.sec)
		case x.nsec != y.nsec:
			return cmp.Compare(x.nsec, y.nsec)
		}
		return cmp.Or(cmp.Compare(x.o.ID, y.o.ID), cmp.Compare(x.place, y.place))
	})
	out := make([]Observation, len(keys))
	for i := range keys {
		out[i] = *keys[i].o
	}
	return out
}

// identify hashes what makes an observation itself, and gives it its id. The place it was read from
// (Where) is left out: the same line in two files is the same observation. It returns the buffer, for the
// next one.
func identify(o *Observation, buf []byte) []byte {
	add := func(text string) { buf = append(append(buf, text...), 0) }
	add(o.Fact.Statement())
	add(string(o.Source.Kind))
	add(o.Source.Node)
	buf = append(strconv.AppendInt(buf, o.Time.UnixNano(), 10), 0)
	s := &o.Subject
	for _, field := range [...]string{s.Node, s.Namespace, s.Pod, s.PodUID, s.Container, s.ContainerID, s.SandboxID} {
		add(field)
	}
	buf = append(buf, o.Text.String()...)
	if p, ok := o.Fact.(parted); ok {
		buf = append(append(buf, 0), p.part()...)
	}
	h := fnv.New64a()
	_, _ = h.Write(buf) // never fails
	sum := uint32(h.Sum64() ^ h.Sum64()>>32)
	const digits = "0123456789abcdef"
	id := [9]byte{'e'}
	for i := 8; i > 0; i-- {
		id[i] = digits[sum&15]
		sum >>= 4
	}
	o.ID = string(id[:])
	return buf
}

// parted are facts of which one line may state several: they differ in a part.
type parted interface{ part() string }

// distinguish gives different observations whose short hashes collide different ids.
func distinguish(obs []Observation) {
	seen := make(map[string]int, len(obs))
	for i := range obs {
		n := seen[obs[i].ID]
		seen[obs[i].ID] = n + 1
		if n > 0 {
			obs[i].ID = fmt.Sprintf("%s-%d", obs[i].ID, n+1)
		}
	}
}

func fill(have *string, more string) {
	if *have == "" {
		*have = more
	}
}
