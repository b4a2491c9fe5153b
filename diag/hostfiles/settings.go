package hostfiles

import (
	"errors"
	"maps"
	"strconv"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Settings are the keys that are read of a KubeletConfiguration
// (kubelet.config.k8s.io/v1beta1), and the flags of the same meaning: those that
// restarts depend on. No other key is looked at. Empty is "not set".
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
}

// The kubelet's flags that are read; no other flag's value is ever kept.
const (
	flagHostname   = "hostname-override"
	flagConfig     = "config"
	flagConfigDir  = "config-dir"
	flagRootDir    = "root-dir"
	flagRuntime    = "container-runtime" // ≤1.26: docker or remote
	flagArgsFile   = "kubelet-args-file" // of MicroK8s' kubelite
	flagEndpoint   = "container-runtime-endpoint"
	flagGates      = "feature-gates"
	flagEviction   = "eviction-hard"
	flagStaticPods = "pod-manifest-path"
)

var wantedFlags = []string{
	flagHostname, flagConfig, flagConfigDir, flagRootDir, flagRuntime, flagArgsFile, flagEndpoint, flagGates, flagEviction, flagStaticPods,
	"cgroup-driver", "cgroup-root", "cgroups-per-qos", "cpu-manager-policy", "memory-manager-policy", "topology-manager-policy",
}

// parseConfig reads a kubelet's configuration file or a part of one over what is
// known already: what the text sets wins, maps are merged (kubelet v1.28+
// cmd/kubelet/app/server.go mergeKubeletConfigurations).
func parseConfig(text string, over Settings) (Settings, error) {
	s := over
	s.FeatureGates, s.EvictionHard = maps.Clone(over.FeatureGates), maps.Clone(over.EvictionHard)
	if err := yaml.Unmarshal([]byte(text), &s); err != nil {
		// YAML errors quote the line that they are about; a configuration is not
		// ours to repeat.
		return over, errors.New("not a YAML object of the expected types")
	}
	return s, nil
}

// flagged puts the flags over the configuration: the kubelet parses its command
// line once more after the files (cmd/kubelet/app/server.go
// kubeletConfigFlagPrecedence). Gates of the command line are added one by one.
func flagged(s Settings, flags map[string]string) Settings {
	for name, to := range map[string]*string{
		"cgroup-driver": &s.CgroupDriver, "cgroup-root": &s.CgroupRoot, flagEndpoint: &s.ContainerRuntimeEndpoint, flagStaticPods: &s.StaticPodPath,
		"cpu-manager-policy": &s.CPUManagerPolicy, "memory-manager-policy": &s.MemoryManagerPolicy, "topology-manager-policy": &s.TopologyManagerPolicy,
	} {
		if v, ok := flags[name]; ok {
			*to = v
		}
	}
	if v, ok := flags["cgroups-per-qos"]; ok {
		if on, err := strconv.ParseBool(v); err == nil {
			s.CgroupsPerQOS = &on
		}
	}
	gates := maps.Clone(s.FeatureGates)
	for pair := range strings.SplitSeq(flags[flagGates], ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
		if on, err := strconv.ParseBool(value); err == nil && name != "" {
			if gates == nil {
				gates = map[string]bool{}
			}
			gates[name] = on
		}
	}
	s.FeatureGates = gates
	if v, ok := flags[flagEviction]; ok {
		s.EvictionHard = thresholds(v)
	}
	return s
}

// thresholds reads "memory.available<100Mi,nodefs.available<10%".
func thresholds(text string) map[string]string {
	found := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		if signal, value, ok := strings.Cut(strings.TrimSpace(part), "<"); ok {
			found[signal] = value
		}
	}
	return found
}

// fact is what the stored settings say, made safe.
func (k Kubelet) fact() evidence.KubeletSettings {
	f := evidence.KubeletSettings{
		PID: max(k.PID, 0), Started: k.Started.UTC(), CgroupDriver: safetext.Ident(k.CgroupDriver), CgroupRoot: safetext.Ident(k.CgroupRoot), CgroupsPerQOS: k.CgroupsPerQOS,
		RuntimeEndpoint: safetext.Ident(k.ContainerRuntimeEndpoint), RootDir: safetext.Ident(k.RootDir), StaticPodPath: safetext.Ident(k.StaticPodPath),
		CPUManagerPolicy: safetext.Ident(k.CPUManagerPolicy), MemoryManagerPolicy: safetext.Ident(k.MemoryManagerPolicy), TopologyManagerPolicy: safetext.Ident(k.TopologyManagerPolicy),
		SingleProcessOOMKill: k.SingleProcessOOMKill, FailCgroupV1: k.FailCgroupV1,
	}
	if d, err := time.ParseDuration(k.ShutdownGracePeriod); err == nil && d > 0 {
		f.ShutdownGrace = d
	}
	for _, name := range k.Flags {
		f.Flags = append(f.Flags, safetext.Ident(name))
	}
	for name, on := range k.FeatureGates {
		if f.FeatureGates == nil {
			f.FeatureGates = map[string]bool{}
		}
		f.FeatureGates[safetext.Ident(name)] = on
	}
	for signal, value := range k.EvictionHard {
		if f.Eviction == nil {
			f.Eviction = map[string]string{}
		}
		f.Eviction[safetext.Ident(signal)] = safetext.Ident(value)
	}
	return f
}

// quote is the settings in one line, those that were made.
func (k Kubelet) quote() string {
	text := "kubelet pid " + strconv.Itoa(k.PID)
	for _, s := range []struct{ name, value string }{
		{"cgroupDriver", k.CgroupDriver}, {"cgroupRoot", k.CgroupRoot}, {"containerRuntimeEndpoint", k.ContainerRuntimeEndpoint}, {"staticPodPath", k.StaticPodPath},
		{"rootDir", k.RootDir}, {"cpuManagerPolicy", k.CPUManagerPolicy}, {"memoryManagerPolicy", k.MemoryManagerPolicy}, {"shutdownGracePeriod", k.ShutdownGracePeriod},
	} {
		if s.value != "" {
			text += ", " + s.name + " " + s.value
		}
	}
	return text
}
