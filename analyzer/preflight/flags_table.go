package preflight

// removedFlags lists the command line flags that the kubelet of a minor no longer knows: it ends at once when it is
// given one. Rows behind 1.24 are generated (make generate) from the inventories of Kubernetes 1.24.17 to 1.37.2: the
// flags of cmd/kubelet/app/options, pkg/kubelet/config and component-base, and those of klog. Older rows were read from
// cmd/kubelet/app/options and pkg/kubelet/config/flags.go of the last published patch of each minor from 1.10 on, and
// stay as they stand. Flags that only moved to another package are left out.
var removedFlags = map[int][]string{
	11: {
		"enable-custom-metrics", "experimental-allowed-unsafe-sysctls", "experimental-qos-reserved", "rkt-api-endpoint",
		"rkt-path", "rkt-stage1-image",
	},
	12: {"cadvisor-port", "docker-disable-shared-pid"},
	14: {"experimental-fail-swap-on"},
	15: {
		"allow-privileged", "host-ipc-sources", "host-network-sources", "host-pid-sources",
	},
	16: {"containerized"},
	19: {"bootstrap-checkpoint-path", "experimental-dockershim"},
	21: {"enable-cadvisor-json-endpoints"},
	22: {"chaos-chance"},
	23: {"experimental-bootstrap-kubeconfig", "seccomp-profile-root"},
	24: {
		"cni-bin-dir", "cni-cache-dir", "cni-conf-dir", "docker-endpoint", "dynamic-config-dir",
		"experimental-check-node-capabilities-before-mount", "experimental-dockershim-root-directory",
		"image-pull-progress-deadline", "network-plugin", "network-plugin-mtu", "non-masquerade-cidr",
		"really-crash-for-testing",
	},
	25: {"experimental-kernel-memcg-notification"},
	26: {
		"add-dir-header", "alsologtostderr", "log-backtrace-at", "log-dir", "log-file", "log-file-max-size",
		"logtostderr", "one-output", "skip-headers", "skip-log-headers", "stderrthreshold",
	},
	27: {"container-runtime", "master-service-namespace"},
	31: {"iptables-drop-bit", "iptables-masquerade-bit", "keep-terminated-pod-volumes"},
	34: {"cloud-config", "register-schedulable"},
	35: {"pod-infra-container-image"},
	37: {
		"application-metrics-count-limit", "boot-id-file", "container-hints", "containerd", "containerd-namespace",
		"enable-load-reader", "event-storage-age-limit", "event-storage-event-limit", "global-housekeeping-interval",
		"log-cadvisor-usage", "machine-id-file", "storage-driver-buffer-duration", "storage-driver-db",
		"storage-driver-host", "storage-driver-password", "storage-driver-secure", "storage-driver-table",
		"storage-driver-user",
	},
}
