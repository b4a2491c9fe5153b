package apiserver

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
)

// maxRevisions is how many revisions of one workload are looked at, the newest;
// Deployments keep ten unless they are told otherwise (spec.revisionHistoryLimit).
const maxRevisions = 10

// revision is a pod template that a workload has or had.
type revision struct {
	source string // "revision 3 of deployment web"
	number int64  // the higher, the newer
	// spec is the template's, values and all; it stays in memory only. What kubectl
	// applied last has just names and images.
	spec    *corev1.PodSpec
	applied applied
}

// images are the images of a revision by container.
func (r *revision) images() []namedImage {
	out := r.applied.images()
	if r.spec != nil {
		eachTemplate(r.spec, func(c *corev1.Container) { out = append(out, namedImage{c.Name, c.Image}) })
	}
	return out
}

// eachTemplate visits the containers that a template can have.
func eachTemplate(s *corev1.PodSpec, visit func(*corev1.Container)) {
	for _, list := range [][]corev1.Container{s.InitContainers, s.Containers} {
		for i := range list {
			visit(&list[i])
		}
	}
}

// earlier picks one container of every revision.
func earlier(past []revision, container string) (out []Earlier) {
	for i := range past {
		if past[i].spec == nil {
			continue
		}
		eachTemplate(past[i].spec, func(c *corev1.Container) {
			if c.Name == container {
				out = append(out, Earlier{Source: past[i].source, Container: c})
			}
		})
	}
	return out
}

// newest sorts revisions and keeps the newest ones.
func newest(all []revision) []revision {
	slices.SortStableFunc(all, func(a, b revision) int { return cmp.Compare(b.number, a.number) })
	return all[:min(len(all), maxRevisions)]
}

// withOwn adds the revision that a pod was made from to its siblings: it is worth more
// than the last one of many.
func withOwn(siblings []revision, own revision) []revision {
	siblings = newest(siblings)
	return newest(append(siblings[:min(len(siblings), maxRevisions-1)], own))
}

// revisionKeys are the annotations in which the owners of ReplicaSets count them
// (deployment controller deployment_util.go RevisionAnnotation; Argo Rollouts
// annotations.go RevisionAnnotation).
var revisionKeys = []string{"deployment.kubernetes.io/revision", "rollout.argoproj.io/revision"}

// ofReplicaSet is the template of a ReplicaSet, as a revision of what controls it.
func ofReplicaSet(set *appsv1.ReplicaSet) revision {
	r := revision{source: "replicaset " + set.Name, spec: &set.Spec.Template.Spec}
	owner := metav1.GetControllerOf(set)
	for _, key := range revisionKeys {
		number, err := strconv.ParseInt(set.Annotations[key], 10, 64)
		if err != nil || number <= 0 || owner == nil {
			continue
		}
		r.number, r.source = number, fmt.Sprintf("revision %d of %s", number, workload(owner))
	}
	return r
}

// ofControllerRevision reads the template that a StatefulSet, a DaemonSet or one of
// their kin has put into a revision: a patch of the workload that replaces the whole
// template (controller/history; statefulset getPatch, daemon getPatch).
func ofControllerRevision(c *appsv1.ControllerRevision) (revision, error) {
	if err := checkQuantities(c.Data.Raw); err != nil {
		return revision{}, err
	}
	var patch struct {
		Spec struct {
			Template struct {
				Spec *corev1.PodSpec `json:"spec"`
			} `json:"template"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(c.Data.Raw, &patch); err != nil {
		return revision{}, fmt.Errorf("its data is no template: %w", err)
	}
	if patch.Spec.Template.Spec == nil {
		return revision{}, errNoTemplate
	}
	r := revision{source: "controllerrevision " + c.Name, number: c.Revision, spec: patch.Spec.Template.Spec}
	if owner := metav1.GetControllerOf(c); owner != nil {
		r.source = fmt.Sprintf("revision %d of %s", c.Revision, workload(owner))
	}
	return r, nil
}

// errNoTemplate is about revisions of other things than pods.
var errNoTemplate = errors.New("it has no pod template")

// workload names an owner as people type it.
func workload(o *metav1.OwnerReference) string { return strings.ToLower(o.Kind) + " " + o.Name }

// isApps tells whether an owner is of a kind of Kubernetes' own group apps, whatever its version.
func isApps(o *metav1.OwnerReference, kind string) bool {
	return o != nil && o.Kind == kind && strings.HasPrefix(o.APIVersion, "apps/")
}

// lineage are the revisions that a recording holds.
type lineage struct {
	sets      []*appsv1.ReplicaSet
	revisions map[types.UID][]revision // by their owner
}

// add takes an object of apps/v1.
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
	one, err := ofControllerRevision(&c)
	switch {
	case errors.Is(err, errNoTemplate) || owner == nil:
		return nil // it is about something else
	case err != nil:
		return err
	case l.revisions == nil:
		l.revisions = map[types.UID][]revision{}
	}
	l.revisions[owner.UID] = append(l.revisions[owner.UID], one)
	return nil
}

// of returns the revisions of a pod's workload, newest first.
func (l *lineage) of(p *corev1.Pod) (found []revision) {
	owner := metav1.GetControllerOf(p)
	if owner == nil {
		return nil
	}
	i := slices.IndexFunc(l.sets, func(s *appsv1.ReplicaSet) bool {
		return s.UID == owner.UID && s.Namespace == p.Namespace
	})
	if i < 0 {
		return newest(l.revisions[owner.UID])
	}
	parent := metav1.GetControllerOf(l.sets[i])
	for n, set := range l.sets {
		if by := metav1.GetControllerOf(set); n != i && by != nil && parent != nil && by.UID == parent.UID {
			found = append(found, ofReplicaSet(set))
		}
	}
	return withOwn(found, ofReplicaSet(l.sets[i]))
}
