package kubeletdir

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// checkpoint is what we keep of one state file of the kubelet.
type checkpoint struct {
	Name     string    `json:"name"`
	Exists   bool      `json:"exists"`
	Changed  time.Time `json:"changed,omitzero"`
	Policy   string    `json:"policy,omitempty"`
	Checksum string    `json:"checksum,omitempty"` // ok, bad, or empty if it cannot be checked
	// DataChecksum is the checksum of the cpu and memory managers' inner data (1.37+), which kubelets use from then on:
	// ok, bad, or empty if there is none.
	DataChecksum string   `json:"dataChecksum,omitempty"`
	Problem      string   `json:"problem,omitempty"`
	Pods         int      `json:"pods,omitempty"`
	Containers   int      `json:"containers,omitempty"`
	Records      []record `json:"records,omitempty"`
}

// record is one container's resources.
type record struct {
	PodUID    string            `json:"podUID"`
	Container string            `json:"container"`
	Resources map[string]string `json:"resources,omitempty"`
}

// kinds maps resource checkpoints' file names to their kinds: actuated and allocated since v1.33
// (allocation/allocation_manager.go, from v1.35 kuberuntime_manager.go), pod_status_manager_state v1.27–v1.32
// (status/status_manager.go).
var kinds = map[string]string{"actuated_pods_state": "actuated", "allocated_pods_state": "allocated",
	"pod_status_manager_state": "allocated"}

// files are the checkpoints below the kubelet's root directory. parse fills in what the content says.
var files = []struct {
	name  string
	parse func([]byte, *checkpoint) error
}{
	{"actuated_pods_state", parseResources},
	{"allocated_pods_state", parseResources},
	{"pod_status_manager_state", parseResources},
	{"cpu_manager_state", parseCPU},
	{"memory_manager_state", parseMemory},
	{"device-plugins/kubelet_internal_checkpoint", parseDevices},
}

// checkpoints reads the state files. If the directory exists, a missing file is a fact too.
func (r *reader) checkpoints() []checkpoint {
	if _, err := os.ReadDir(r.below(r.o.RootDir)); err != nil {
		r.gap(fmt.Errorf("read the kubelet's checkpoints: %w", err))
		return nil
	}
	var out []checkpoint
	for _, f := range files {
		c := checkpoint{Name: path.Base(f.name)}
		data, changed, err := r.read(r.below(path.Join(r.o.RootDir, f.name)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			r.gap(fmt.Errorf("read the kubelet's checkpoint %s: %w", c.Name, err))
			continue
		default:
			c.Exists, c.Changed = true, changed
			if err := f.parse(data, &c); err != nil {
				c.Problem = err.Error()
			}
		}
		out = append(out, c)
	}
	return out
}

// parseResources reads {"data":"{\"entries\":…}","checksum":n} (v1.32+), or {"allocationEntries":…} (v1.27–v1.31),
// whose checksum is computed from a Go struct.
func parseResources(data []byte, c *checkpoint) error {
	var outer struct {
		Data              *string                               `json:"data"`
		Checksum          uint64                                `json:"checksum"`
		AllocationEntries map[string]map[string]json.RawMessage `json:"allocationEntries"`
	}
	if err := json.Unmarshal(data, &outer); err != nil {
		return notJSON(err)
	}
	entries := outer.AllocationEntries
	if outer.Data != nil {
		c.Checksum = checked(*outer.Data, outer.Checksum)
		var inner struct {
			Entries map[string]struct {
				ContainerResources map[string]json.RawMessage
			} `json:"entries"`
			AllocationEntries map[string]map[string]json.RawMessage `json:"allocationEntries"`
		}
		if err := json.Unmarshal([]byte(*outer.Data), &inner); err != nil {
			return notJSON(err)
		}
		entries = inner.AllocationEntries
		for uid, pod := range inner.Entries {
			if entries == nil {
				entries = map[string]map[string]json.RawMessage{}
			}
			entries[uid] = pod.ContainerResources
		}
	}
	c.Pods = len(entries)
	for _, uid := range slices.Sorted(maps.Keys(entries)) {
		for _, name := range slices.Sorted(maps.Keys(entries[uid])) {
			c.Containers++
			c.Records = append(c.Records, record{uid, name, quantities(entries[uid][name])})
		}
	}
	return nil
}

// quantities flattens {"limits":{"cpu":"1"},"requests":…}. A flat list, as up to v1.31, holds requests.
func quantities(data json.RawMessage) map[string]string {
	var nested map[string]map[string]string
	if json.Unmarshal(data, &nested) != nil {
		var flat map[string]string
		if json.Unmarshal(data, &flat) != nil {
			return nil
		}
		nested = map[string]map[string]string{"requests": flat}
	}
	out := map[string]string{}
	for _, list := range []string{"limits", "requests"} {
		for name, q := range nested[list] {
			out[list+"."+name] = q
		}
	}
	return out
}

// innerState is what 1.37 adds to the files of the cpu and memory managers: the whole state again, as a string with its
// own checksum. The fields around it are for older kubelets (cm/cpumanager/state, cm/memorymanager/state
// checkpoint.go).
type innerState struct {
	Data         string  `json:"data"`
	DataChecksum *uint64 `json:"dataChecksum"`
}

func (i *innerState) checked() string {
	if i.DataChecksum == nil {
		return ""
	}
	return checked(i.Data, *i.DataChecksum)
}

// parseCPU reads the cpu manager's state (cm/cpumanager/state/checkpoint.go).
func parseCPU(data []byte, c *checkpoint) error {
	var s struct {
		PolicyName    string          `json:"policyName"`
		DefaultCPUSet string          `json:"defaultCpuSet"`
		Entries       json.RawMessage `json:"entries"`
		Checksum      uint64          `json:"checksum"`
		innerState
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return notJSON(err)
	}
	c.Policy, c.DataChecksum = s.PolicyName, s.checked()
	var entries map[string]map[string]string
	if len(s.Entries) > 0 && json.Unmarshal(s.Entries, &entries) != nil {
		return nil // of kubelets ≤1.17: containers without their pods
	}
	c.count(entries)
	// The checksum is of the Go struct as spew prints it. Other versions have another struct, so a different checksum
	// proves nothing.
	var text strings.Builder
	fmt.Fprintf(&text, "(*state.CPUManagerCheckpoint){PolicyName:(string)%s DefaultCPUSet:(string)%s "+
		"Entries:(map[string]map[string]string)map[", s.PolicyName, s.DefaultCPUSet)
	for i, uid := range slices.Sorted(maps.Keys(entries)) {
		if i > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(uid + ":map[")
		for j, name := range slices.Sorted(maps.Keys(entries[uid])) {
			if j > 0 {
				text.WriteByte(' ')
			}
			text.WriteString(name + ":" + entries[uid][name])
		}
		text.WriteByte(']')
	}
	text.WriteString("] Checksum:(checksum.Checksum)0}")
	if sum(text.String()) == s.Checksum {
		c.Checksum = "ok"
	}
	return nil
}

// parseMemory reads the memory manager's state (cm/memorymanager/state).
func parseMemory(data []byte, c *checkpoint) error {
	var s struct {
		PolicyName string                                `json:"policyName"`
		Entries    map[string]map[string]json.RawMessage `json:"entries"`
		innerState
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return notJSON(err)
	}
	c.Policy, c.DataChecksum = s.PolicyName, s.checked()
	c.Pods = len(s.Entries)
	for _, containers := range s.Entries {
		c.Containers += len(containers)
	}
	return nil
}

// parseDevices counts the containers with devices (cm/devicemanager/checkpoint). It never decodes what a plugin
// answered, such as environment variables.
func parseDevices(data []byte, c *checkpoint) error {
	var s struct {
		Data struct {
			PodDeviceEntries []struct{ PodUID, ContainerName string }
		}
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return notJSON(err)
	}
	seen := map[string]map[string]string{}
	for _, e := range s.Data.PodDeviceEntries {
		if seen[e.PodUID] == nil {
			seen[e.PodUID] = map[string]string{}
		}
		seen[e.PodUID][e.ContainerName] = ""
	}
	c.count(seen)
	return nil
}

func (c *checkpoint) count(entries map[string]map[string]string) {
	c.Pods = len(entries)
	for _, containers := range entries {
		c.Containers += len(containers)
	}
}

// notJSON keeps the error's position, and nothing of the content.
func notJSON(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("not JSON at byte %d", syntax.Offset)
	case errors.As(err, &kind):
		return fmt.Errorf("not of the expected shape at %q", kind.Field)
	}
	return errors.New("not JSON")
}

// observe emits what is in the file, and each container's resources.
func (c checkpoint) observe(emit func(evidence.Observation)) {
	if c.Name == "" {
		return
	}
	f := evidence.CheckpointState{
		Name: safetext.Ident(c.Name), Exists: c.Exists,
		Checksum: safetext.Ident(c.Checksum), DataChecksum: safetext.Ident(c.DataChecksum),
		Pods: max(c.Pods, 0), Containers: max(c.Containers, 0), Problem: safetext.Clean(c.Problem),
	}
	text := "checkpoint " + c.Name
	switch {
	case !c.Exists:
		text += " does not exist"
	case c.Problem != "":
		text += ": " + c.Problem
	default:
		text += fmt.Sprintf(": %d containers of %d pods", f.Containers, f.Pods)
	}
	if c.Policy != "" {
		text += ", policy " + c.Policy
	}
	if c.Checksum == "bad" || c.DataChecksum == "bad" {
		text += ", its checksum is wrong"
	}
	emit(evidence.Observation{Fact: f, Text: safetext.Clean(text)})
	kind := cmp.Or(kinds[c.Name], "allocated")
	for _, r := range c.Records {
		if r.PodUID == "" || r.Container == "" {
			continue
		}
		var words []string
		for _, name := range slices.Sorted(maps.Keys(r.Resources)) {
			words = append(words, name+"="+r.Resources[name])
		}
		emit(evidence.Observation{
			Subject: evidence.Subject{PodUID: r.PodUID, Container: r.Container}, Fact: evidence.ResourceRecord{},
			Text: safetext.Clean(strings.TrimSpace(kind + " resources of container " +
				r.Container + " " + strings.Join(words, " "))),
		})
	}
}
