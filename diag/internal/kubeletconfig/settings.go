// Package kubeletconfig holds the keys of a KubeletConfiguration that restarts depend on, from any source: the
// kubelet's files on the node, and since v1.37 its log. It reads YAML and makes facts. It looks at no other key, so
// that nothing secret can pass. It may import diag/evidence and diag/safetext; it does no I/O.
package kubeletconfig

import (
	"errors"
	"maps"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Settings are the keys that are read of a KubeletConfiguration (kubelet.config.k8s.io/v1beta1), and the flags with the
// same meaning. Empty is "not set".
type Settings struct {
	CgroupDriver             string            `json:"cgroupDriver,omitempty"`
	CgroupRoot               string            `json:"cgroupRoot,omitempty"`
	CgroupsPerQOS            *bool             `json:"cgroupsPerQOS,omitempty"`
	ContainerRuntimeEndpoint string            `json:"containerRuntimeEndpoint,omitempty"`
	StaticPodPath            string            `json:"staticPodPath,omitempty"`
	CPUManagerPolicy         string            `json:"cpuManagerPolicy,omitempty"`
	MemoryManagerPolicy      string            `json:"memoryManagerPolicy,omitempty"`
	TopologyManagerPolicy    string            `json:"topologyManagerPolicy,omitempty"`
	SingleProcessOOMKill     *bool             `json:"singleProcessOOMKill,omitempty"`
	FailCgroupV1             *bool             `json:"failCgroupV1,omitempty"`
	ShutdownGracePeriod      string            `json:"shutdownGracePeriod,omitempty"`
	FeatureGates             map[string]bool   `json:"featureGates,omitempty"`
	EvictionHard             map[string]string `json:"evictionHard,omitempty"`
	MemoryThrottlingFactor   *float64          `json:"memoryThrottlingFactor,omitempty"`
	EventRecordQPS           *int32            `json:"eventRecordQPS,omitempty"`
	AllowedUnsafeSysctls     []string          `json:"allowedUnsafeSysctls,omitempty"`
	DefaultPodSysctls        Given             `json:"defaultPodSysctls,omitempty"`
}

// Given says only that a key has a value.
type Given bool

// UnmarshalJSON accepts every value except null, false and an empty object.
func (g *Given) UnmarshalJSON(b []byte) error {
	*g = string(b) != "null" && string(b) != "false" && string(b) != "{}"
	return nil
}

// Parse reads a configuration, or a part of one, over known settings: the text wins, and maps are merged (kubelet
// v1.28+ cmd/kubelet/app/server.go mergeKubeletConfigurations).
func Parse(text string, over Settings) (Settings, error) {
	s := over
	s.FeatureGates, s.EvictionHard = maps.Clone(over.FeatureGates), maps.Clone(over.EvictionHard)
	if err := yaml.Unmarshal([]byte(text), &s); err != nil {
		// YAML errors quote the line with the error; a configuration must not be repeated.
		return over, errors.New("not a YAML object of the expected types")
	}
	return s, nil
}

// Fact returns the settings as a fact, made safe.
func (s *Settings) Fact() evidence.KubeletSettings {
	f := evidence.KubeletSettings{
		CgroupDriver: safetext.Ident(s.CgroupDriver), CgroupRoot: safetext.Ident(s.CgroupRoot),
		CgroupsPerQOS:   s.CgroupsPerQOS,
		RuntimeEndpoint: safetext.Ident(s.ContainerRuntimeEndpoint), StaticPodPath: safetext.Ident(s.StaticPodPath),
		CPUManagerPolicy: safetext.Ident(s.CPUManagerPolicy), MemoryManagerPolicy: safetext.Ident(s.MemoryManagerPolicy),
		TopologyManagerPolicy: safetext.Ident(s.TopologyManagerPolicy),
		SingleProcessOOMKill:  s.SingleProcessOOMKill, FailCgroupV1: s.FailCgroupV1,
		MemoryThrottlingFactor: s.MemoryThrottlingFactor, EventRecordQPS: s.EventRecordQPS,
		DefaultPodSysctls: bool(s.DefaultPodSysctls),
	}
	for _, name := range s.AllowedUnsafeSysctls {
		f.UnsafeSysctls = append(f.UnsafeSysctls, safetext.Ident(name))
	}
	if d, err := time.ParseDuration(s.ShutdownGracePeriod); err == nil && d > 0 {
		f.ShutdownGrace = d
	}
	for name, on := range s.FeatureGates {
		if f.FeatureGates == nil {
			f.FeatureGates = map[string]bool{}
		}
		f.FeatureGates[safetext.Ident(name)] = on
	}
	for signal, value := range s.EvictionHard {
		if f.Eviction == nil {
			f.Eviction = map[string]string{}
		}
		f.Eviction[safetext.Ident(signal)] = safetext.Ident(value)
	}
	return f
}

// Quote returns the settings that are set, in one line, as far as they fit.
func (s *Settings) Quote() (text string) {
	for _, one := range []struct{ name, value string }{
		{"cgroupDriver", s.CgroupDriver}, {"cgroupRoot", s.CgroupRoot},
		{"containerRuntimeEndpoint", s.ContainerRuntimeEndpoint}, {"staticPodPath", s.StaticPodPath},
		{"cpuManagerPolicy", s.CPUManagerPolicy}, {"memoryManagerPolicy", s.MemoryManagerPolicy},
		{"shutdownGracePeriod", s.ShutdownGracePeriod},
	} {
		if one.value != "" {
			text += ", " + one.name + " " + one.value
		}
	}
	return text
}
