package node

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// runtimeSwitch finds out whether the kubelet was configured to use another container runtime during the old instance's
// life: from the runtimes in the two ids, or from what the kubelet's processes logged at their start.
func (f *finder) runtimeSwitch() {
	r, s := f.R, &f.Switch
	if f.Node != nil {
		f.left()
		if f.writtenDown() {
			return
		}
	}
	if r.To != nil && r.From.Runtime != "" && r.To.Runtime != "" {
		s.Answer, s.Evidence = basis.No, f.BothRecords()
		if r.From.Runtime != r.To.Runtime {
			s.Answer, s.At, s.From, s.To = basis.Yes, r.To.Started, r.From.Runtime, r.To.Runtime
		}
		return
	}
	if f.Versions.SameProcess {
		s.Answer = basis.No
		return
	}
	if f.settings(); s.Answer == basis.Unknown {
		f.likeNeighbours()
	}
}

// likeNeighbours infers the switch from containers of the node that moved to another runtime at about the same time,
// where the record of this one names no runtime.
func (f *finder) likeNeighbours() {
	r, s := f.R, &f.Switch
	if f.Node == nil || r.To == nil || r.To.Runtime == "" || r.From.Runtime != "" {
		return
	}
	for _, sw := range f.Node.Switched {
		if sw.To == r.To.Runtime && r.To.Started.Sub(sw.At).Abs() < tolerance.Settle {
			*s = Switch{Point: basis.Found(sw.At, sw.Evidence...), From: sw.From, To: sw.To, Left: s.Left, Inferred: true}
			return
		}
	}
}

// docker is the runtime that dockershim and cri-dockerd keep sandboxes for.
const docker = "docker"

// writtenDown looks for a stored sandbox of the pod that a kubelet's runtime for docker never removed, while another
// runtime has the pod now. If it is the old instance's sandbox, that ran under docker; else an earlier one may have.
func (f *finder) writtenDown() bool {
	r, s := f.R, &f.Switch
	if r.To == nil || r.To.Runtime == "" || r.To.Runtime == docker || r.From.Runtime != "" || r.Pod == nil {
		return false
	}
	for _, m := range f.Node.Checkpoints {
		at, sub := m.Obs.Fact.(evidence.SandboxCheckpoint).Changed, &m.Obs.Subject
		switch {
		case sub.Namespace != r.Namespace || sub.Pod != r.PodName || at.Before(r.Pod.CreatedAt) || at.After(r.To.Started):
		case sub.SandboxID != "" && sub.SandboxID == r.From.SandboxID:
			s.Point = basis.Found(r.To.Started, slices.Concat(basis.IDs(m.Obs), r.To.Records)...)
			s.From, s.To = docker, r.To.Runtime
			return true
		case s.Left.Answer != basis.Yes:
			s.Left = basis.Found(m.At, m.Obs.ID)
		}
	}
	return false
}

// settings compares what the kubelet logged of its runtime before the old instance began with what it logged up to its
// end.
func (f *finder) settings() {
	r, s := f.R, &f.Switch
	if f.Node == nil {
		return
	}
	began, until := r.From.Created, r.End().Add(tolerance.Settle)
	if began.IsZero() {
		began = r.From.Started
	}
	if r.To != nil && !r.To.Started.IsZero() {
		until = r.To.Started
	}
	type value struct {
		name, id string
	}
	before := map[string]value{}
	tells := func(m *timeline.Occurrence) bool { return runtimeNamed(m.Obs.Fact.(evidence.KubeletSetting)) != "" }
	for _, m := range f.Node.PrintedAround(began, until, tells, evidence.SettingRuntime,
		evidence.SettingRuntimeEndpoint, evidence.SettingRuntimeVersion) {
		set := m.Obs.Fact.(evidence.KubeletSetting)
		name := runtimeNamed(set)
		was, known := before[set.Name]
		if set.Name == evidence.SettingRuntimeVersion && known && was.name == name && !began.IsZero() && m.At.After(began) {
			// The runtime reports its own name; its configured name or endpoint may change.
			*s = Switch{Point: basis.Point{Answer: basis.No, Evidence: []string{was.id, m.Obs.ID}}, Left: s.Left}
			continue
		}
		switch {
		case !known || !began.IsZero() && !m.At.After(began):
			before[set.Name] = value{name, m.Obs.ID}
		case was.name != name:
			// If several settings changed together, the runtime's own name is the most specific.
			if s.Answer != basis.Yes || set.Name == evidence.SettingRuntimeVersion {
				*s = Switch{Point: basis.Found(m.At, was.id, m.Obs.ID), From: was.name, To: name, Left: s.Left}
			}
		}
	}
}

// runtimeNamed returns the runtime in a setting, in one spelling; "" for other settings. Another version is not another
// runtime.
func runtimeNamed(set evidence.KubeletSetting) string {
	v := set.Value.String()
	switch set.Name {
	case evidence.SettingRuntimeVersion:
		name, _, _ := strings.Cut(v, " ")
		return name
	case evidence.SettingRuntimeEndpoint:
		return strings.Replace(strings.TrimPrefix(v, "unix://"), "/var/run/", "/run/", 1)
	case evidence.SettingRuntime:
		return v
	}
	return ""
}

// left looks for a runtime that the kubelet does not use and that still has pods, next to the one in use.
func (f *finder) left() {
	var used bool
	var other basis.Point
	for _, m := range f.Node.Runtimes {
		switch e := m.Obs.Fact.(evidence.RuntimeEndpoint); {
		case e.Configured:
			used = true
		case e.Sandboxes > 0:
			other = basis.Found(m.At, append(other.Evidence, m.Obs.ID)...)
		}
	}
	if used {
		f.Switch.Left = other
	}
}
