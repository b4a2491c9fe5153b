package cluster

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/image"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
)

// Where the kubelet's files are inside a node.
const (
	kubeletConfig     = "/etc/kubernetes/kubelet-config.yaml"
	kubeletKubeconfig = "/etc/kubernetes/kubelet.kubeconfig"
	clientCA          = "/etc/kubernetes/ca.crt"
)

// StaticPods is where the kubelet reads static pod manifests inside a node.
const StaticPods = "/etc/kubernetes/manifests"

// Minor returns the minor version of a release: 30 for v1.30.14.
func Minor(release string) (int, error) {
	parts := strings.Split(release, ".")
	if len(parts) != 3 || parts[0] != "v1" {
		return 0, fmt.Errorf("read version %q: want v1.<minor>.<patch>", release)
	}
	minor, err := strconv.Atoi(parts[1])
	if err != nil {
		return 0, fmt.Errorf("read version %q: want v1.<minor>.<patch>", release)
	}
	return minor, nil
}

// kubeletFiles returns the kubelet's configuration for one version: the config file and the flags of its unit. Versions
// differ in where the runtime endpoint is set, whether cgroup v1 must be allowed and how node log query is enabled;
// kinds of nodes differ in the cgroup driver and whether the node can shut down.
func kubeletFiles(node string, index int, kind machine.Kind, release string) (config, flags string, err error) {
	minor, err := Minor(release)
	if err != nil {
		return "", "", err
	}
	endpoint := "unix://" + machine.RuntimeSocket
	c := map[string]any{
		"apiVersion": "kubelet.config.k8s.io/v1beta1",
		"kind":       "KubeletConfiguration",
		"authentication": map[string]any{
			"anonymous": map[string]any{"enabled": false},
			"webhook":   map[string]any{"enabled": true},
			"x509":      map[string]any{"clientCAFile": clientCA},
		},
		"authorization": map[string]any{"mode": "Webhook"},
		"cgroupDriver":  "cgroupfs",
		"failSwapOn":    false,
		"oomScoreAdj":   0, // this machine's root cannot lower it
		"readOnlyPort":  0,
		"clusterDomain": "cluster.local",
		"staticPodPath": StaticPods,
		"maxPods":       64,
		// The defaults since 1.27. Before that they were 5 and 10: when a whole node's pods start at once, their events
		// would arrive half a minute late.
		"eventRecordQPS":              50,
		"eventBurst":                  100,
		"syncFrequency":               "10s",
		"serializeImagePulls":         true,
		"makeIPTablesUtilChains":      false,
		"nodeStatusUpdateFrequency":   "4s",
		"nodeStatusReportFrequency":   "20s",
		"enableSystemLogHandler":      true,
		"imageGCHighThresholdPercent": 100, // a collected image cannot be pulled again
		"imageGCLowThresholdPercent":  99,
		"evictionHard": map[string]any{ // the disk is the host's; the lab must not react if it is full
			"memory.available": "50Mi", "nodefs.available": "0%", "imagefs.available": "0%", "nodefs.inodesFree": "0%",
		},
	}
	f := []string{"--config=" + kubeletConfig, "--kubeconfig=" + kubeletKubeconfig, "--hostname-override=" + node,
		"--node-ip=" + machine.Address(index), "--v=2"}

	if minor <= 26 {
		f = append(f, "--container-runtime-endpoint="+endpoint)
		if minor <= 23 {
			f = append(f, "--container-runtime=remote")
		}
		f = append(f, "--pod-infra-container-image="+image.Pause)
	} else {
		c["containerRuntimeEndpoint"] = endpoint
	}
	if minor >= 27 {
		c["enableSystemLogQuery"] = true
	}
	if minor >= 27 && minor <= 35 {
		c["featureGates"] = map[string]bool{"NodeLogQuery": true}
	}
	switch {
	case kind == machine.Emulated:
		c["cgroupDriver"] = "systemd"
		delete(c, "oomScoreAdj")
		c["shutdownGracePeriod"], c["shutdownGracePeriodCriticalPods"] = "2m", "20s"
		// Memory is checked every ten seconds, so it must not be used up within that time.
		c["evictionHard"] = map[string]any{"memory.available": "500Mi", "nodefs.available": "5%", "imagefs.available": "5%",
			"nodefs.inodesFree": "5%"}
		c["evictionPressureTransitionPeriod"] = "15s"
		// As often as everywhere: an emulated processor has no time for more.
		c["syncFrequency"], c["nodeStatusUpdateFrequency"] = "1m", "10s"
		// A field, where others have a flag: a part may need another value, and a flag would win.
		c["logging"] = map[string]any{"verbosity": 2}
		f = slices.DeleteFunc(f, func(flag string) bool { return flag == "--v=2" })
	case minor >= 31:
		c["failCgroupV1"] = false
	}
	raw, err := yaml.Marshal(c)
	if err != nil {
		return "", "", fmt.Errorf("write kubelet configuration: %w", err)
	}
	return string(raw), "KUBELET_FLAGS=" + strings.Join(f, " ") + "\n", nil
}

// HasLogQuery reports whether the kubelet of a release answers node log queries.
func HasLogQuery(release string) bool {
	minor, err := Minor(release)
	return err == nil && minor >= 27
}
