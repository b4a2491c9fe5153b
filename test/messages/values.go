package main

import "strings"

const (
	uid = "0b222463-b4cd-48ff-b717-ecaa167c7f92"
	old = "1cafe000-b4cd-48ff-b717-ecaa167c7f92"
	cid = "cfbbbf3f70d6994adc39f392fb9750a9e7d70445fca6d1fc5e265b88c024f0fa"
	pod = "web_shop(" + uid + ")" // kubelet util/format Pod

	dump = `&Container{Name:a,Image:i,Env:[]EnvVar{EnvVar{Name:K,Value:canary,ValueFrom:nil,},},RestartPolicy:nil,}`
	died = `&pleg.PodLifecycleEvent{ID:"` + uid + `", Type:"ContainerDied", Data:"` + cid + `"}`
	back = "back-off 40s restarting failed container=a pod=" + pod
	sync = `failed to "StartContainer" for "a" with CrashLoopBackOff: "` + back + `"`
)

// arguments are, from a minor version on, the arguments of a printed message, by the start of its format; a verb
// without one becomes "x", 7 or true.
var arguments = []struct {
	format string
	args   []string
	since  int
}{
	{"Started kubelet %s", []string{"v1.8.15"}, 0},
	{"Version: %+v", []string{"v1.20.15"}, 0},
	{"FLAG: ", []string{"cgroup-driver", "systemd"}, 0},
	{"feature gates: ", []string{"{map[SidecarContainers:true]}"}, 0},
	{"Creating Container Manager object based on Node Config",
		[]string{
			"{RuntimeCgroupsName: SystemCgroupsName: CgroupsPerQOS:true CgroupRoot:/ CgroupDriver:systemd KubeletRootDir:/var/lib/kubelet}"}, 0},
	{"Container runtime %s initialized", []string{"docker", "20.10.7", "1.41.0"}, 0},
	{"Killing container %q", []string{"docker://" + cid, "30"}, 0},
	{"Killing unwanted pod %q", []string{"web"}, 0},
	{"Container %q (%q) of pod %s: %s", []string{"a", `{"docker" "` + cid + `"}`,
		pod, "Container a failed liveness probe, will be restarted"}, 0},
	{"Container %+v is dead", []string{`{Name:a Image:i Command:[] Env:[{Name:K Value:canary ValueFrom:nil}]}`}, 0},
	{"Container %q of pod %q is not", []string{"a", pod}, 0},
	{"Container %q exited normally", []string{"docker://" + cid}, 0},
	{"Container %q termination failed", []string{"docker://" + cid, "30", "context deadline exceeded"}, 0},
	{"Pod %q container %q", []string{pod, "a", "3363766738", "1"}, 0},
	{"pod %q container %q", []string{pod, "a", "3363766738", "1"}, 0},
	{"Failed to kill container %q", []string{"a", "docker://" + cid, pod, "FailedPostStartHook", "no"}, 0},
	{"killContainer %q", []string{"a", `{"docker" "` + cid + `"}`, pod, "no"}, 0},
	{"killPod for pod %q", []string{pod, "&{ID:" + uid + "}", "no"}, 0},
	{"%v %+v start failed in pod %v", []string{"container", dump, pod, "CreateContainerError", "no such image"}, 0},
	{"%v %v start failed in pod %v", []string{"container", "a", pod, "CreateContainerError", "no such image"}, 0},
	{"init container %+v start", []string{dump, pod, "CreateContainerError", "no such image"}, 0},
	{"init container %v start", []string{"a", pod, "CreateContainerError", "no such image"}, 0},
	{"Error killing container", []string{"a", `{"docker" "` + cid + `"}`, pod, "no"}, 0},
	{"Container %q exited after", []string{cid + " shop/web", "2s"}, 0},
	{"createPodSandbox for pod %q", []string{pod, "rpc error"}, 0},
	{"No sandbox for pod", []string{pod}, 0}, {"No ready sandbox for pod", []string{pod}, 0},
	{"Sandbox for pod", []string{pod}, 0},
	{"More than 1 sandboxes", []string{pod}, 0}, {"Multiple sandboxes", []string{pod}, 0},
	{"Need to restart pod infra", []string{pod}, 0},
	{"Status for pod %q updated",
		[]string{pod, "2",
			"{Phase:Running Conditions:[{Type:Ready Status:True Reason: Message:}] Message:no profile Reason:AppArmor HostIP:10.0.0.7}"}, 0},
	{"SyncLoop (PLEG): %q", []string{pod, died}, 0},
	{"GenericPLEG: %v/%v: ", []string{uid, cid, "running", "exited"}, 0},
	{"SyncLoop (ADD", []string{"api", pod}, 0}, {"SyncLoop (UPDATE", []string{"api", pod}, 0},
	{"SyncLoop (DELETE", []string{"api", pod}, 0},
	{"SyncLoop (REMOVE", []string{"api", pod}, 0}, {"SyncLoop (RE", []string{"api", pod}, 0},
	{"SyncLoop (container unhealthy)", []string{pod}, 0},
	{"%s probe for %q errored", []string{"Liveness", pod + ":a", "rpc error"}, 0},
	{"%s probe for %q failed", []string{"Startup", pod + ":a", "failure", "no"}, 16},
	{"%s probe for %q failed", []string{"Liveness", pod + ":a", "failure", "no"}, 0},
	{"%s probe for %q succeeded", []string{"Readiness", pod + ":a"}, 0},
	{"Back-off %s", []string{"40s", "a", pod}, 0}, {"back-off %s", []string{"40s", "a", pod}, 0},
	{"Error syncing pod %s, skipping", []string{uid, strings.Replace(sync, "back-off", "Back-off", 1)}, 0},
	{"Error syncing pod %s (%q)", []string{uid, pod, sync}, 0},
	{"Failed to admit pod", []string{pod, "node has conditions: [MemoryPressure]"}, 0},
	{"Predicate failed on Pod", []string{pod, "Node didn't have enough resource: cpu"}, 0},
	{"eviction manager: attempting to reclaim", []string{"memory"}, 0},
	{"eviction manager: must evict", []string{"memory"}, 0},
	{"eviction manager: able to reduce", []string{"memory"}, 0}, {"eviction manager: pod %s", []string{pod}, 0},
	{"eviction manager: pods %s evicted", []string{pod}, 0},
	{"preemption: attempting", []string{"[&Pod{ObjectMeta:{web canary}}]", "[{cpu 100}]"}, 0},
	{"preemption: pod", []string{pod}, 0},
	{"Shutdown manager killing pod", []string{"web", "10"}, 0},
	{"Pod %q was deleted and then recreated", []string{pod, old, uid}, 0},
	{"The Cgroup", []string{"[kubepods burstable pod" + uid + "]", "[/sys/fs/cgroup/memory/kubepods]"}, 0},
	{"Reading ", []string{"/etc/kubernetes/manifests/a.yaml"}, 0},
	{"Can't process", []string{"/etc/kubernetes/manifests/a.yaml", "no"}, 0},
	{"can't process", []string{"/etc/kubernetes/manifests/a.yaml", "no"}, 0},
	{"Unable to read ", []string{"/etc/kubernetes/manifests", "no"}, 0},
	{"unable to read config path", []string{"/etc/kubernetes/manifests", "no"}, 0},
	{"Generated UID", []string{uid, "web", "/etc/kubernetes/manifests/a.yaml"}, 0},
	{"Creating a mirror pod", []string{pod}, 0}, {"Trying to delete pod", []string{"web_shop", uid}, 0},
	{"Deleting a mirror pod", []string{"web_shop", uid}, 0},
	{"Deleting mirror pod", []string{pod}, 0}, {"Deleted mirror pod", []string{pod}, 0},
	{"Got sys oom event", []string{"&{4388 tail 2026-11-21 08:35:15.411173751 +0000 UTC m=-409.389420288 / / }"}, 0},
	{"preStop hook for container", []string{"a", "30"}, 0},
}

// value returns the value of a structured line's key in a minor version, as klog of that time prints it. A namedString
// (types.UID and similar types) is bare up to v1.27; structs are Go syntax up to v1.27 and JSON since then.
func value(m message, key string, minor int) string {
	named := func(s string) string {
		if minor <= 27 {
			return s
		}
		return `"` + s + `"`
	}
	either := func(plain, json string) string {
		if minor <= 27 {
			return plain
		}
		return json
	}
	switch m.text + "/" + key {
	case "GenericPLEG/oldState":
		return named("running")
	case "GenericPLEG/newState":
		return named("exited")
	case "Generic (PLEG): container finished/containerID":
		return `"` + cid + `"`
	case "Shutdown manager detected new shutdown event, isNodeShuttingDownNow/event":
		return "true"
	case "Got sys oom event/event":
		return either(
			"&{Pid:4388 ProcessName:tail TimeOfDeath:2026-11-21 08:35:15.411173751 +0000 UTC m=-409.389420288 ContainerName:/ VictimContainerName:/ Constraint:CONSTRAINT_NONE}",
			`{"Pid":4388,"ProcessName":"tail","TimeOfDeath":"2026-11-21T08:35:15.411173751Z","ContainerName":"/","VictimContainerName":"/","Constraint":"CONSTRAINT_NONE"}`)
	case "Container start failed in pod/container":
		if minor <= 33 {
			return `"` + dump + `"`
		}
	case "Container start failed in pod/err":
		return `"CreateContainerError"`
	case "Back-off restarting failed container/err":
		return `"` + back + `"`
	case "Error syncing pod, skipping/err":
		return `"` + strings.ReplaceAll(sync, `"`, `\"`) + `"`
	case "Killing container before removal/containerID", "Removing container before pod restarts/containerID":
		return `{"Type":"containerd","ID":"` + cid + `"}`
	case "Resize cannot be accommodated/pod", "Resize is not feasible as request exceeds allocatable node resources/pod":
		return `"web"`
	case "Attempting to evict pods in order to free up resources/pods":
		return "[&Pod{ObjectMeta:{web canary}}]"
	}
	switch key {
	case "pod":
		return `"shop/web"`
	case "podName", "podFullName":
		return `"web"`
	case "podUID", "podID":
		return named(uid)
	case "oldPodUID":
		return named(old)
	case "containerName", "container":
		return `"a"`
	case "containerID":
		return `"containerd://` + cid + `"`
	case "containerStatusID":
		return either("{Type:containerd ID:"+cid+"}", `{"Type":"containerd","ID":"`+cid+`"}`)
	case "containerMessage":
		return `"Container a failed liveness probe, will be restarted"`
	case "gracePeriod", "exitCode", "index", "total":
		return "30"
	case "source":
		return `"api"`
	case "pods":
		switch {
		case minor <= 22:
			return `"` + pod + `"`
		case minor == 26:
			return `"[shop/web]"`
		case minor <= 27:
			return "[shop/web]"
		}
		return `["shop/web"]`
	case "event":
		return either("&{ID:"+uid+" Type:ContainerDied Data:"+cid+"}", `{"ID":"`+
			uid+`","Type":"ContainerDied","Data":"`+cid+`"}`)
	case "probe":
		return `"liveness"`
	case "status":
		return `"unhealthy"`
	case "probeType":
		return `"Liveness"`
	case "probeResult":
		return named("failure")
	case "resourceName":
		return named("memory")
	case "kubeletVersion":
		return `"v1.30.14"`
	case "nodeConfig":
		return either(
			"{RuntimeCgroupsName: CgroupsPerQOS:true CgroupRoot:/ CgroupDriver:systemd KubeletRootDir:/var/lib/kubelet}",
			`{"NodeName":"n1","CgroupsPerQOS":true,"CgroupRoot":"/","CgroupDriver":"systemd","KubeletRootDir":"/var/lib/kubelet"}`)
	case "cgroupDriver":
		return `"systemd"`
	case "featureGates": // component-base feature_gate.go: all that were set
		return `{"SidecarContainers":true}`
	case "config": // cmd/kubelet/app/server.go: the whole configuration as YAML, a block
		return "<\n\tapiVersion: kubelet.config.k8s.io/v1beta1\n\tcgroupDriver: systemd\n\tfeatureGates:\n\t  MemoryQoS: true\n\tkind: KubeletConfiguration\n >"
	case "cgroupName":
		return either("[kubepods burstable pod"+uid+"]", `["kubepods","burstable","pod`+uid+`"]`)
	case "path":
		return `"/etc/kubernetes/manifests/a.yaml"`
	case "output":
		if minor >= 24 { // klog 2.60: values of several lines are blocks
			return "<\n\tone\n\ttwo\n >"
		}
		return `"one\ntwo"`
	}
	return `"x"`
}
