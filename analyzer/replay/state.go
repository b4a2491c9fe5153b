package replay

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// state is the kubelet's view of a pod whose API object was read.
type state struct {
	sim.PodState
	read map[string]record // the runtime's records of containers, by ID
	// placed: the sandbox of some container was not read, and is assumed to be the newest.
	placed bool
}

// stateOf builds the kubelet's view from the pod's API object and, where they were read, the runtime's records. It
// never writes to the object; supposed facts do.
func stateOf(p *evidence.Pod, object *corev1.Pod, now time.Time, records []*evidence.Observation) *state {
	st := &state{PodState: sim.PodState{Pod: object, Now: now, Status: sim.NewStatus()}}
	st.Status.Before = decide.Before{Phase: object.Status.Phase, APIPhase: object.Status.Phase}
	st.read = map[string]record{}
	st.runtimeRecords(records)
	if len(st.Status.Sandboxes) == 0 {
		// One that fits: without the runtime's records nothing contradicts it.
		st.Status.Sandboxes = []decide.Sandbox{sim.NewSandbox(st.Pod, "assumed")}
		st.Assumed = append(st.Assumed, "one ready sandbox; the runtime's sandboxes were not read")
		for id, r := range st.read {
			r.sandbox = "" // it names an unknown one: the assumed one is used instead
			st.read[id] = r
		}
	}
	for _, status := range slices.Concat(st.Pod.Status.InitContainerStatuses,
		st.Pod.Status.ContainerStatuses, st.Pod.Status.EphemeralContainerStatuses) {
		st.addContainer(&status)
	}
	for _, c := range sim.Containers(&st.Pod.Spec) {
		if _, ok := st.Status.Resources[c.Name]; !ok {
			st.Status.Resources[c.Name] = c.Resources
		}
	}
	for _, c := range st.Pod.Status.Conditions {
		if c.Type == "AllContainersRestarting" && c.Status == corev1.ConditionTrue {
			st.Status.RestartAllContainers = true
		}
	}
	st.Assumed = append(st.Assumed,
		"every probe of a running container passes, and its resources are those of the spec or status")
	return st
}

// addContainer adds the newest instance in a status. Waiting without an earlier end is no record at all.
func (st *state) addContainer(s *corev1.ContainerStatus) {
	c := decide.Container{ID: evidence.BareID(s.ContainerID), Name: s.Name, RestartCount: int(s.RestartCount)}
	ended := s.State.Terminated
	if ended == nil && s.State.Running == nil {
		ended = s.LastTerminationState.Terminated
	}
	switch {
	case s.State.Running != nil:
		c.State, c.StartedAt = decide.StateRunning, s.State.Running.StartedAt.Time
		st.Status.Liveness[c.ID] = decide.ProbeSuccess
		if s.Started != nil && *s.Started {
			st.Status.Startup[c.ID] = decide.ProbeSuccess
		}
		if s.Resources != nil {
			st.Status.Resources[s.Name] = *s.Resources
		}
	case ended != nil:
		c.State, c.ExitCode, c.Reason = decide.StateExited, int(ended.ExitCode), ended.Reason
		c.StartedAt, c.FinishedAt = ended.StartedAt.Time, ended.FinishedAt.Time
	default:
		return
	}
	c.Hash, c.SandboxID = st.read[c.ID].hash, st.read[c.ID].sandbox
	if c.SandboxID == "" {
		c.SandboxID, st.placed = st.Status.Sandboxes[0].ID, true
	}
	st.Status.Containers = append(st.Status.Containers, c)
}

// record is the runtime's data about one container: the stored hash, 0 without one, or the annotation if that is no
// number; and its sandbox.
type record struct {
	hash                uint64
	unreadable, sandbox string
}

// runtimeRecords reads the sandboxes, newest first, and the containers by ID from the runtime's records.
func (st *state) runtimeRecords(records []*evidence.Observation) {
	for _, o := range records {
		switch fact := o.Fact.(type) {
		case evidence.ContainerRecord:
			one := record{sandbox: o.Subject.SandboxID}
			if sum, err := strconv.ParseUint(fact.Hash, 16, 64); err == nil {
				one.hash = sum
			} else {
				one.unreadable = fact.Hash
			}
			st.read[o.Subject.ContainerID] = one
		case evidence.SandboxRecord:
			box := decide.Sandbox{
				ID: o.Subject.SandboxID, Attempt: uint32(max(fact.Attempt, 0)), Ready: fact.Ready,
				NetworkReported: true, IP: fact.IP, CreatedAt: fact.Created,
			}
			if fact.HostNetwork {
				box.Network = decide.NamespaceNode
			}
			st.Status.Sandboxes = append(st.Status.Sandboxes, box)
		}
	}
	slices.SortFunc(st.Status.Sandboxes, func(a, b decide.Sandbox) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.Attempt, a.Attempt))
	})
}

// sandboxAssumed returns what is assumed about the containers' sandboxes, if initialization depends on them for this
// kubelet.
func (st *state) sandboxAssumed(profile kubelet.Profile) string {
	if !st.placed || !profile.Rules.ActiveSandboxOnly || len(st.Pod.Spec.InitContainers) == 0 {
		return ""
	}
	return "containers whose records were not read belong to the newest sandbox; " +
		profile.ModelledAs + " goes by them to see whether init containers are done"
}

// delayText is the kubelet's waiting message of a container in back-off (kuberuntime_manager.go doBackOff).
var delayText = regexp.MustCompile(`^[Bb]ack-[Oo]ff (\S{1,12}) restarting failed container`)

// backOff reads the kubelet's memory of crashes from the waiting messages.
func (st *state) backOff() decide.BackOff {
	memory := decide.BackOff{}
	for _, s := range slices.Concat(st.Pod.Status.InitContainerStatuses, st.Pod.Status.ContainerStatuses) {
		ended := s.LastTerminationState.Terminated
		if s.State.Waiting == nil || ended == nil {
			continue
		}
		m := delayText.FindStringSubmatch(s.State.Waiting.Message)
		if m == nil {
			continue
		}
		if d, err := time.ParseDuration(m[1]); err == nil {
			// The delay was last set when the instance that ended was started.
			memory[s.Name] = decide.BackOffEntry{Delay: d, LastUpdate: ended.StartedAt.Time}
		}
	}
	return memory
}
