package replay

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

var (
	errNoObject  = errors.New("its API object was not read")
	errNoVersion = errors.New("the version of its node's kubelet is not known; give one")
)

// Result is one replayed decision. Lists are never nil.
type Result struct {
	Namespace string `json:"namespace"`
	Pod       string `json:"pod"`
	// Kubelet is the version that decides, ModelledAs the minor whose rules were used; Extrapolated when that minor is
	// older than the version.
	Kubelet      string `json:"kubelet"`
	ModelledAs   string `json:"modelledAs"`
	Extrapolated bool   `json:"extrapolated,omitempty"`
	// Supposed are the facts that were given, Assumed what the evidence does not contain.
	Supposed []string `json:"supposed"`
	Assumed  []string `json:"assumed"`
	// Stage is how far SyncPod came.
	Stage         decide.Stage         `json:"stage"`
	KillPod       bool                 `json:"killPod"`
	CreateSandbox bool                 `json:"createSandbox"`
	Kill          []report.ReplayKill  `json:"kill"`
	Start         []report.ReplayStart `json:"start"`
	Trace         decide.Trace         `json:"trace"`
	// Readiness is what the status says about running containers after a kubelet restart; absent unless it is supposed.
	Readiness []Readiness `json:"readiness,omitempty"`
}

// Pod replays the decision about one pod as the kubelet of that version would make it at the snapshot's time. A zero
// version means that of the pod's node.
func Pod(s *evidence.Snapshot, p *evidence.Pod, v kubelet.Version, supposed []sim.Supposition) (*Result, error) {
	fail := func(err error) (*Result, error) {
		return nil, fmt.Errorf("replay pod %s/%s: %w", p.Namespace, p.Name, err)
	}
	if p.Object == nil {
		return fail(errNoObject)
	}
	node, known := nodeVersion(s, p.Node)
	if v.Major == 0 {
		if v = node; !known {
			return fail(errNoVersion)
		}
	}
	profile, err := kubelet.ProfileFor(v)
	if err != nil {
		return fail(err)
	}
	st := stateOf(p, p.Object.Whole().DeepCopy(), s.CollectedAt, NewIndex(s).records[p.RuntimeUID()])
	st.Profile = profile
	if profile.Rules.ContainerChanges {
		st.Assumed = append(st.Assumed,
			"this kubelet uses its runtime through CRI, the default since 1.6 (--experimental-cri in 1.5)")
	}
	expected := expectedHash(p, profile)
	if err := st.Suppose(supposed); err != nil {
		return fail(err)
	}
	st.fillHashes(p, expected, node, known)
	st.forget(profile)
	if line := st.sandboxAssumed(profile); line != "" {
		st.Assumed = append(st.Assumed, line)
	}
	st.Status.Before = decide.DeriveBefore(profile, st.Pod, &st.Status, st.Now, st.Node, st.Status.Before)
	memory := st.backOff()
	if st.Restarted {
		memory = nil
	}
	a, trace := st.Decide(decide.Options{Trace: true, BackOff: memory, ExpectedHash: expected})
	for i := range trace {
		// The placeholder for "another" hash must not look like a real one.
		if t := &trace[i]; strings.HasSuffix(t.Branch, "hash-differs") && st.Differs(t.Container) {
			t.Fact = "supposed: the stored hash is different"
		}
	}
	readiness, err := st.readiness(v, &a)
	if err != nil {
		return fail(err)
	}
	r := &Result{
		Namespace: p.Namespace, Pod: p.Name, Kubelet: v.String(), ModelledAs: profile.ModelledAs,
		Extrapolated: profile.Extrapolated,
		Supposed:     []string{}, Assumed: st.Assumed, Stage: a.Stage, KillPod: a.KillPod, CreateSandbox: a.CreateSandbox,
		Kill: []report.ReplayKill{}, Start: []report.ReplayStart{}, Trace: trace, Readiness: readiness,
	}
	for _, f := range supposed {
		r.Supposed = append(r.Supposed, f.String())
	}
	for _, k := range a.ContainersToKill {
		r.Kill = append(r.Kill, report.ReplayKill{Container: k.Name, Message: k.Message})
	}
	for _, one := range a.Restarts {
		r.Start = append(r.Start, startOf(one, a.BackOff))
	}
	return r, nil
}

func startOf(one decide.Attempt, waits []decide.Wait) report.ReplayStart {
	s := report.ReplayStart{Container: one.Name, Kind: string(one.Kind)}
	if one.Known {
		s.RestartCount = &one.Count
	}
	for _, w := range waits {
		if w.Kind == one.Kind && w.Index == one.Index {
			s.NotBefore = new(w.Until.UTC())
		}
	}
	return s
}

func nodeVersion(s *evidence.Snapshot, name string) (kubelet.Version, bool) {
	for i := range s.Nodes {
		if s.Nodes[i].Name == name {
			v, err := kubelet.ParseVersion(s.Nodes[i].KubeletVersion)
			return v, err == nil
		}
	}
	return kubelet.Version{}, false
}

// expectedHash returns the hash of the present spec from what was computed while the environment was available; name
// and image are enough since 1.31.
func expectedHash(p *evidence.Pod, profile kubelet.Profile) func(*corev1.Container) (uint64, bool) {
	minor := min(profile.Minor, kubelet.NewestMinor)
	return func(c *corev1.Container) (uint64, bool) {
		for i := range p.Containers {
			if p.Containers[i].Name != c.Name {
				continue
			}
			for _, h := range p.Containers[i].Hashes {
				if h.FromMinor <= minor && minor <= h.ToMinor && h.Image == c.Image &&
					!h.Varied() && h.Algorithm != hash.FNV32aJSONWithoutResources {
					sum, err := strconv.ParseUint(h.Hex, 16, 64)
					return sum, err == nil
				}
			}
		}
		if profile.HashEra.Algorithm != hash.FNV32aNameImage {
			return 0, false
		}
		r, err := hash.Hash(minor, c)
		return uint64(r.Sum), err == nil
	}
}

// fillHashes sets the hash that the node's own kubelet computes for running containers whose stored hash was not read:
// so another version shows what an upgrade would do.
func (st *state) fillHashes(p *evidence.Pod, expected func(*corev1.Container) (uint64, bool),
	node kubelet.Version, known bool) {
	stored, filled := expected, false
	if profile, err := kubelet.ProfileFor(node); known && err == nil {
		stored = expectedHash(p, profile)
	}
	for _, c := range sim.Containers(&st.Pod.Spec) {
		for i := range st.Status.Containers {
			r := &st.Status.Containers[i]
			if r.Name == c.Name && r.Hash == 0 {
				r.Hash, _ = stored(c)
				filled = true
			}
		}
	}
	if filled {
		st.Assumed = append(st.Assumed, "stored hashes, which were not read, are those that the node's kubelet computes")
	}
}
