package detail

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// set records what a fact says about the settings of a node's kubelet and runtime. Facts come in order of time: the
// latest wins.
func set(all map[string]string, f evidence.Fact) {
	put := func(name, value string) {
		if value != "" {
			all[name] = value
		}
	}
	switch f := f.(type) {
	case evidence.KubeletSetting:
		put(f.Name, short(f.Value.String()))
	case evidence.KubeletSettings:
		put(evidence.SettingCgroupDriver, f.CgroupDriver)
		put(evidence.SettingCgroupRoot, f.CgroupRoot)
		put(evidence.SettingCgroupsPerQOS, truth(f.CgroupsPerQOS))
		put(evidence.SettingRuntimeEndpoint, f.RuntimeEndpoint)
		put(evidence.SettingManifestPath, f.StaticPodPath)
		put("root-dir", f.RootDir)
		put("cpu-manager-policy", f.CPUManagerPolicy)
		put("memory-manager-policy", f.MemoryManagerPolicy)
		put("topology-manager-policy", f.TopologyManagerPolicy)
		put("single-process-oom-kill", truth(f.SingleProcessOOMKill))
		put("fail-cgroup-v1", truth(f.FailCgroupV1))
		if f.ShutdownGrace > 0 {
			put("shutdown-grace-period", f.ShutdownGrace.String())
		}
		put(evidence.SettingFeatureGates, pairs(f.FeatureGates, "="))
		put("eviction-hard", pairs(f.Eviction, "<"))
	case evidence.RuntimeSettings:
		put("runtime's cgroup driver", f.CgroupDriver)
	case evidence.CgroupControllers:
		put("cgroup version", fmt.Sprint(f.Version))
		put("cgroup controllers missing", strings.Join(f.Lacking, ", "))
	case evidence.RuntimeEndpoint:
		if f.Used || f.Configured {
			put("runtime at "+f.Endpoint, strings.TrimSpace(f.Name+" "+f.Version))
		}
	}
}

func truth(b *bool) string {
	if b == nil {
		return ""
	}
	return fmt.Sprint(*b)
}

// pairs lists a map, sorted by key.
func pairs[V any](m map[string]V, between string) string {
	parts := make([]string, 0, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, fmt.Sprint(k, between, m[k]))
	}
	return short(strings.Join(parts, ","))
}
