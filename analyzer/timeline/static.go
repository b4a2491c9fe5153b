package timeline

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file follows static pods. Their UID is a hash that the kubelet makes of the
// manifest, so that one manifest may live under several UIDs, one after the other: to
// the kubelet each is another pod, to those who look at names the same one.

// Successor is what has a dead instance's place: the same container of the same
// static pod, under another UID.
type Successor struct {
	PodUID   string        // as kubelet and runtime know it
	Pod      *evidence.Pod // nil when the API did not give it
	Instance *Instance     // nil when nothing was seen of it yet; Pod is known then
}

// ComputedUID tells whether a UID is one that kubelets make of static pods: 32 hex
// digits (kubelet v1.5–v1.36 config/common.go applyDefaults). The API server's have
// dashes, as a UID in a manifest usually has.
func ComputedUID(uid string) bool {
	if len(uid) != 32 {
		return false
	}
	for _, c := range uid {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// configs collects what is said of where pods come from, by name: lines about a
// change of UID know no UID of their own.
func (t *Timeline) configs() {
	for i := range t.obs {
		o := &t.obs[i]
		switch f := o.Fact.(type) {
		case evidence.PodConfig, evidence.StaticManifest, evidence.StaticPodUID, evidence.UIDReused:
			t.config[podName{o.Subject.Namespace, o.Subject.Pod}] = append(t.config[podName{o.Subject.Namespace, o.Subject.Pod}], Mark{o.Time, o})
		case evidence.PodTeardown:
			t.origin[o.Subject.PodUID] = append(t.origin[o.Subject.PodUID], Mark{o.Time, o})
		case evidence.SandboxRecord:
			if f.ConfigSource != "" {
				t.origin[o.Subject.PodUID] = append(t.origin[o.Subject.PodUID], Mark{o.Time, o})
			}
		case evidence.ManifestRead:
			if n := t.node(first(o.Subject.Node, o.Source.Node)); f.Failed {
				n.Manifests = append(n.Manifests, Mark{o.Time, o})
			}
		}
	}
}

// Config returns what is said of the config sources of a pod: by its name, which
// other pods may have borne, and by its UID. By time; what has none comes first.
func (t *Timeline) Config(namespace, name, uid string) []Mark {
	marks := slices.Concat(t.config[podName{namespace, name}], t.origin[uid])
	slices.SortStableFunc(marks, byTime)
	return marks
}

// succeed links the deaths of static pods with what came after them under another UID.
func (t *Timeline) succeed(groups map[groupKey]*group) {
	heirs := map[groupName][]*group{}
	for _, g := range groups {
		n := groupName{g.Namespace, g.Pod, g.Container}
		heirs[n] = append(heirs[n], g)
	}
	for _, r := range t.Restarts {
		if r.To != nil || !ComputedUID(r.PodUID) {
			continue
		}
		for _, g := range heirs[groupName{r.Namespace, r.PodName, r.Container}] {
			if uid := g.runtimeUID(); uid != r.PodUID {
				r.offer(&Successor{PodUID: uid, Pod: g.pod, Instance: g.next(r)})
			}
		}
		for _, p := range t.named[podName{r.Namespace, r.PodName}] {
			if r.Successor == nil && p.Mirror && p.RuntimeUID() != r.PodUID && !p.CreatedAt.Before(r.End().Add(-overlap)) {
				r.Successor = &Successor{PodUID: p.RuntimeUID(), Pod: p}
			}
		}
		if next := r.Successor; next != nil && next.Pod != nil && r.ContainerKind == "" {
			r.ContainerKind = kindOf(next.Pod, r.Container)
		}
	}
}

type groupName struct{ namespace, pod, container string }

// overlap is how long a static pod's next incarnation may run beside the last one:
// kubelets before v1.22 do not wait for the end of the old one.
const overlap = 90 * time.Second

// next is the group's first instance that began after the old one.
func (g *group) next(r *Restart) *Instance {
	for _, in := range g.instances {
		begin := in.begin()
		if !begin.IsZero() && begin.After(r.From.begin().Truncate(time.Second)) && (r.From.Finished.IsZero() || begin.After(r.From.Finished.Add(-overlap))) {
			return in
		}
	}
	return nil
}

func (g *group) runtimeUID() string {
	if g.pod != nil {
		return g.pod.RuntimeUID()
	}
	return g.PodUID
}

// offer takes the successor whose instance began first.
func (r *Restart) offer(s *Successor) {
	if s.Instance == nil {
		return
	}
	if have := r.Successor; have == nil || s.Instance.begin().Before(have.Instance.begin()) {
		r.Successor = s
	}
}

// killedUnseen tells a container of a static pod of which nothing is left but the
// event of its kill: the API forgot it with its UID.
func (g *group) killedUnseen() *Instance {
	if !ComputedUID(g.PodUID) {
		return nil
	}
	if !slices.ContainsFunc(g.named, func(m Mark) bool { _, ok := m.Obs.Fact.(evidence.KillDecided); return ok }) {
		return nil
	}
	in := &Instance{Attempt: -1, Marks: slices.Clone(g.named)}
	slices.SortStableFunc(in.Marks, byTime)
	return in
}
