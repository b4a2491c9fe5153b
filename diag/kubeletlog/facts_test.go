package kubeletlog

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// The pod in the lines that name it alone, or by its UID.
var (
	nameOnly = evidence.Subject{Pod: "p"}
	uidOnly  = evidence.Subject{PodUID: uid}
	inPod    = evidence.Subject{Namespace: "s-n5", Pod: "p", Container: "a"}
	byCID    = evidence.Subject{ContainerID: cid}
	nobody   = evidence.Subject{}
)

// effective137 is a configuration as kubelet v1.37 prints it, in parts.
const effective137 = `
	apiVersion: kubelet.config.k8s.io/v1beta1
	cgroupDriver: systemd
	cgroupRoot: /
	evictionHard:
	  memory.available: 100Mi
	failCgroupV1: false
	featureGates:
	  A: true
	kind: KubeletConfiguration
	shutdownGracePeriod: 30s
	staticPodPath: /m
	staticPodURL: https://user:hunter2@example/pods
	staticPodURLHeader:
	  Authorization:
	  - <masked>
	tlsPrivateKeyFile: /secret`

const ref20 = `"p_s-n5(` + uid + `)"`

// podLines are lines about pods, the node and the kubelet, of both styles. Every
// one is as a kubelet prints it; test/messages holds them against every version.
var podLines = []lineCase{
	{"orphan, 1.20", old + `Killing unwanted pod "p"`,
		one(nameOnly, evidence.PodTeardown{Reason: evidence.TeardownUnwanted})},
	{"orphan, 1.22", now + `"Clean up orphaned pod containers" podUID=` + uid,
		one(uidOnly, evidence.PodTeardown{Reason: evidence.TeardownOrphan})},
	{"orphan, 1.30", now + `"Clean up containers for orphaned pod we had not seen before" podUID="` +
		uid + `" killPodOptions="<internal error: json: unsupported type: chan<- struct {}>"`,
		one(uidOnly, evidence.PodTeardown{Reason: evidence.TeardownOrphan})},
	{"deleted", now + `"Pod is marked for graceful deletion, begin teardown" pod="s-n5/p" podUID="` +
		uid + `" updateType="update"`, one(podUID, evidence.PodTeardown{Reason: evidence.TeardownDeleted})},
	{"removed", now + `"Pod has been deleted and must be killed" pod="s-n5/p" podUID="` + uid + `"`,
		one(podUID, evidence.PodTeardown{Reason: evidence.TeardownRemoved})},
	{"evicted by the kubelet", now + `"Pod is being evicted by the kubelet, begin teardown" pod="s-n5/p" podUID="` +
		uid + `"`, one(podUID, evidence.PodTeardown{Reason: evidence.TeardownEvicted})},
	{"in a terminal phase", now + `"Pod is in a terminal phase (success/failed), begin teardown" pod="s-n5/p" podUID="` +
		uid + `"`, one(podUID, evidence.PodTeardown{Reason: evidence.TeardownTerminal})},
	{"completed", now + `"Pod indicated lifecycle completed naturally and should now terminate" podUID="` + uid + `"`,
		one(uidOnly, evidence.PodTeardown{Reason: evidence.TeardownCompleted})},
	{"not runnable", now + `"Pod is not runnable and must have running containers stopped" pod="s-n5/p" podUID="` +
		uid + `" message="no profile"`,
		one(podUID, evidence.PodTeardown{Reason: evidence.TeardownNotRunnable, Message: text("no profile")})},
	{"a hook that the kubelet stops with its pod", now + `"Failed to execute PostStartHook" err="context canceled" ` +
		`pod="s-n5/p" podUID="u1" containerName="c" containerID="containerd://c1"`,
		one(evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: "u1", Container: "c", ContainerID: "c1"},
			evidence.HookFailed{Hook: "PostStart", Output: safetext.Clean("context canceled"), CalledOff: true})},
	{"a teardown of nobody", now + `"Pod is orphaned and must be torn down"`, nil},
	{"the same UID again", now + `"Pod is restartable after termination due to UID reuse" pod="s-n5/p" podUID=` + uid,
		one(podUID, evidence.UIDReused{})},
	{"another pod, 1.20", old + `Pod ` + ref20 +
		` was deleted and then recreated, skipping status update; old UID "u1", new UID "u2"`,
		one(evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: "u2"}, evidence.PodReplaced{OldUID: "u1"})},
	{"another pod", now +
		`"Pod was deleted and then recreated, skipping status update" pod="s-n5/p" oldPodUID=u1 podUID=u2`,
		one(evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: "u2"}, evidence.PodReplaced{OldUID: "u1"})},

	{"pressure, 1.10", old + `eviction manager: attempting to reclaim [memory]`,
		one(nobody, evidence.EvictionPressure{Resource: "memory", State: evidence.EvictionReclaiming})},
	{"pressure, 1.20", old + `eviction manager: must evict pod(s) to reclaim ephemeral-storage`,
		one(nobody, evidence.EvictionPressure{Resource: "ephemeral-storage", State: evidence.EvictionMustEvict})},
	{"relief, 1.20", old + `eviction manager: able to reduce inodes pressure without evicting pods.`,
		one(nobody, evidence.EvictionPressure{Resource: "inodes", State: evidence.EvictionRelieved})},
	{"pressure, 1.21", now + `"Eviction manager: must evict pod(s) to reclaim" resourceName=memory`,
		one(nobody, evidence.EvictionPressure{Resource: "memory", State: evidence.EvictionMustEvict})},
	{"pressure, 1.28", now + `"Eviction manager: attempting to reclaim" resourceName="pids"`,
		one(nobody, evidence.EvictionPressure{Resource: "pids", State: evidence.EvictionReclaiming})},
	{"preemption, 1.20", old +
		`preemption: attempting to evict pods [&Pod{ObjectMeta:{p  s-n5 canary}}], in order to free up resources: [{cpu 100}]`,
		one(nobody, evidence.PreemptionPlanned{Resources: text("[{cpu 100}]")})},
	{"a status of a pod that may not run, 1.12", old +
		`Status for pod "web-0_shop(u1)" updated successfully: (2, {Phase:Running Conditions:[{Type:Ready Status:True Reason: Message:} {Type:PodScheduled Status:True Reason: Message:}] Message:container restart time reaches the limit: 1 Reason:RestartLimit NominatedNodeName: HostIP:10.0.0.7})`,
		one(evidence.Subject{Namespace: "shop", Pod: "web-0", PodUID: "u1"},
			evidence.PodRejected{Reason: "RestartLimit", Message: text("container restart time reaches the limit: 1"),
				Soft: true})},
	{"the same, 1.7", old +
		`Status for pod "web-0_shop(u1)" updated successfully: (1, {Phase:Pending Conditions:[] Message:Cannot enforce AppArmor Reason:AppArmor HostIP:})`,
		one(evidence.Subject{Namespace: "shop", Pod: "web-0", PodUID: "u1"},
			evidence.PodRejected{Reason: "AppArmor", Message: text("Cannot enforce AppArmor"), Soft: true})},
	{"an ordinary status", old +
		`Status for pod "web-0_shop(u1)" updated successfully: (1, {Phase:Running Conditions:[{Type:Ready Reason:ContainersNotReady Message:containers with unready status: [a]}] Message: Reason: NominatedNodeName: HostIP:10.0.0.7})`, nil},
	{"a status of a pod that is over", old +
		`Status for pod "web-0_shop(u1)" updated successfully: (1, {Phase:Failed Conditions:[] Message:The node was low on resource: memory. Reason:Evicted NominatedNodeName: HostIP:10.0.0.7})`, nil},
	{"a status that was cut", old +
		`Status for pod "web-0_shop(u1)" updated successfully: (1, {Phase:Running Conditions:[] Message:no Reason:AppArm`,
		nil},
	{"readiness before the first sync, 1.12", old +
		`Container readiness changed before pod has synced: "web-0_shop(u1)" - "docker://8a61"`,
		one(evidence.Subject{Namespace: "shop", Pod: "web-0", PodUID: "u1"}, evidence.ReadinessEarly{})},
	{"readiness before the first sync, 1.30", now +
		`"Container readiness changed before pod has synced" pod="shop/web-0" containerID="containerd://8a61"`,
		one(evidence.Subject{Namespace: "shop", Pod: "web-0"}, evidence.ReadinessEarly{})},
	{"shutdown", now + `"Shutdown manager detected new shutdown event, isNodeShuttingDownNow" event=true`,
		one(nobody, evidence.NodeShutdown{Phase: evidence.ShutdownDetected})},
	{"shutdown, called off", now + `"Shutdown manager detected new shutdown event, isNodeShuttingDownNow" event=false`,
		one(nobody, evidence.NodeShutdown{Phase: evidence.ShutdownCancelled})},
	{"shutdown, 1.20", old + `Shutdown manager detected new shutdown event, isNodeShuttingDownNow: true`,
		one(nobody, evidence.NodeShutdown{Phase: evidence.ShutdownDetected})},
	{"shutdown that neither begins nor ends", now +
		`"Shutdown manager detected new shutdown event, isNodeShuttingDownNow" event="shutdown"`, nil},

	{"cgroup, 1.20", old + `The Cgroup [kubepods burstable pod` + uid +
		`] has some missing paths: [/sys/fs/cgroup/pids/x]`,
		one(uidOnly, evidence.CgroupMissing{Cgroup: "/kubepods/burstable/pod" + uid,
			Missing: text("[/sys/fs/cgroup/pids/x]")})},
	{"cgroup, 1.23", now + `"The cgroup has some missing controllers" cgroupName=[kubepods pod` +
		uid + `] controllers=map[pids:{}]`,
		one(uidOnly, evidence.CgroupMissing{Cgroup: "/kubepods/pod" + uid, Missing: text("map[pids:{}]")})},
	{"cgroup of no pod", old + `The Cgroup [kubepods burstable] has some missing paths: [x]`,
		one(nobody, evidence.CgroupMissing{Cgroup: "/kubepods/burstable", Missing: text("[x]")})},

	{"manifest read, 1.9", old + `Reading manifest file "/etc/m/p.yaml"`,
		one(nobody, evidence.ManifestRead{Path: "/etc/m/p.yaml"})},
	{"manifest read", now + `"Reading config file" path="/etc/m/p.yaml"`,
		one(nobody, evidence.ManifestRead{Path: "/etc/m/p.yaml"})},
	{"manifest broken, 1.20", old + `Can't process manifest file "/etc/m/p.yaml": yaml: line 3`,
		one(nobody, evidence.ManifestRead{Path: "/etc/m/p.yaml", Failed: true, Why: text("yaml: line 3")})},
	{"manifest broken", now + `"Could not process manifest file" err="yaml: line 3" path="/etc/m/p.yaml"`,
		one(nobody, evidence.ManifestRead{Path: "/etc/m/p.yaml", Failed: true, Why: text("yaml: line 3")})},
	{"manifests gone", now + `"Unable to read config path" err="path does not exist, ignoring" path="/etc/m"`,
		one(nobody, evidence.ManifestRead{Path: "/etc/m", Failed: true, Why: text("path does not exist, ignoring")})},
	{"static UID, 1.20", old + `Generated UID "` + uid + `" pod "p" from /etc/m/p.yaml`,
		one(evidence.Subject{Pod: "p", PodUID: uid}, evidence.StaticPodUID{})},
	{"static UID", now + `"Generated UID" pod="s-n5/p" podUID="` + uid + `" source="/etc/m/p.yaml"`,
		one(podUID, evidence.StaticPodUID{})},
	{"mirror deleted, 1.20", old + `Deleting a mirror pod "p_s-n5" (uid (*types.UID)(0xc000))`,
		one(podNew, evidence.MirrorPod{Change: evidence.MirrorDeleted})},
	{"mirror deleted, 1.21", now + `"Deleting a mirror pod" pod="s-n5/p" podUID=0xc001b6c860`,
		one(podNew, evidence.MirrorPod{Change: evidence.MirrorDeleted})},
	{"mirror to delete, 1.20", old + `Trying to delete pod p_s-n5 ` + uid,
		one(podNew, evidence.MirrorPod{Change: evidence.MirrorDeleted})},
	{"mirror outdated", old + `Deleted mirror pod ` + ref20 + ` because it is outdated`,
		one(podOld, evidence.MirrorPod{Change: evidence.MirrorOutdated})},
	{"mirror outdated, 1.32", now + `"Deleted mirror pod as it didn't match the static Pod" pod="s-n5/p"`,
		one(podNew, evidence.MirrorPod{Change: evidence.MirrorOutdated})},
	{"mirror created", now + `"Creating a mirror pod for static pod" pod="s-n5/p"`,
		one(podNew, evidence.MirrorPod{Change: evidence.MirrorCreated})},

	{"resize admitted, 1.37", now + `"Device Manager support only Allocate(add)" pod="s-n5/p" containerName="a" operation="resize"`,
		one(evidence.Subject{Namespace: "s-n5", Pod: "p", Container: "a"},
			evidence.PodResize{State: evidence.ResizeAllocated})},
	{"resize deferred, 1.30", now + `"Resize cannot be accommodated" pod="p" reason="OutOfcpu" message="no"`,
		one(nameOnly, evidence.PodResize{State: evidence.ResizeDeferred, Message: text("no")})},
	{"resize infeasible, 1.34", now + `"Resize cannot be accommodated" pod="s-n5/p" reason="Infeasible" message="no"`,
		one(podNew, evidence.PodResize{State: evidence.ResizeInfeasible, Message: text("no")})},
	{"resize failed", now + `"updateContainerResources failed" err="no" container="a" cID="containerd://x" pod="p_s-n5(` +
		uid + `)" resourceName="cpu"`,
		one(inNoCID, evidence.PodResize{State: evidence.ResizeFailed, Message: text("no")})},
	{"restart all", now + `"Pod marked for RestartAllContainers" pod="s-n5/p"`,
		one(podNew, evidence.RestartAll{Step: evidence.RestartAllMarked})},
	{"restart all, one of them", now +
		`"Removing container before pod restarts" containerName="a" containerID={"Type":"containerd","ID":"` +
		cid + `"} pod="s-n5/p"`,
		one(inNoUID, evidence.RestartAll{Step: evidence.RestartAllRemoving})},

	{"a flag", old + `FLAG: --cgroup-driver="systemd"`,
		one(nobody, evidence.KubeletSetting{Name: evidence.SettingCgroupDriver, Value: text("systemd")})},
	{"a flag that does not matter", old + `FLAG: --tls-private-key-file="/secret"`, nil},
	{"a flag that later kubelets lack", old + `FLAG: --keep-terminated-pod-volumes="true"`,
		one(nobody, evidence.KubeletSetting{Name: evidence.SettingFlag + "keep-terminated-pod-volumes",
			Value: text("true")})},
	{"such a flag with a path", old + `FLAG: --cloud-config="/etc/cloud.conf"`,
		one(nobody, evidence.KubeletSetting{Name: "--cloud-config", Value: text("/etc/cloud.conf")})},
	{"such a flag as it is by default", old + `FLAG: --keep-terminated-pod-volumes="false"`, nil},
	{"such a flag that is not set", old + `FLAG: --network-plugin=""`, nil},
	{"such a flag that is cut", old + `FLAG: --cloud-config="/etc/clo`, nil},
	{"a flag that is cut", old + `FLAG: --cgroup-driver="sys`, nil},
	{"gates", old + `feature gates: {map[A:true B:false]}`,
		one(nobody, evidence.KubeletSetting{Name: evidence.SettingFeatureGates, Value: text("map[A:true B:false]")})},
	{"gates, 1.8", old + `feature gates: map[A:true]`,
		one(nobody, evidence.KubeletSetting{Name: evidence.SettingFeatureGates, Value: text("map[A:true]")})},
	{"gates, 1.36", now + `"Updated" featureGates={"B":false,"A":true}`,
		one(nobody, evidence.KubeletSetting{Name: evidence.SettingFeatureGates, Value: text("A=true,B=false")})},
	{"gates, none set", now + `"Updated" featureGates={}`,
		one(nobody, evidence.KubeletSetting{Name: evidence.SettingFeatureGates})},
	{"gates that are cut", now + `"Updated" featureGates={"B":false,"A":tr`, nil},
	{"another update", now + `"Updated" object="x"`, nil},
	{"a password, 1.36", old + `FLAG: --storage-driver-password="hunter2"`,
		one(nobody, evidence.KubeletSetting{Name: "--storage-driver-password", Value: text("given")})},
	{"a password that nobody gave", old + `FLAG: --storage-driver-password="root"`, nil},
	{"configuration, 1.37", now + `"Effective KubeletConfiguration" config=<` + effective137 + "\n >",
		one(nobody, evidence.KubeletSettings{
			CgroupDriver: "systemd", CgroupRoot: "/", StaticPodPath: "/m", FailCgroupV1: new(bool),
			ShutdownGrace: 30 * time.Second,
			FeatureGates:  map[string]bool{"A": true}, Eviction: map[string]string{"memory.available": "100Mi"},
		})},
	{"configuration that is cut", now + `"Effective KubeletConfiguration" config=<` + effective137, nil},
	{"configuration of another kind", now + `"Effective KubeletConfiguration" config=<` + "\n\tkind: Secret\n >", nil},
	{"node config, 1.20", old +
		`Creating Container Manager object based on Node Config: {RuntimeCgroupsName: CgroupsPerQOS:true CgroupRoot:/ CgroupDriver:systemd KubeletRootDir:/x}`, settings("true", "/", "systemd")},
	{"node config, 1.30", now +
		`"Creating Container Manager object based on Node Config" nodeConfig={"NodeName":"n1","CgroupsPerQOS":false,"CgroupRoot":"","CgroupDriver":"cgroupfs"}`, settings("false", "", "cgroupfs")},
	{"node config, cut", old +
		`Creating Container Manager object based on Node Config: {RuntimeCgroupsName: CgroupsPerQOS:tr`, nil},
	{"runtime", old + `Container runtime docker initialized, version: 20.10.7, apiVersion: 1.41.0`,
		one(nobody, evidence.KubeletSetting{Name: evidence.SettingRuntimeVersion, Value: text("docker 20.10.7")})},
	{"driver of the runtime", now + `"Using cgroup driver setting received from the CRI runtime" cgroupDriver="systemd"`,
		one(nobody, evidence.KubeletSetting{Name: evidence.SettingCgroupDriver, Value: text("systemd")})},

	{"fatal", "F" + old[1:] + `failed to run Kubelet: no`,
		one(nobody, evidence.KubeletExited{Message: text("failed to run Kubelet: no")})},
	{"command failed", now + `"command failed" err="failed to run Kubelet: no"`,
		one(nobody, evidence.KubeletExited{Message: text("command failed: failed to run Kubelet: no")})},
	{"runtime down, 1.20", old + `skipping pod synchronization - PLEG is not healthy`,
		one(nobody, evidence.RuntimeTrouble{State: evidence.RuntimeSyncSkipped, Message: text("PLEG is not healthy")})},
	{"runtime down", now + `"Skipping pod synchronization" err="container runtime is down"`,
		one(nobody, evidence.RuntimeTrouble{State: evidence.RuntimeSyncSkipped, Message: text("container runtime is down")})},
	{"probe result, 1.20", old + `SyncLoop (container unhealthy): ` + ref20,
		one(podOld, evidence.ProbeResultChanged{Status: "unhealthy"})},
	{"probe result", now + `"SyncLoop (probe)" probe="readiness" status="" pod="s-n5/p"`,
		one(podNew, evidence.ProbeResultChanged{Probe: evidence.ProbeReadiness})},
	{"probe result, 1.36", now + `"SyncLoop (probe)" probe="readiness" status="not ready" pod="s-n5/p"`,
		one(podNew, evidence.ProbeResultChanged{Probe: evidence.ProbeReadiness})},
	{"found dead, 1.19", old +
		`Container {Name:a Image:i Env:[{Name:K Value:canary}]} is dead, but RestartPolicy says that we should restart it.`,
		one(evidence.Subject{Container: "a"}, evidence.RestartDecided{})},
	{"found dead, 1.20", old + `Container "a" of pod ` + ref20 + ` is not in the desired state and shall be started`,
		one(inNoCID, evidence.RestartDecided{})},
	{"found dead", now +
		`"Container of pod is not in the desired state and shall be started" containerName="a" pod="s-n5/p"`,
		one(inPod, evidence.RestartDecided{})},
	{"killed, 1.20", old + `Container "docker://` + cid + `" exited normally`, one(byCID, evidence.KillFinished{})},
	{"not killed, 1.20", old + `Container "docker://` + cid + `" termination failed with gracePeriod 30: no`,
		one(byCID, evidence.KillFailed{Message: text("no")})},
	{"not killed, with the pod", old + `killContainer "a"(id={"docker" "` + cid + `"}) for pod ` + ref20 + ` failed: no`,
		one(inOld, evidence.KillFailed{Message: text("no")})},
	{"pod not killed, 1.20", old + `killPod for pod ` + ref20 + ` (podStatus=&{ID:x}) failed: no`,
		one(podOld, evidence.KillFailed{Message: text("no")})},
	{"pod not killed", now + `"KillPod failed" err="no" pod="s-n5/p" podStatus={"ID":"x"}`,
		one(podNew, evidence.KillFailed{Message: text("no")})},

	{"not started, 1.19-1.30", old +
		`container &Container{Name:a,Image:i,Env:[]EnvVar{EnvVar{Name:K,Value:canary,},},} start failed in pod p_s-n5(` +
		uid + `): CreateContainerError: no`,
		one(inNoCID, evidence.StartFailed{Reason: "CreateContainerError", Message: text("no")})},
	{"not started, 1.31-1.33", now +
		`"Unhandled Error" err="init container &Container{Name:a,Image:i,} start failed in pod p_s-n5(` +
		uid + `): ErrImagePull: no" logger="UnhandledError"`,
		one(inNoCID, evidence.StartFailed{Reason: "ErrImagePull", Message: text("no")})},
	{"not started, 1.34", now + `"Unhandled Error" err="container a start failed in pod p_s-n5(` +
		uid + `): RunContainerError: no" logger="UnhandledError"`,
		one(inNoCID, evidence.StartFailed{Reason: "RunContainerError", Message: text("no")})},
	{"not started, and forged", old +
		`container &Container{Name:a,Env:[]EnvVar{EnvVar{Name:K,Value:} start failed in pod x_y(z): ErrImagePull: no,},},} start failed in pod p_s-n5(` + uid + `): CreateContainerError: no`, nil},
	{"an init container that is gone", now +
		`"Unhandled Error" err="failed to remove pod init container \"setup\": failed to get container status \"` +
		cid + `\": rpc error: code = NotFound desc = no; Skipping pod \"p_s-n5(` + uid + `)\"" logger="UnhandledError"`,
		one(evidence.Subject{Container: "setup", ContainerID: cid}, evidence.ContainerRemoved{})},
	{"another error", now + `"Unhandled Error" err="pod x/y not found" logger="UnhandledError"`, nil},
	{"not started, as the sync has it", now +
		`"Error syncing pod, skipping" err="failed to \"StartContainer\" for \"a\" with CreateContainerConfigError: \"secret \\\"s\\\" not found\"" pod="s-n5/p" podUID="` + uid + `"`,
		one(inNoCID, evidence.StartFailed{Reason: "CreateContainerConfigError", Message: text(`secret "s" not found`)})},
	{"no sandbox, as the sync has it", now +
		`"Error syncing pod, skipping" err="failed to \"CreatePodSandbox\" for \"p_s-n5(` +
		uid + `)\" with CreatePodSandboxError: \"no network\"" pod="s-n5/p" podUID="` + uid + `"`,
		one(podUID, evidence.StartFailed{Reason: "CreatePodSandboxError", Message: text("no network")})},
	{"no volume", now +
		`"Error syncing pod, skipping" err="unmounted volumes=[data], unattached volumes=[]: failed to \"StartContainer\"" ` +
		`pod="s-n5/p" podUID="` + uid + `"`, one(podUID, evidence.StartFailed{Reason: "FailedMount",
		Message: text(`unmounted volumes=[data], unattached volumes=[]: failed to "StartContainer"`)})},
	{"no volume, 1.13", old + `Error syncing pod ` + uid + ` ("p_s-n5(` + uid + `)"), skipping: ` + timeout13,
		one(podUID, evidence.StartFailed{Reason: "FailedMount", Message: text(timeout13)})},
	{"no volume before the sync, 1.13", old + `Unable to mount volumes for pod "p_s-n5(` + uid + `)": ` + timeout13 +
		`; skipping pod`, one(podUID, evidence.StartFailed{Reason: "FailedMount", Message: text(timeout13)})},
	{"no volume before the sync, 1.18", old + `Unable to attach or mount volumes for pod "p_s-n5(` + uid +
		`)": unmounted volumes=[d]; skipping pod`,
		one(podUID, evidence.StartFailed{Reason: "FailedMount", Message: text("unmounted volumes=[d]")})},
	{"no volume before the sync", now + `"Unable to attach or mount volumes for pod; skipping pod" ` +
		`err="unmounted volumes=[d]" pod="s-n5/p"`, one(evidence.Subject{Namespace: "s-n5", Pod: "p"},
		evidence.StartFailed{Reason: "FailedMount", Message: text("unmounted volumes=[d]")})},
	{"a volume's own error", old + operation + `MountVolume.SetUp ` + onVolume("p", `"`) + ` : secret "c" not found`,
		one(evidence.Subject{Pod: "p", PodUID: uid}, evidence.StartFailed{Reason: "FailedMount",
			Message: text("MountVolume.SetUp " + onVolume("p", `"`) + ` : secret "c" not found`)})},
	{"a volume's own error, 1.13", old + operation + `"MountVolume.MountDevice ` + onVolume(uid, `\"`) + ` : no disk"`,
		one(uidOnly, evidence.StartFailed{Reason: "FailedMount",
			Message: text("MountVolume.MountDevice " + onVolume(uid, `"`) + " : no disk")})},
	{"a volume that stays mounted", old + operation + `UnmountVolume.TearDown ` + onVolume("p", `"`) + ` : busy`, nil},
	{"a volume that another names", old + operation + `MountVolume.SetUp failed for volume "v" (UniqueName: "u") : ` +
		`no such x") pod "q" (UID: "w") : no`, nil},
	{"two errors", now +
		`"Error syncing pod, skipping" err="[failed to \"StartContainer\" for \"a\" with ErrImagePull: \"no\", failed to \"KillContainer\" for \"b\" with KillContainerError: \"late\"]" pod="s-n5/p" podUID="` + uid + `"`,
		[]said{{inNoCID, evidence.StartFailed{Reason: "ErrImagePull", Message: text("no")}},
			{evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: uid, Container: "b"},
				evidence.KillFailed{Message: text("late")}}}},
	{"an error of free text", now +
		`"Error syncing pod, skipping" err="failed to \"StartContainer\" for \"a\" with ErrImagePull: no quotes, failed to \"KillContainer\" for \"b\" with KillContainerError: \"late\"" pod="s-n5/p"`, nil},
	{"an error of another action", now +
		`"Error syncing pod, skipping" err="failed to \"SetupNetwork\" for \"a\" with X: \"no\"" pod="s-n5/p"`, nil},
}

// timeout13 is what a sync waited for in vain, operation how the retry of a volume begins.
const (
	timeout13 = `timeout expired waiting for volumes to attach or mount for pod "s-n5"/"p". ` +
		`list of unmounted volumes=[d]. list of unattached volumes=[d]`
	operation = `Operation for "{volumeName:kubernetes.io/secret/u-c podName:u nodeName:}" failed. No retries permitted ` +
		`until 2023-06-13 09:35:20.117 +0000 UTC m=+11510.8 (durationBeforeRetry 2m2s). Error: `
)

func onVolume(pod, quote string) string {
	return strings.ReplaceAll(`failed for volume "c" (UniqueName: "kubernetes.io/secret/u-c") pod "`+pod+`" (UID: "`+
		uid+`")`, `"`, quote)
}

func settings(perQOS, root, driver string) []said {
	return []said{
		{nobody, evidence.KubeletSetting{Name: evidence.SettingCgroupsPerQOS, Value: text(perQOS)}},
		{nobody, evidence.KubeletSetting{Name: evidence.SettingCgroupRoot, Value: text(root)}},
		{nobody, evidence.KubeletSetting{Name: evidence.SettingCgroupDriver, Value: text(driver)}},
	}
}

func TestLinesAboutPodsBecomeStatements(t *testing.T) {
	for _, c := range podLines {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, read(c.line), byText); diff != "" {
				t.Errorf("%s\n%s", c.line, diff)
			}
		})
	}
}

// TestValuesOfTheEnvironmentAreNotQuoted: some lines dump whole containers.
func TestValuesOfTheEnvironmentAreNotQuoted(t *testing.T) {
	seen := 0
	for _, c := range podLines {
		if !strings.Contains(c.line, "canary") {
			continue
		}
		seen++
		_, obs := Parse(c.line)
		for _, o := range obs {
			if strings.Contains(o.Text.String(), "canary") {
				t.Errorf("%s: quoted as %s", c.name, o.Text)
			}
		}
	}
	if seen < 3 {
		t.Errorf("only %d lines with a dump", seen)
	}
}

func TestACutPodLineNamesNobodyElse(t *testing.T) {
	for _, c := range podLines {
		if len(c.want) == 0 {
			continue
		}
		for cut := len(old); cut < len(c.line); cut++ {
			for _, got := range read(c.line[:cut]) {
				if got.Fact.Statement() != c.want[0].Fact.Statement() &&
					got.Fact.Statement() != c.want[len(c.want)-1].Fact.Statement() {
					t.Fatalf("%s, cut to %q: %+v", c.name, c.line[:cut], got)
				}
				// A UID or name without quotes may be cut; what is quoted may not.
				if strings.Contains(c.line, `podUID="`) && !within(got.Subject, c.want) {
					t.Fatalf("%s, cut to %q: about %+v", c.name, c.line[:cut], got.Subject)
				}
			}
		}
	}
}

func FuzzPodLines(f *testing.F) {
	for _, c := range podLines {
		f.Add(c.line)
	}
	f.Fuzz(func(t *testing.T, s string) {
		_, obs := Parse(s)
		for _, o := range obs {
			if o.Fact == nil || o.Fact.Statement() == "" {
				t.Fatalf("a statement without a fact from %q", s)
			}
		}
	})
}
