package hostfiles

import (
	"maps"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletconfig"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Settings are the kubelet's settings from its files and its command line together.
type Settings = kubeletconfig.Settings

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
	flagHostname, flagConfig, flagConfigDir, flagRootDir, flagRuntime, flagArgsFile,
	flagEndpoint, flagGates, flagEviction, flagStaticPods,
	"cgroup-driver", "cgroup-root", "cgroups-per-qos", "cpu-manager-policy",
	"memory-manager-policy", "topology-manager-policy",
}

// flagged applies the flags over the configuration: the kubelet parses its command line again after the files
// (cmd/kubelet/app/server.go kubeletConfigFlagPrecedence). Feature gates of the command line are added one by one.
func flagged(s Settings, flags map[string]string) Settings {
	for name, to := range map[string]*string{
		"cgroup-driver": &s.CgroupDriver, "cgroup-root": &s.CgroupRoot, flagEndpoint: &s.ContainerRuntimeEndpoint,
		flagStaticPods:       &s.StaticPodPath,
		"cpu-manager-policy": &s.CPUManagerPolicy, "memory-manager-policy": &s.MemoryManagerPolicy,
		"topology-manager-policy": &s.TopologyManagerPolicy,
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

// fact returns the stored settings, made safe.
func (k *Kubelet) fact() evidence.KubeletSettings {
	f := k.Settings.Fact()
	f.RootDir = safetext.Ident(k.RootDir)
	for _, name := range k.Flags {
		f.Flags = append(f.Flags, safetext.Ident(name))
	}
	return f
}

// quote returns the settings that are set, in one line.
func (k *Kubelet) quote() string {
	text := "kubelet pid " + strconv.Itoa(k.PID) + k.Quote()
	if k.RootDir != "" {
		text += ", rootDir " + k.RootDir
	}
	return text
}
