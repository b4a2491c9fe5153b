package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/modelled"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/report"
)

func kept(t *testing.T, version string) *inventory.Inventory {
	t.Helper()
	i, err := inventory.Read(filepath.Join("releases", version+".json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func compared(t *testing.T, from, to string) report.Report {
	t.Helper()
	return report.Compare(kept(t, from), kept(t, to), modelled.Parts, func(string) string { return "" })
}

// What a person found by comparing both sources before this program was written: each has to be in the report of 1.36.3
// → 1.37.1. A line has to contain every part; parts are separated by "…".
var facts = map[string][]string{
	"functions that we model": {
		"changed kubeGenericRuntimeManager.computeInitContainerActions…-FindContainerStatusByName…+FindActiveContainerStatusByName…+HasAnyActiveRegularContainerStarted",
		"changed kubeGenericRuntimeManager.computePodActions…+startingResizedContainer…ours: analyzer/kubelet/decide/compute.go compute",
		"changed PodSandboxChanged…multiple pod sandboxes are ready and need to be reconciled…network namespace mode changed and sandbox needs to be recreated…no pod sandbox exists…pod sandbox has no IP address…pod sandbox is not ready",
		"new kubeGenericRuntimeManager.InitializeActuatedPod", "changed Kubelet.SyncPod…+InitializeActuatedPod",
		"changed kubeGenericRuntimeManager.SyncPod…+lazyStart", "changed manager.AddPod…+WithoutCancel",
		"changed Kubelet.HandlePodUpdates…+HasPodAllocatedResources",
		"changed Kubelet.HandlePodReconcile…+HasPodAllocatedResources",
		"changed ComputePodQOS", "new newNodeHasSyncedFunc", "changed tryDecodeSinglePod",
		"new PodStatus.FindActiveContainerStatusByName",
	},
	"print of every pod": {
		"HostNetwork, HostPID, HostIPC, ShareProcessNamespace and HostUsers moved from PodSecurityContext to PodSpec",
		"PodSpec.DeprecatedServiceAccount", "PodSpec.EvictionResponders", "PodStatus.PodIP", "PodStatus.VolumeHealth",
	},
	"types in a pod's print, if used": {
		"order of its fields", "ConfigMapVolumeSource.DefaultUser", "EmptyDirVolumeSource.Mode",
		"VolumeMount.BindMountOptions",
		"HTTPGetAction.Protocol", "GRPCAction.Mode", "new ServiceAccountTokenProjection.ExpirationSeconds *int64",
		"KeyToPath.User",
	},
	"configuration": {"new defaultPodSysctls",
		"changed memoryThrottlingFactor: *float64, no default; was *float64, default 0.9"},
	"log messages": {
		"ended…Evented PLEG: Event channel is full, discarded pod lifecycle event",
		"ended…Evented PLEG: Failed to get container events, retrying: ",
		"ended…Evented PLEG: Generated pod status from the received event", "ended…Evented PLEG: Get cache",
		"ended…Fall back to Generic PLEG relisting since Evented PLEG is not working",
		"ended…Received Container Created Event",
		"ended…Received Container Started Event", "ended…Received Container Stopped Event",
		"ended…Received Container Deleted Event",
		"ended cmd/kubelet/app/server.go \"KubeletConfiguration\" IV5",
		"changed prober/prober.go \"GRPC-Probe\"…timeout,tls; was",
		"new cmd/kubelet/app/server.go \"Effective KubeletConfiguration\" I S config",
		"new cmd/kubelet/app/server.go \"Failed to marshal effective KubeletConfiguration for logging\" E S",
		"new cmd/kubelet/app/server.go \"CRI implementation does not support PodSandboxStats, falling back to cadvisor stats\" I",
		"new kubelet.go \"Skipping pod update for non-allocated pod\" IV4 S pod,podUID",
		"new kubelet.go \"Skipping pod reconcile operations for non-allocated pod\" IV4 S pod,podUID",
		"new kubelet_pods.go \"Preserving allocated CPU request due to cgroup v2 round-trip\" IV4 S allocated,actuated,allocatedShares,readbackShares",
		"new kuberuntime/kuberuntime_manager.go \"Failed to initialize actuated pod resource info checkpoint\" E S pod",
		"new kuberuntime/kuberuntime_manager.go \"Actuated resources missing for container\" IV4 S pod,container",
		"new kuberuntime/kuberuntime_manager.go \"Failed to read actuated empty dir volume limit\" E S pod,volume",
		"new config/common.go \"Static pod has priorityClassName and nil priority. Kubelet will not use priorityClassName, and mirror pod creation may fail.\" I S pod",
		"new config/common.go \"Static pod has priority without priorityClassName. Mirror pod creation may fail if the default priority class doesn't match the given priority.\" I S pod",
		"new config/common.go \"Static pod has a priority other than 2000001000 or a priorityClassName other than system-node-critical. Mirror pod may be attempted to be evicted from the node ineffectively.\" I S pod",
		"new eviction/eviction_manager.go \"Eviction manager: monitoring loop exiting\" I S err",
		"new nodeshutdown/nodeshutdown_manager_linux.go \"Shutdown manager failed to process shutdown event\" E S",
		"new nodeshutdown/nodeshutdown_manager_linux.go \"Failed to close previous dbus connection, ignoring and starting a new one anyway\" E S",
		"new nodeshutdown/nodeshutdown_manager_linux.go \"Failed to close dbus connection after start failure\" E S",
		"new pleg/evented.go \"Evented PLEG: requested pod relist after container termination\" IV4 S podUID,containerID,eventType",
		"new pleg/evented.go \"Evented PLEG: failed to get container events, retrying\" IV4 S err",
		"new pleg/evented.go \"Evented PLEG: disabling container-termination fast path after exhausting event stream retries\" E S retries",
		"new status/status_manager.go \"Pod has been deleted, no need to update volume health\" IV4 S podUID",
		"new status/status_manager.go \"Volume health changed before pod has synced\" I S pod,volumeName",
		"new status/status_manager.go \"Volume health unchanged\" IV4 S pod,volumeName",
		"new cm/qos_container_manager_linux.go \"Failed to reset memory protection on root cgroup\" E S",
		"\"trying to load v4 CPU manager checkpoint\"", "\"could not load v4 checkpoint, falling back to v3\" I S err",
		"\"migrating CPU manager checkpoint from v3 to v4\"", "\"not falling back to previous versions\"",
		"for memory manager, falling back to v2\"",
		"\"migrating memory manager checkpoint from v2 to v3\"",
		"new…\"Last device plugin for this resource disconnected\" IV2 S resource",
		"ended…\"Endpoint became unhealthy\" IV2 S resourceName",
		"changed cm/topologymanager/scope_pod.go \"TopologyHints\": I S hints,pod,operation",
		"Subpath bind mount at %s points to a different inode/device than source, will lazy-unmount and recreate",
		"Detected corrupted mount at %s (error: %v), unmounting",
	},
	"events": {"gone…VolumeConditionAbnormal"},
	"texts of errors": {
		"new…memoryThrottlingFactor must not be set when MemoryQoS feature gate is disabled",
		"gone…memoryThrottlingFactor is required when MemoryQoS",
		"new…DefaultPodSysctls feature gate is required for Kubelet configuration option defaultPodSysctls",
		"new…device plugin already connected: ",
		"gone…hostPath type check failed: %s is not a file",
		"new…hostPath type check failed, %s is not a %s, unable to determine its type", "new…port %q not found",
	},
	"flags": words("gone flag --",
		`application-metrics-count-limit boot-id-file container-hints containerd containerd-namespace
		enable-load-reader event-storage-age-limit event-storage-event-limit global-housekeeping-interval
		log-cadvisor-usage machine-id-file storage-driver-buffer-duration storage-driver-db storage-driver-host
		storage-driver-password storage-driver-secure storage-driver-table storage-driver-user`),
	"feature gates": slices.Concat(words("gone ",
		`APIServerTracing AnonymousAuthConfigurableEndpoints AnyVolumeDataSource AuthorizeNodeWithSelectors
		AuthorizeWithSelectors BtreeWatchCache ConsistentListFromCache JobBackoffLimitPerIndex JobPodReplacementPolicy
		JobSuccessPolicy LogarithmicScaleDown OrderedNamespaceDeletion PodLifecycleSleepAction
		PodLifecycleSleepActionAllowZero RelaxedDNSSearchValidation ResilientWatchCacheInitialization RetryGenerateName
		SchedulerQueueingHints SidecarContainers StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf
		StructuredAuthenticationConfiguration GangScheduling PreventStaticPodAPIReferences WorkloadAwarePreemption`),
		lockedTo("true", `DRAExtendedResource DRAPrioritizedList DRAResourceClaimDeviceStatus DisableCPUQuotaWithExclusiveCPUs
			HPAConfigurableTolerance HostnameOverride InPlacePodVerticalScalingInitContainers NodeDeclaredFeatures
			PLEGOnDemandRelist PodReadyToStartContainersCondition RelaxedServiceNameValidation
			WatchCacheInitializationPostStartHook`),
		lockedTo("false", "DeclarativeValidationTakeover"),
		[]string{"changed ClusterTrustBundle: GA on", "changed ClusterTrustBundleProjection: GA on",
			"changed DRADeviceTaintRules: GA on",
			"changed DRADeviceTaints: GA on", "changed PodCertificateRequest: GA on",
			"changed SELinuxMount: GA on", "changed StorageVersionMigrator: GA on",
			"changed MemoryQoS: beta on", "changed PodsAPI: beta on", "changed KubeletInUserNamespace: beta on",
			"changed PodLevelResourceManagers: beta off", "changed PodAndContainerStatsFromCRI: beta off"},
		words("new ",
			`APIServerWebhookAuthenticationToken, AtomicWriteVolumeUserFields, CompositePodGroup, ConsistentListFromCacheSkipTimeoutFallback,
		DRADerivedAttributes, DRADeviceCompatibilityGroups, DRAFractionalCapacityRange, DRAOptionalNodeOperations,
		DRAPartitionableDevicesType, DefaultPodSysctls, EmptyDirVolumeMode, EtcdRangeStream, EvictionRequestAPI,
		ExcludeAdmissionWebhookVirtualResources, GRPCContainerProbeTLS, H2CContainerProbe, HPAGeneration,
		HPAOptimizedSelectorStore, HugepageAwareEviction, InPlacePodVerticalScalingMemoryBackedVolumes,
		InPlacePodVerticalScalingSchedulerPreemption, InterPodAffinityHostnameFastPath, KubeProxyIPVS,
		KubeProxyNFTablesLocalhostNodePorts, KubeletAllocatedPodsEndpoint, NFTablesNetlink,
		NodeControllerLeaseCircuitBreaker, NodeLifecycleConditions, PodGroupPreemptionPolicy,
		PodLevelResourcesFixDefaulting, PodLevelResourcesFixKubeletQOSClass, SchedulerPreQueueingHints,
		StaleControllerConsistencyHPA, StatefulSetRecreateStrategy, VolumeBindMountOptions,
		WatchListCompression, WebhookRoundTripLoadBalancing,`),
		[]string{"new HugepageAwareEviction, beta on", "new PodLevelResourcesFixDefaulting, beta on",
			"new PodLevelResourcesFixKubeletQOSClass, beta on"}),
}

func words(before, list string) (all []string) {
	for _, w := range strings.Fields(list) {
		all = append(all, before+w)
	}
	return all
}

func lockedTo(value, list string) (all []string) {
	for _, w := range words("locked ", list) {
		all = append(all, w+" to "+value)
	}
	return all
}

func holds(line, parts string) bool {
	for _, part := range strings.Split(parts, "…") {
		_, rest, ok := strings.Cut(line, part)
		if !ok {
			return false
		}
		line = rest
	}
	return true
}

func TestWhatAReaderFoundIn137IsFound(t *testing.T) {
	r := compared(t, "v1.36.3", "v1.37.1")
	if len(r.Gaps) > 0 {
		t.Errorf("not read: %v", r.Gaps)
	}
	sections := map[string][]string{}
	for _, s := range r.Sections {
		sections[s.Name] = s.Lines
	}
	for name, wants := range facts {
		for _, want := range wants {
			if !slices.ContainsFunc(sections[name], func(line string) bool { return holds(line, want) }) {
				t.Errorf("%s: no line holds %q", name, want)
			}
		}
	}
	count := func(name, word string) (n int) {
		for _, line := range sections[name] {
			if strings.HasPrefix(line, word+" ") {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		section, word string
		want          int
	}{{"feature gates", "gone", 25}, {"feature gates", "locked", 13}, {"feature gates", "new", 37},
		{"flags", "gone", 18}, {"flags", "new", 0}} {
		if got := count(c.section, c.word); got != c.want {
			t.Errorf("%s: %d are %s, not %d", c.section, got, c.word, c.want)
		}
	}
	// And what did not change is not reported.
	for _, same := range []string{"HashContainer", "pickFieldsToHash", "ShouldContainerBeRestarted",
		"newCrashLoopBackOff", "podWorkers.UpdatePod", "calcRestartCountByLogDir", "HasAnyRegularContainerStarted"} {
		if kept(t, "v1.37.1").Functions[keyOf(t, same)].Hash == "" {
			t.Errorf("%s is not in the inventory", same)
		}
		for _, line := range sections["functions that we model"] {
			if strings.HasPrefix(line, "changed "+same+" ") {
				t.Errorf("unchanged, and yet: %s", line)
			}
		}
	}
	if len(sections["reasons of events"]) > 1 {
		t.Errorf("reasons of events: %v", sections["reasons of events"])
	}
}

func keyOf(t *testing.T, name string) string {
	t.Helper()
	for _, p := range modelled.Parts {
		if p.Name == name {
			return p.Key()
		}
	}
	t.Fatalf("no part is called %s", name)
	return ""
}

func TestNothingChangedAfter137(t *testing.T) {
	r := compared(t, "v1.37.1", "v1.38.0-alpha.0")
	var b strings.Builder
	if err := r.Print(&b); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != "newminor: v1.37.1 → v1.38.0-alpha.0: nothing changed\n" {
		t.Errorf("not nothing:\n%s", got)
	}
}

// Mistakes in tables when text patterns generated them.
func TestGatesWithoutATypeAreFound(t *testing.T) {
	for name, minors := range map[string][2]string{
		"ChangeContainerStatusOnKubeletRestart": {"v1.34.10", "v1.35.8"},
		"StatefulSetSemanticRevisionComparison": {"v1.33.13", "v1.34.10"},
		"ReloadKubeletClientCAFile":             {"v1.35.8", "v1.36.4"},
	} {
		if kept(t, minors[0]).Gates[name] != nil || kept(t, minors[1]).Gates[name] == nil {
			t.Errorf("%s did not come between %s and %s", name, minors[0], minors[1])
		}
	}
	texts := func(version string) (all []string) {
		for _, l := range kept(t, version).Logs {
			if l.File == "component-base/featuregate/feature_gate.go" {
				all = append(all, l.Text)
			}
		}
		return all
	}
	if was, is := texts("v1.35.8"), texts("v1.36.4"); !slices.Contains(was, "feature gates: %v") ||
		slices.Contains(is, "feature gates: %v") || !slices.Contains(is, "Updated") {
		t.Errorf("the line of the feature gates: %q, then %q", was, is)
	}
}
