package staticpod

// changes lists the minors that change every static pod's UID: the types of the internal API that stand in the print of
// every pod (Pod, ObjectMeta, PodSpec, PodStatus, PodSecurityContext, which is never nil after defaulting, Container
// and its ResourceRequirements) are others, or the recipe is. Rows behind 1.24 are generated (make generate) from the
// inventories of Kubernetes 1.24.17 to 1.37.2; older ones were read from the last patch of each minor (pkg/api/types.go
// up to 1.8, pkg/apis/core/types.go after; metav1 ObjectMeta) and stay as they stand. First and last patches agree in
// the minors of which both were read. 1.17, 1.20, 1.22 and 1.29 changed nothing there.
var changes = []UIDChange{
	{6, false, []string{
		"metadata and spec types renamed", "Container.EnvFrom", "PodSpec.Affinity", "PodSpec.Tolerations",
		"PodStatus.QOSClass",
	}},
	{7, false, []string{"PodSpec.HostAliases", "ObjectMeta.Initializers"}},
	{8, false, []string{"PodSpec.PriorityClassName", "PodSpec.Priority"}},
	{9, false, []string{"Container.VolumeDevices", "PodSpec.DNSConfig"}},
	{10, false, []string{
		"PodSecurityContext.ShareProcessNamespace", "PodSecurityContext.RunAsGroup", "PodStatus.NominatedNodeName",
	}},
	{11, false, []string{"PodSecurityContext.Sysctls", "PodSpec.ReadinessGates"}},
	{12, false, []string{"PodSpec.RuntimeClassName"}},
	{13, false, []string{"PodSpec.EnableServiceLinks"}},
	{14, false, []string{"ObjectMeta.ManagedFields"}},
	{15, false, []string{"PodSecurityContext.WindowsOptions", "PodSpec.PreemptionPolicy"}},
	{16, false, []string{
		"Container.StartupProbe", "PodSpec.EphemeralContainers", "PodSpec.Overhead", "PodSpec.TopologySpreadConstraints",
		"PodStatus.PodIPs", "ObjectMeta.Initializers removed",
	}},
	{18, false, []string{"PodSecurityContext.FSGroupChangePolicy"}},
	{19, false, []string{"PodSecurityContext.SeccompProfile", "PodSpec.SetHostnameAsFQDN"}},
	{21, true, nil},
	{23, false, []string{"PodSpec.OS"}},
	{24, false, []string{"ObjectMeta.ClusterName renamed"}},
	{25, false, []string{"ObjectMeta.ZZZ_DeprecatedClusterName removed", "PodSecurityContext.HostUsers"}},
	{26, false, []string{
		"PodSpec.SchedulingGates", "PodSpec.ResourceClaims", "ResourceRequirements.Claims",
	}},
	{27, false, []string{"Container.ResizePolicy", "PodStatus.Resize"}},
	{28, false, []string{"Container.RestartPolicy", "PodStatus.HostIPs", "PodStatus.ResourceClaimStatuses"}},
	{30, false, []string{"PodSecurityContext.AppArmorProfile"}},
	{31, false, []string{"PodSecurityContext.SupplementalGroupsPolicy"}},
	{32, false, []string{"PodSecurityContext.SELinuxChangePolicy", "PodSpec.Resources"}},
	{33, false, []string{"PodStatus.ObservedGeneration"}},
	{34, false, []string{
		"Container.RestartPolicyRules", "PodSpec.HostnameOverride", "PodStatus.ExtendedResourceClaimStatus",
	}},
	{35, true, []string{"PodSpec.WorkloadRef", "PodStatus.AllocatedResources", "PodStatus.Resources"}},
	{36, false, []string{
		"PodSpec.WorkloadRef removed", "PodSpec.SchedulingGroup", "PodStatus.NodeAllocatableResourceClaimStatuses",
	}},
	{37, false, []string{
		"HostNetwork, HostPID, HostIPC, ShareProcessNamespace and HostUsers moved from PodSecurityContext to PodSpec",
		"PodSpec.DeprecatedServiceAccount", "PodSpec.EvictionResponders", "PodStatus.PodIP", "PodStatus.VolumeHealth",
	}},
}
