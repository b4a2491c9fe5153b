package apiobject

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/quantity"
)

// maxRevisions is how many revisions of one workload are used, the newest; Deployments keep ten by default
// (spec.revisionHistoryLimit).
const maxRevisions = 10

// Revision is a pod template that a workload has or had.
type Revision struct {
	Source string // "revision 3 of deployment web"
	number int64  // higher is newer
	// Spec is the template's, including values; it stays in memory only. What kubectl applied last has just names and
	// images.
	Spec    *corev1.PodSpec
	Applied applied
}

// images returns the images of a revision by container.
func (r *Revision) images() []namedImage {
	out := r.Applied.Images()
	if r.Spec != nil {
		for c := range Containers(r.Spec) {
			out = append(out, namedImage{c.Name, c.Image})
		}
	}
	return out
}

// earlier picks one container from every revision.
func earlier(past []Revision, container string) (out []Earlier) {
	for i := range past {
		if past[i].Spec == nil {
			continue
		}
		for c := range Containers(past[i].Spec) {
			if c.Name == container {
				out = append(out, Earlier{Source: past[i].Source, Container: c})
			}
		}
	}
	return out
}

// Newest sorts revisions and keeps the newest ones.
func Newest(all []Revision) []Revision {
	slices.SortStableFunc(all, func(a, b Revision) int { return cmp.Compare(b.number, a.number) })
	return all[:min(len(all), maxRevisions)]
}

// WithOwn adds the revision that a pod was made from to its siblings: it takes the place of the oldest one.
func WithOwn(siblings []Revision, own Revision) []Revision {
	siblings = Newest(siblings)
	return Newest(append(siblings[:min(len(siblings), maxRevisions-1)], own))
}

// revisionKeys are the annotations with revision numbers that the owners of ReplicaSets set (deployment controller
// deployment_util.go RevisionAnnotation; Argo Rollouts annotations.go RevisionAnnotation).
var revisionKeys = []string{"deployment.kubernetes.io/revision", "rollout.argoproj.io/revision"}

// OfReplicaSet is the template of a ReplicaSet, as a revision of its controller.
func OfReplicaSet(set *appsv1.ReplicaSet) Revision {
	r := Revision{Source: "replicaset " + set.Name, Spec: &set.Spec.Template.Spec}
	owner := metav1.GetControllerOf(set)
	for _, key := range revisionKeys {
		number, err := strconv.ParseInt(set.Annotations[key], 10, 64)
		if err != nil || number <= 0 || owner == nil {
			continue
		}
		r.number, r.Source = number, fmt.Sprintf("revision %d of %s", number, Workload(owner))
	}
	return r
}

// OfControllerRevision reads the template that a StatefulSet, DaemonSet or similar workload has put into a revision: a
// patch of the workload that replaces the whole template (controller/history; statefulset getPatch, daemon getPatch).
func OfControllerRevision(c *appsv1.ControllerRevision) (Revision, error) {
	if err := quantity.Check(c.Data.Raw); err != nil {
		return Revision{}, err
	}
	var patch struct {
		Spec struct {
			Template struct {
				Spec *corev1.PodSpec `json:"spec"`
			} `json:"template"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(c.Data.Raw, &patch); err != nil {
		return Revision{}, fmt.Errorf("its data is no template: %w", err)
	}
	if patch.Spec.Template.Spec == nil {
		return Revision{}, ErrNoTemplate
	}
	r := Revision{Source: "controllerrevision " + c.Name, number: c.Revision, Spec: patch.Spec.Template.Spec}
	if owner := metav1.GetControllerOf(c); owner != nil {
		r.Source = fmt.Sprintf("revision %d of %s", c.Revision, Workload(owner))
	}
	return r, nil
}

// ErrNoTemplate is returned for revisions of things other than pods.
var ErrNoTemplate = errors.New("it has no pod template")

// Workload returns an owner's name as people type it.
func Workload(o *metav1.OwnerReference) string { return strings.ToLower(o.Kind) + " " + o.Name }

// IsApps reports whether an owner is of that kind in Kubernetes' own group apps, whatever the version.
func IsApps(o *metav1.OwnerReference, kind string) bool {
	return o != nil && o.Kind == kind && strings.HasPrefix(o.APIVersion, "apps/")
}

// lineage holds the revisions in a recording.
type lineage struct {
	sets      []*appsv1.ReplicaSet
	revisions map[types.UID][]Revision // by their owner
}

// add adds an object of apps/v1.
func (l *lineage) add(kind string, raw []byte) error {
	if kind == "ReplicaSet" {
		var set appsv1.ReplicaSet
		if err := json.Unmarshal(raw, &set); err != nil {
			return err
		}
		l.sets = append(l.sets, &set)
		return nil
	}
	var c appsv1.ControllerRevision
	if err := json.Unmarshal(raw, &c); err != nil {
		return err
	}
	owner := metav1.GetControllerOf(&c)
	one, err := OfControllerRevision(&c)
	switch {
	case errors.Is(err, ErrNoTemplate) || owner == nil:
		return nil // it is about something else
	case err != nil:
		return err
	case l.revisions == nil:
		l.revisions = map[types.UID][]Revision{}
	}
	l.revisions[owner.UID] = append(l.revisions[owner.UID], one)
	return nil
}

// of returns the revisions of a pod's workload, newest first.
func (l *lineage) of(p *corev1.Pod) (found []Revision) {
	owner := metav1.GetControllerOf(p)
	if owner == nil {
		return nil
	}
	i := slices.IndexFunc(l.sets, func(s *appsv1.ReplicaSet) bool {
		return s.UID == owner.UID && s.Namespace == p.Namespace
	})
	if i < 0 {
		return Newest(l.revisions[owner.UID])
	}
	parent := metav1.GetControllerOf(l.sets[i])
	for n, set := range l.sets {
		if by := metav1.GetControllerOf(set); n != i && by != nil && parent != nil && by.UID == parent.UID {
			found = append(found, OfReplicaSet(set))
		}
	}
	return WithOwn(found, OfReplicaSet(l.sets[i]))
}
