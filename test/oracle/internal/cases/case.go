// Package cases holds the oracle's cases: pods with their state, generated from a seed to reach the corner cases of the
// kubelet's decision; our decision's answers to them; and the smallest case that still shows a difference.
//
// It may import analyzer/kubelet and below, and k8s.io/api. It does no I/O and never sees upstream's code.
package cases

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
)

// Case is one question to the kubelet. Both sides read its JSON, which is one line.
type Case struct {
	Pod    *corev1.Pod
	Status decide.Status
	// Gates are the feature gates that are set, by their upstream names.
	Gates map[string]bool
}

// Answer is the result of PodSandboxChanged and computePodActions for a case, in a form that does not depend on the
// release.
type Answer struct {
	// Refused is why upstream gave no answer: a gate that cannot be set that way, or a panic. Our side never refuses.
	Refused string `json:",omitempty"`

	SandboxChanged bool
	SandboxAttempt uint32
	Sandbox        string
	// SandboxReason is the reason in the condition (1.37+).
	SandboxReason string `json:",omitempty"`

	KillPod, CreateSandbox bool
	SandboxID              string
	Attempt                uint32
	Init, Start, Ephemeral []int `json:",omitempty"`
	// Kill is sorted by ID; Update has container IDs by resource, in order.
	Kill                    []Kill              `json:",omitempty"`
	Update                  map[string][]string `json:",omitempty"`
	UpdatePodResources      bool
	UpdatePodLevelResources bool
	Reset                   []Reset `json:",omitempty"`
}

// Kill is one container that is stopped.
type Kill struct{ ID, Name, Reason, Message string }

// Reset is one container record that is removed.
type Reset struct {
	ID   string
	Kill bool
}

// Profile returns the profile of a release, such as v1.30.14, with the case's gates set.
func Profile(release string, gates map[string]bool) (kubelet.Profile, error) {
	v, err := kubelet.ParseVersion(release)
	if err != nil {
		return kubelet.Profile{}, err
	}
	p, err := kubelet.ProfileFor(v)
	if err != nil {
		return kubelet.Profile{}, err
	}
	for name, on := range gates {
		if p, err = p.WithGate(name, on); err != nil {
			return kubelet.Profile{}, err
		}
	}
	return p, nil
}

// Line returns the case as one line of JSON with its line feed.
func (c *Case) Line() ([]byte, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("write case: %w", err)
	}
	return append(text, '\n'), nil
}

// Read reads a line that Line wrote. A kubelet, too, sees a pod only after it went through JSON.
func Read(line []byte) (Case, error) {
	var c Case
	if err := json.Unmarshal(line, &c); err != nil {
		return Case{}, fmt.Errorf("read case: %w", err)
	}
	return c, nil
}

// Ours returns our decision about the case. The trace is nil unless requested.
func Ours(p kubelet.Profile, c *Case, trace bool) (Answer, decide.Trace) {
	var a Answer
	a.SandboxChanged, a.SandboxAttempt, a.Sandbox, a.SandboxReason = decide.PodSandboxChanged(p, c.Pod, &c.Status)
	got, steps := decide.ComputePodActions(p, c.Pod, &c.Status, decide.Options{Trace: trace})
	a.KillPod, a.CreateSandbox, a.SandboxID, a.Attempt = got.KillPod, got.CreateSandbox, got.SandboxID, got.Attempt
	a.Init, a.Start, a.Ephemeral = got.InitContainersToStart, got.ContainersToStart, got.EphemeralContainersToStart
	a.UpdatePodResources, a.UpdatePodLevelResources = got.UpdatePodResources, got.UpdatePodLevelResources
	for _, k := range got.ContainersToKill {
		a.Kill = append(a.Kill, Kill{k.ID, k.Name, string(k.Reason), k.Message})
	}
	slices.SortFunc(a.Kill, func(x, y Kill) int { return strings.Compare(x.ID, y.ID) })
	for _, u := range got.ContainersToUpdate {
		if a.Update == nil {
			a.Update = map[string][]string{}
		}
		a.Update[string(u.Resource)] = append(a.Update[string(u.Resource)], u.ID)
	}
	for _, r := range got.ContainersToReset {
		a.Reset = append(a.Reset, Reset{r.ID, r.Kill})
	}
	return a, steps
}
