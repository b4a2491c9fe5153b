package evidence

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Builder gathers what sources observe into a Snapshot. It is not safe for concurrent use: sources are collected in
// parallel, but pieces are observed one after the other.
type Builder struct {
	snap  Snapshot
	nodes map[string]int
	pods  map[string]int
	gaps  map[Gap]bool
	// hashed is the index after the container that got hashes last: the next call is mostly for the next container, and
	// a pod may have thousands.
	hashed int
	meter  *Meter
	left   int // observations dropped because there were too many
	// mentioned is what only free text says about pods.
	mentioned *Builder
	attic
}

// NewBuilder returns an empty builder. collectedAt is the end of the collection.
func NewBuilder(collectedAt time.Time) *Builder {
	return &Builder{
		snap:  Snapshot{CollectedAt: collectedAt},
		nodes: map[string]int{}, pods: map[string]int{}, gaps: map[Gap]bool{}, meter: &Meter{},
	}
}

// Expect makes room for so many more pods and observations.
func (b *Builder) Expect(pods, observations int) {
	b.wait()
	b.snap.Pods = slices.Grow(b.snap.Pods, pods)
	b.snap.Observations = slices.Grow(b.snap.Observations, observations)
}

// CollectedAt returns the end of the collection.
func (b *Builder) CollectedAt() time.Time { return b.snap.CollectedAt }

// most is how many observations are kept: enough for tens of gigabytes of ordinary logs.
const most = 3_000_000

// Observe adds one observation. It makes the subject and source safe to show.
func (b *Builder) Observe(o Observation) {
	s := &o.Subject
	for _, f := range []*string{&s.Node, &s.Namespace, &s.Pod, &s.PodUID,
		&s.Container, &s.ContainerID, &s.SandboxID, &o.Source.Node, &o.Source.Where} {
		*f = safetext.Ident(*f)
	}
	o.Time = o.Time.UTC()
	if len(b.snap.Observations) >= most {
		b.left++
		return
	}
	switch o.Fact.(type) {
	case ContainerDied, ContainerFinished, OOMKill:
		b.meter.ends.Add(1)
	}
	if len(b.snap.Observations) == cap(b.snap.Observations) {
		b.grow()
	}
	b.snap.Observations = append(b.snap.Observations, o)
	if len(b.snap.Observations)-b.begun >= batch {
		b.begin()
	}
}

// Join takes over everything that other builders gathered, and leaves them empty: the parts of a large piece are
// observed in parallel.
func (b *Builder) Join(parts ...*Builder) {
	b.begin()
	for _, x := range parts {
		x.begin()
	}
	b.wait()
	for _, x := range parts {
		x.wait()
		b.join(x)
	}
	b.begun = len(b.snap.Observations)
}

func (b *Builder) join(part *Builder) {
	b.pack(part.snap.Observations)
	b.snap.Observations = append(b.snap.Observations, part.snap.Observations...)
	b.left += part.left
	if part.mentioned != nil {
		b.Mention(part.mentioned)
	}
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
	b.snap.Losses = append(b.snap.Losses, part.snap.Losses...)
	empty := NewBuilder(part.snap.CollectedAt)
	empty.snap.Pods, empty.snap.Observations = part.snap.Pods[:0], part.snap.Observations[:0]
	*part = *empty
}

// Node adds or completes a node: a field that is already known is kept.
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
	have.Twice = have.Twice || n.Twice || another(have, &n)
	for _, a := range n.Aliases {
		if !slices.Contains(have.Aliases, a) {
			have.Aliases = append(have.Aliases, a)
		}
	}
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

// another reports whether two objects of one name are of two machines: by their ids, and without one by the time at
// which they were registered.
func another(a, b *Node) bool {
	if a.Machine != "" && b.Machine != "" {
		return a.Machine != b.Machine
	}
	return !a.CreatedAt.IsZero() && !b.CreatedAt.IsZero() && !a.CreatedAt.Equal(b.CreatedAt)
}

// Quiet counts pods that were looked at but not kept because nothing in them ended.
func (b *Builder) Quiet(n int) { b.snap.Quiet += n }

// Pod adds a pod. It replaces a pod with the same UID: the later collection knows more.
func (b *Builder) Pod(p Pod) {
	if i, ok := b.pods[p.UID]; ok {
		b.snap.Pods[i] = p
		return
	}
	b.pods[p.UID] = len(b.snap.Pods)
	b.snap.Pods = append(b.snap.Pods, p)
}

// Hashes attaches spec hashes to a container of a pod added before, and keeps the searched ones separate. It reports
// whether there is such a container. The slice is kept and must not change afterwards: hashes are most of the memory
// that a large cluster's pods need.
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

// Cover adds the coverage of a source.
func (b *Builder) Cover(c Coverage) { b.snap.Coverage = append(b.snap.Coverage, c) }

// Lose records a loss. A failing disk reports one thousands of times.
func (b *Builder) Lose(l Loss) {
	if n := len(b.snap.Losses); n > 0 && b.snap.Losses[n-1].touches(l) {
		b.snap.Losses[n-1].extend(l)
		return
	}
	b.snap.Losses = append(b.snap.Losses, l)
}

// Gap records missing evidence; the same gap counts once.
func (b *Builder) Gap(g Gap) {
	g.Source = SourceKind(safetext.Ident(string(g.Source))) // a manifest may hold any string
	g.Why, g.Hint, g.Node = safetext.Clean(g.Why).String(), safetext.Clean(g.Hint).String(), safetext.Ident(g.Node)
	if !b.gaps[g] {
		b.gaps[g] = true
		b.snap.Gaps = append(b.snap.Gaps, g)
	}
}

// Build sorts everything, drops observations made twice (the same line in two files), assigns ids and returns the
// snapshot. The builder must not be used afterwards.
func (b *Builder) Build() *Snapshot {
	s := &b.snap
	if b.mentioned != nil {
		s.Mentioned = b.mentioned.Build()
	}
	slices.SortFunc(s.Nodes, func(x, y Node) int { return cmp.Compare(x.Name, y.Name) })
	slices.SortFunc(s.Pods, byName)
	slices.SortFunc(s.Coverage, func(x, y Coverage) int {
		return cmp.Or(cmp.Compare(x.Source, y.Source), cmp.Compare(x.Node, y.Node),
			x.From.Compare(y.From), x.Until.Compare(y.Until))
	})
	s.Losses = Joined(s.Losses)
	slices.SortFunc(s.Gaps, func(x, y Gap) int {
		return cmp.Or(cmp.Compare(x.Source, y.Source), cmp.Compare(x.Node, y.Node), cmp.Compare(x.Why, y.Why))
	})
	b.begin()
	b.wait()
	b.attic = attic{}
	if b.left > 0 { // then absence proves nothing
		b.snap.Coverage = nil
		b.Gap(Gap{Source: "collection", Why: fmt.Sprintf("more than %d statements: %d that were read after them are left out",
			most, b.left), Hint: "pass only a part of the logs: one node, or the hours that matter"})
	}
	order(s.Observations)
	s.Observations = slices.CompactFunc(s.Observations, func(x, y Observation) bool {
		return x.ID == y.ID && x.Time.Equal(y.Time) && (x.Text == y.Text || x.Text.String() == y.Text.String())
	})
	distinguish(s.Observations)
	*b = Builder{snap: *s} // without what else it needed: s is a part of it
	return s
}

// byName compares pods by namespace, name and UID.
func byName(x, y Pod) int {
	return cmp.Or(cmp.Compare(x.Namespace, y.Namespace), cmp.Compare(x.Name, y.Name), cmp.Compare(x.UID, y.UID))
}

// order sorts the observations by time and id, in place: they are large, and there may be millions. It sorts small keys
// and moves each misplaced observation once. A log is mostly in order.
func order(obs []Observation) {
	sorted := true
	for i := 1; i < len(obs) && sorted; i++ {
		x, y := &obs[i-1], &obs[i]
		sorted = cmp.Or(x.Time.Compare(y.Time), cmp.Compare(x.ID, y.ID)) <= 0
	}
	if sorted {
		return
	}
	type key struct {
		sec         int64
		id          uint64 // its first bytes, which nearly always decide
		nsec, place int32
	}
	keys := make([]key, len(obs))
	for i := range obs {
		t, id := obs[i].Time, [8]byte{}
		copy(id[:], obs[i].ID)
		keys[i] = key{t.Unix(), binary.BigEndian.Uint64(id[:]), int32(t.Nanosecond()), int32(i)}
	}
	slices.SortFunc(keys, func(x, y key) int {
		if x.sec != y.sec || x.nsec != y.nsec || x.id != y.id {
			return cmp.Or(cmp.Compare(x.sec, y.sec), cmp.Compare(x.nsec, y.nsec), cmp.Compare(x.id, y.id))
		}
		return cmp.Or(cmp.Compare(obs[x.place].ID, obs[y.place].ID), cmp.Compare(x.place, y.place))
	})
	const moved = -1
	for i := range keys {
		if keys[i].place == moved {
			continue
		}
		// Move the observations along the cycle of the permutation.
		first := obs[i]
		at := i
		for {
			from := int(keys[at].place)
			keys[at].place = moved
			if from == i {
				obs[at] = first
				break
			}
			obs[at] = obs[from]
			at = from
		}
	}
}

// identify hashes what identifies an observation. The place it was read from (Where) is left out: the same line in two
// files is the same observation. It returns the buffer for reuse.
func identify(o *Observation, buf []byte) (uint64, []byte) {
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
	return fnv64(buf), buf
}

// idBytes is the length of an id: a letter and 32 bits in hexadecimal.
const idBytes = 9

func appendID(ids []byte, h uint64) []byte {
	const digits = "0123456789abcdef"
	sum := uint32(h ^ h>>32)
	ids = append(ids, 'e')
	for shift := 28; shift >= 0; shift -= 4 {
		ids = append(ids, digits[sum>>shift&15])
	}
	return ids
}

// fnv64 is the 64-bit FNV-1a hash.
func fnv64(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// parted is a fact that one line may state several times, each with a different part.
type parted interface{ part() string }

// distinguish gives different ids to different observations whose short hashes collide.
func distinguish(obs []Observation) {
	hashes := make([]uint32, len(obs))
	for i := range obs {
		hashes[i] = idHash(obs[i].ID)
	}
	slices.Sort(hashes)
	twice := map[uint32]bool{}
	for i := 1; i < len(hashes); i++ {
		if hashes[i] == hashes[i-1] {
			twice[hashes[i]] = true
		}
	}
	if len(twice) == 0 {
		return
	}
	seen := map[string]int{}
	for i := range obs {
		if !twice[idHash(obs[i].ID)] {
			continue
		}
		n := seen[obs[i].ID]
		seen[obs[i].ID] = n + 1
		if n > 0 {
			obs[i].ID = fmt.Sprintf("%s-%d", obs[i].ID, n+1)
		}
	}
}

// idHash parses the hash out of an id.
func idHash(id string) (sum uint32) {
	for i := 1; i < len(id); i++ {
		digit := id[i] - '0'
		if digit > 9 {
			digit = id[i] - 'a' + 10
		}
		sum = sum<<4 | uint32(digit)
	}
	return sum
}

func fill(have *string, more string) {
	*have = cmp.Or(*have, more)
}
