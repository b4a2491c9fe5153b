package cgroup

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// tree is the content of nodes/<node>/cgroup.json. The counters stay as the kernel printed them, so that a later reader
// can get more from them.
type tree struct {
	Version     int       `json:"version"` // 1 or 2: the version that has the memory controller
	Mount       string    `json:"mount"`   // where the memory controller's tree is mounted
	CollectedAt time.Time `json:"collectedAt"`
	Kubelet     kubelet   `json:"kubelet"`
	// Available are the controllers that the node offers.
	Available []string `json:"available,omitempty"`
	// Whole: Cgroups has every cgroup of a pod.
	Whole   bool    `json:"whole"`
	Cgroups []dir   `json:"cgroups"`
	Places  []place `json:"places,omitempty"`
}

// kubelet holds the kubelet's own settings; empty if they are not set.
type kubelet struct {
	Driver string `json:"driver,omitempty"`
	Root   string `json:"root,omitempty"`
}

// dir is one cgroup: its path below the mount and the text of its memory files.
type dir struct {
	Path  string            `json:"path"`
	Files map[string]string `json:"files"`
	// Lacking are the controllers of v1 that do not have this cgroup.
	Lacking []string `json:"lacking,omitempty"`
}

// The files that are read. Those that a kernel does not have are left out.
var (
	filesV1 = []string{"memory.oom_control", "memory.failcnt", "memory.limit_in_bytes",
		"memory.max_usage_in_bytes", "memory.usage_in_bytes", "cpu.stat", "pids.events"}
	filesV2 = []string{"memory.events", "memory.events.local", "memory.max",
		"memory.current", "memory.peak", "memory.oom.group", "memory.pressure", "cpu.stat", "pids.events"}
)

// NewPiece returns the piece of a stored cgroup.json. until is used as the time of collection if the file has none.
func NewPiece(node string, f evidence.File, until time.Time) evidence.RawEvidence {
	return nodefile.Of(evidence.SourceCgroup, node, f, func(b nodefile.Observer, t *struct {
		tree
		Cgroups []json.RawMessage `json:"cgroups"`
		Places  []json.RawMessage `json:"places"`
	}) error {
		if t.Version != 1 && t.Version != 2 {
			return fmt.Errorf("cgroup version %d is neither 1 nor 2", t.Version)
		}
		observe := func(o evidence.Observation) {
			o.Time = cmp.Or(t.CollectedAt, until)
			b.Observe(o)
		}
		if o, ok := controllerFact(&t.tree); ok {
			observe(o)
		}
		var dirs []dir
		lost := nodefile.Each(t.Cgroups, func(d dir) {
			dirs = append(dirs, d)
			if o, ok := observation(t.Version, d); ok {
				observe(o)
			}
		})
		t.Whole = t.Whole && lost == nil
		err := nodefile.Each(t.Places, func(p place) { t.tree.Places = append(t.tree.Places, p) })
		for _, o := range placements(&t.tree, dirs) {
			observe(o)
		}
		return cmp.Or(lost, err)
	})
}

// observation reads one cgroup of a pod or a container. Other cgroups say nothing about a restart.
func observation(version int, d dir) (evidence.Observation, bool) {
	ref, ok := ParsePath(d.Path)
	if !ok || ref.Inner != "" || ref.Level != LevelPod && ref.Level != LevelContainer {
		return evidence.Observation{}, false
	}
	return evidence.Observation{
		Subject: evidence.Subject{PodUID: ref.PodUID, ContainerID: ref.ContainerID},
		Fact:    evidence.CgroupState{},
		Text:    safetext.Clean(quote(version, safetext.Ident(d.Path), d.Files)),
	}, true
}

// quote returns a cgroup's counters as a short text for people.
func quote(version int, path string, files map[string]string) string {
	text := fmt.Sprintf("cgroup v%d %s:", version, path)
	put := func(name string, value int64) {
		if value >= 0 {
			text += fmt.Sprintf(" %s %d", name, value)
		}
	}
	if version == 2 {
		put("oom_kill", keyed(files["memory.events"], "oom_kill"))
		put("limit", single(files["memory.max"]))
		put("peak", single(files["memory.peak"]))
		return text
	}
	put("oom_kill", keyed(files["memory.oom_control"], "oom_kill"))
	put("limit", single(files["memory.limit_in_bytes"]))
	put("peak", single(files["memory.max_usage_in_bytes"]))
	put("failcnt", single(files["memory.failcnt"]))
	return text
}
