package cri

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// observation turns a container into a fact. Its time is the last change in the record, so that the same record has the
// same id in every collection.
func (c container) observation() evidence.Observation {
	rec := evidence.ContainerRecord{
		State:                c.state(),
		Attempt:              number(c.Attempt),
		Created:              nanos(c.CreatedAt),
		Started:              nanos(c.StartedAt),
		Finished:             nanos(c.FinishedAt),
		Reason:               safetext.Ident(c.Reason),
		Message:              safetext.Clean(c.Message),
		Image:                safetext.Ident(c.Image),
		Hash:                 safetext.Ident(c.Annotations[annHash]),
		HashWithoutResources: safetext.Ident(c.Annotations[annHashNoRes]),
		RestartCount:         -1,
		CgroupsPath:          safetext.Ident(c.CgroupsPath),
		PID:                  max(c.PID, 0),
		MemoryLimit:          max(c.MemoryLimit, 0),
		Coarse:               c.Coarse,
	}
	if n, err := strconv.Atoi(c.Annotations[annRestartCount]); err == nil && n >= 0 {
		rec.RestartCount = n
	}
	if rec.State == evidence.StateExited {
		rec.ExitCode = c.ExitCode
	}
	at := rec.Created
	for _, t := range []time.Time{rec.Started, rec.Finished} {
		if t.After(at) {
			at = t
		}
	}
	return evidence.Observation{
		Time: at,
		Subject: evidence.Subject{
			Namespace: c.Namespace, Pod: c.Pod, PodUID: c.PodUID,
			Container: c.Name, ContainerID: c.ID, SandboxID: c.SandboxID,
		},
		Fact: rec, Text: safetext.Clean(quoteContainer(c.Name, rec)),
	}
}

func (c container) state() evidence.ContainerState {
	switch c.State {
	case stateCreated:
		return evidence.StateCreated
	case stateRunning:
		return evidence.StateRunning
	case stateExited:
		return evidence.StateExited
	}
	return evidence.StateUnknown
}

// quoteContainer returns the record as one short line: "container a attempt 3 exited 137 OOMKilled, hash c87f01d2".
func quoteContainer(name string, r evidence.ContainerRecord) string {
	words := []string{"container", name}
	if r.Attempt >= 0 {
		words = append(words, "attempt", strconv.Itoa(r.Attempt))
	}
	words = append(words, string(r.State))
	if r.ExitCode != nil {
		words = append(words, strconv.Itoa(int(*r.ExitCode)))
	}
	if r.Reason != "" {
		words = append(words, r.Reason)
	}
	text := strings.Join(words, " ")
	if r.Hash != "" {
		text += ", hash " + r.Hash
	}
	return text
}

// observation turns a sandbox into a fact, at the time of its creation: the CRI does not report when one ended.
func (s sandbox) observation() evidence.Observation {
	rec := evidence.SandboxRecord{
		Attempt: number(s.Attempt), Ready: s.State == stateReady, Created: nanos(s.CreatedAt),
		IP: safetext.Ident(s.IP), HostNetwork: s.HostNetwork, Coarse: s.Coarse,
		CgroupParent: safetext.Ident(s.CgroupParent), ConfigSource: safetext.Ident(s.Annotations[annConfigSource]),
	}
	text := "sandbox"
	if rec.Attempt >= 0 {
		text += fmt.Sprintf(" attempt %d", rec.Attempt)
	}
	if rec.Ready {
		text += " ready"
	} else {
		text += " not ready"
	}
	if rec.IP != "" {
		text += ", ip " + rec.IP
	}
	return evidence.Observation{
		Time:    rec.Created,
		Subject: evidence.Subject{Namespace: s.Namespace, Pod: s.Pod, PodUID: s.PodUID, SandboxID: s.ID},
		Fact:    rec, Text: safetext.Clean(text),
	}
}

// nanos converts a CRI time. 0 and anything before 1970 mean no time.
func nanos(n int64) time.Time {
	if n <= 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}

func number(n *uint32) int {
	if n == nil {
		return -1
	}
	return int(*n)
}

// observe reports on the runtimes themselves: which answer, how many containers each has, and which cgroup driver the
// one in use has.
func (r *records) observe(b nodefile.Observer) {
	say := func(at time.Time, f evidence.Fact, text string) {
		b.Observe(evidence.Observation{Time: at, Fact: f, Text: safetext.Clean(text)})
	}
	if at := nanos(r.KubeletStarted); !at.IsZero() {
		say(at, evidence.KubeletStarted{}, "the kubelet's container was started")
	}
	if at := nanos(r.KubeletEnded); !at.IsZero() {
		say(at, evidence.UnitChanged{Unit: "kubelet.service", Change: "exited"}, "the kubelet's container ended")
	}
	if at := nanos(r.Other.StartedAt); !at.IsZero() {
		say(at, evidence.RunsSince{}, "container "+r.Other.Name+" runs since")
	}
	for _, e := range r.Endpoints {
		text := fmt.Sprintf("%s %s at %s: %d sandboxes, %d containers", e.Runtime,
			e.RuntimeVersion, e.Endpoint, e.Sandboxes, e.Containers)
		if e.Configured {
			text += "; the kubelet's"
		}
		say(r.CollectedAt, evidence.RuntimeEndpoint{
			Endpoint: safetext.Ident(e.Endpoint), Name: safetext.Ident(e.Runtime), Version: safetext.Ident(e.RuntimeVersion),
			Sandboxes: max(e.Sandboxes, 0), Containers: max(e.Containers, 0), Used: e.Used, Configured: e.Configured,
		}, text)
	}
	if s := r.Settings; s.CgroupDriver != "" {
		say(r.CollectedAt, evidence.RuntimeSettings{CgroupDriver: safetext.Ident(s.CgroupDriver)},
			"the runtime uses the cgroup driver "+s.CgroupDriver)
	}
}
