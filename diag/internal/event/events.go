package event

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kernel"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// combined is what client-go puts before the message of merged events (client-go tools/record events_cache.go
// EventAggregatorByReasonMessageFunc).
const combined = "(combined from similar events): "

// merged was the whole message before v1.7: what the events said is lost (client-go v3.0 events_cache.go).
const merged = "(events with common reason combined)"

// ObserveEvent turns one event into a specific fact, or keeps it as it is. pods are the known pods, by UID, late the
// Jobs that were over their deadline.
func ObserveEvent(b *evidence.Builder, e *corev1.Event, pods map[string]*corev1.Pod, late LateJobs) {
	o := &e.InvolvedObject
	s := evidence.Subject{Node: HostOf(e)}
	switch o.Kind {
	case "Pod":
		s.Namespace, s.Pod, s.PodUID, s.Container = o.Namespace, o.Name, string(o.UID), kubeletmsg.ContainerOf(o.FieldPath)
		pod := pods[s.PodUID]
		switch {
		case pod == nil:
		// Whoever may write events there need not be allowed to write here.
		case pod.Namespace != s.Namespace && pod.Namespace != "" && s.Namespace != "":
			s.PodUID = ""
		case s.Node == "":
			s.Node = pod.Spec.NodeName
		}
	case "Node":
		s.Node = o.Name
	default:
		if pod := deletedBy(e); pod != "" {
			s.Namespace, s.Pod = o.Namespace, pod
			break
		}
		if o.Kind == "Job" && e.Reason == "DeadlineExceeded" {
			ofJob(b, e, pods)
		}
		return // events of other objects name no container, pod or node
	}
	fact, text := FactOf(e), e.Reason+": "+e.Message
	if d, ok := fact.(evidence.PodDeleted); ok {
		d.ByOwner = onlyScales(o.Kind)
		fact = d
		if why := late.deadlineOf(e); why != nil {
			fact = evidence.PodEvicted{Reason: why.Reason, Message: safetext.Clean(why.Message)}
			text += fmt.Sprintf(" (event %s: %s: %s)", why.Name, why.Reason, why.Message)
		}
	}
	if k, ok := fact.(evidence.KillDecided); ok && s.Container == "" {
		s.Container = kubeletmsg.ParseKill(k.Message.String()).Container
	}
	if n := countOf(e); n > 1 {
		text = fmt.Sprintf("%s (×%d)", text, n)
	}
	at := LastTime(e)
	// A pod ends once; after its deadline, the kubelet repeats the event with every try until its containers are gone.
	if end, ok := fact.(evidence.PodEvicted); ok && end.Reason == "DeadlineExceeded" && !firstTime(e).IsZero() {
		at = firstTime(e)
	}
	b.Observe(evidence.Observation{
		Time: at, Subject: s, Fact: fact, Text: safetext.Clean(text),
		Source: evidence.Source{Kind: evidence.SourceAPI, Where: evidence.EventPrefix + e.Namespace + "/" + e.Name,
			Vouched: whole(e, s.Container) && inSpec(pods[s.PodUID], o.FieldPath)},
	})
}

// ofOwner finds the pod that a controller says it deleted (kubernetes pkg/controller/controller_utils.go
// RealPodControl.deletePod; pkg/controller/statefulset/stateful_pod_control.go recordPodEvent).
var ofOwner = regexp.MustCompile(
	`^(?:Deleted pod: |delete Pod )([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)(?: in StatefulSet \S+ successful)?$`)

// onlyScales reports whether a controller of a kind deletes pods only because there are too many of them. Those of
// StatefulSets, DaemonSets and Jobs also delete pods that failed (kubernetes v1.31 pkg/controller/replicaset,
// statefulset stateful_set_control.go, daemon daemon_controller.go, job job_controller.go).
func onlyScales(kind string) bool {
	return strings.EqualFold(kind, "ReplicaSet") || strings.EqualFold(kind, "ReplicationController")
}

// deletedBy returns the pod that its controller's event reports as deleted, "" if the event says nothing similar.
func deletedBy(e *corev1.Event) string {
	if m := ofOwner.FindStringSubmatch(PlainMessage(e)); m != nil && e.Reason == "SuccessfulDelete" {
		return m[1]
	}
	return ""
}

// FactOf reads an event by its reason and reporting component. Anyone may write events, so it accepts what only the
// kubelet can know only from the kubelet.
func FactOf(e *corev1.Event) evidence.Fact {
	message := PlainMessage(e)
	var fact evidence.Fact
	switch {
	// node-problem-detector config/kernel-monitor.json
	case e.InvolvedObject.Kind == "Node" && strings.HasSuffix(e.Reason, "OOMKilling"):
		if k, ok := kernel.Killed(message); ok {
			fact = k
		}
	case !fromKubelet(e):
		fact = factOfController(e.Reason, message)
	case e.InvolvedObject.Kind == "Node":
		fact = factOfNode(e.Reason, message)
	default:
		fact = factOfPod(e, message)
	}
	if failed, ok := fact.(evidence.StartFailed); ok {
		failed.CalledOff = kubeletmsg.CalledOff(failed.Message.String())
		return failed
	}
	if fact != nil {
		return fact
	}
	return evidence.APIEvent{
		Reason: safetext.Ident(e.Reason), Message: safetext.Clean(e.Message),
		Count: countOf(e), First: firstTime(e),
	}
}

// factOfPod reads the kubelet's events about a pod (kubelet pkg/kubelet/events/event.go and the callers of
// recordContainerEvent).
func factOfPod(e *corev1.Event, message string) evidence.Fact {
	text := func() safetext.Text { return safetext.Clean(message) } // not for every fact: it takes most of the time
	switch e.Reason {
	case "Killing":
		return evidence.KillDecided{Reason: kubeletmsg.KillReasonOf(message),
			Message: text(), Count: countOf(e), First: firstTime(e)}
	case "Unhealthy":
		if p, ok := kubeletmsg.ParseProbe(message); ok {
			return evidence.ProbeFailed{Probe: p.Type, Errored: p.Errored, Output: safetext.Clean(p.Output),
				Count: countOf(e), First: firstTime(e)}
		}
	case "FailedPostStartHook":
		return evidence.HookFailed{Hook: "PostStart", Output: text()}
	case "FailedPreStopHook":
		return evidence.HookFailed{Hook: "PreStop", Output: text()}
	case "BackOff":
		switch {
		case strings.HasPrefix(message, "Back-off restarting failed"):
			return evidence.BackedOff{}
		case strings.HasPrefix(message, "Back-off pulling image "): // images/image_manager.go EnsureImageExists
			return evidence.StartFailed{Reason: "ImagePullBackOff", Message: text(), Count: countOf(e), First: firstTime(e)}
		}
	case "Failed": // kuberuntime_container.go startContainer: "Error: " and the runtime's message
		why, told := strings.CutPrefix(message, "Error: ")
		switch {
		case strings.HasPrefix(why, "Failed to pull image "): // images/image_manager.go EnsureImageExists
			return evidence.StartFailed{Reason: "ErrImagePull", Message: text(), Count: countOf(e), First: firstTime(e)}
		case told && neverRan(why), notStarted.MatchString(why):
			return evidence.StartFailed{Reason: "RunContainerError", Message: safetext.Clean(why)}
		case told && comesLater.MatchString(why):
		case told && strings.HasPrefix(why, "failed to prepare subPath "):
			return evidence.StartFailed{Reason: "FailedMount", Message: safetext.Clean(why)}
		case told && lacksConfig.MatchString(why):
			return evidence.StartFailed{Reason: "CreateContainerConfigError", Message: safetext.Clean(why)}
		case told && strings.Contains(why, " "), notCreated.MatchString(why):
			return evidence.StartFailed{Reason: "CreateContainerError", Message: safetext.Clean(why)}
		case told && slices.Contains(ofImage, why):
			return evidence.StartFailed{Reason: safetext.Ident(why)}
		case strings.HasPrefix(why, "Internal PreCreateContainer hook failed: "):
			return evidence.StartFailed{Reason: "PreCreateHookError", Message: text()}
		case strings.HasPrefix(why, "Internal PreStartContainer hook failed: "):
			return evidence.StartFailed{Reason: "PreStartHookError", Message: text()}
		}
	case "InspectFailed": // images/image_manager.go EnsureImageExists
		if strings.HasPrefix(message, "Failed to apply default image tag ") {
			return evidence.StartFailed{Reason: "InvalidImageName", Message: text(), Count: countOf(e), First: firstTime(e)}
		}
		return evidence.StartFailed{Reason: "ImageInspectError", Message: text(), Count: countOf(e), First: firstTime(e)}
	case "ErrImageNeverPull":
		return evidence.StartFailed{Reason: "ErrImageNeverPull", Message: text(), Count: countOf(e), First: firstTime(e)}
	case "FailedCreatePodContainer": // kubelet.go syncPod: the pod's cgroup cannot be created
		return evidence.StartFailed{Reason: e.Reason, Message: text()}
	case "FailedCreatePodSandBox":
		return evidence.StartFailed{Reason: "CreatePodSandboxError", Message: text(), Count: countOf(e), First: firstTime(e),
			Similar: strings.HasPrefix(e.Message, combined)}
	case "FailedMount", "FailedMapVolume": // kubelet.go syncPod and volumemanager: also of a pod that runs
		return evidence.StartFailed{Reason: "FailedMount", Message: text(), Count: countOf(e), First: firstTime(e)}
	case "NetworkNotReady": // kubelet.go syncPod: also of a pod that runs
		return evidence.StartFailed{Reason: e.Reason, Message: text(), Count: countOf(e), First: firstTime(e)}
	case "FailedSync": // kubelet.go syncPod up to 1.7, which had no events for these
		if m := skipped.FindStringSubmatch(message); m != nil {
			reason := map[string]string{"network": evidence.NetworkNotReady, "timeout": "FailedMount"}[m[2]+m[3]]
			return evidence.StartFailed{Reason: cmp.Or(reason, "CreatePodSandboxError"), Message: safetext.Clean(m[1]),
				Count: countOf(e), First: firstTime(e)}
		}
	case "FailedKillPod", "ExceededGracePeriod": // kubelet.go syncPod, pod_workers.go: it should be gone, whoever asked
		return evidence.KillFailed{Message: text()}
	case "SandboxChanged", "InfraChanged": // InfraChanged: dockertools, 1.5–1.6
		return evidence.SandboxChanged{Count: countOf(e), First: firstTime(e)}
	case "Pulled", "Pulling":
		if image := kubeletmsg.ParseImage(message); image != "" {
			return evidence.ImageSeen{Image: safetext.Ident(image)}
		}
	case "Evicted":
		if kubeletmsg.Refused(e.Reason, message) {
			return evidence.PodRejected{Reason: e.Reason, Message: text()}
		}
		return evidence.PodEvicted{Reason: e.Reason, Message: text()}
	case "Preempting", "DeadlineExceeded":
		return evidence.PodEvicted{Reason: e.Reason, Message: text()}
	default:
		if kubeletmsg.Rejects(e.Reason) {
			return evidence.PodRejected{Reason: safetext.Ident(e.Reason), Message: text()}
		}
	}
	return nil
}

// neverRan reports whether a runtime's error is about a process that could not be started: runc's and crun's errors, as
// containerd and Docker report them. CRI-O makes the container with its process: of its "container create failed" only
// runc's words say that it was the process.
func neverRan(why string) bool {
	for _, sign := range []string{"failed to create containerd task", "failed to start containerd task",
		"failed to create shim task", "failed to start container ", "OCI runtime create failed", "oci runtime error",
		"container_linux.go", "unable to start container process"} {
		if strings.Contains(why, sign) {
			return true
		}
	}
	return false
}

// ofImage are errors that the kubelet reports by their names. Those of a pull have an event of their own, which says
// more.
var ofImage = []string{"ErrImageNeverPull", "ImageInspectError", "InvalidImageName", "RegistryUnavailable"}

// notStarted and notCreated match the kubelet's own words for both, up to 1.9 (dockertools).
var (
	notStarted = regexp.MustCompile(`^Failed to start (?:container )?with `)
	notCreated = regexp.MustCompile(`^Failed to create (?:docker )?container with `)
)

// lacksConfig matches what a kubelet lacks to create a container (kuberuntime_container.go generateContainerConfig).
var lacksConfig = regexp.MustCompile(`^(?:(?:secret|configmap)s? "[^"]+" not found|[Cc]ouldn't find key |` +
	`container has runAsNonRoot |container's runAsUser breaks non-root policy|cannot find volume )`)

// skipped matches why a pod's sync was left: no network on the node, no volumes, or no network for the sandbox
// (dockertools/docker_manager.go).
var skipped = regexp.MustCompile(`^Error ?syncing pod, skipping: ((network) is not ready: .*|` +
	`(timeout) expired waiting for volumes to attach/mount .*|` +
	`failed to "(?:SetupNetwork|CreatePodSandbox)" for .*)`)

// comesLater matches what the kubelet itself has not read yet: nobody has to mend the pod.
var comesLater = regexp.MustCompile(`^(?:failed to sync \w+ cache|services have not yet been read )`)

// factOfNode reads the kubelet's events about its node.
func factOfNode(reason, message string) evidence.Fact {
	switch reason {
	case "Rebooted":
		_, id, _ := strings.Cut(message, "boot id: ")
		return evidence.NodeRebooted{BootID: safetext.Ident(strings.TrimSpace(id))}
	case "Starting":
		return evidence.KubeletStarted{}
	case "NodeNotSchedulable":
		return evidence.NodeCordoned{}
	case "SystemOOM":
		return evidence.SystemOOM{Message: safetext.Clean(message)}
	}
	return nil
}

// factOfController reads events of others that end pods, or keep them from their start: the taint manager and before
// it the node controller, the scheduler, and those that evict through the API.
func factOfController(reason, message string) evidence.Fact {
	switch reason {
	case "TaintManagerEviction", evidence.DeviceTaintEviction:
		if strings.HasPrefix(message, "Cancelling") {
			return nil
		}
	case "SuccessfulDelete", "ExcessPodDeleted": // the latter: kueue pkg/controller/jobs/pod
		return evidence.PodDeleted{GraceSeconds: -1}
	case "FailedAttachVolume": // pkg/controller/volume/attachdetach
		return evidence.StartFailed{Reason: reason, Message: safetext.Clean(message)}
	case "NodeControllerEviction": // ≤1.12, pkg/util/node.RecordNodeEvent
	case "Preempted":
	case "Evict": // batch schedulers: volcano.sh pkg/scheduler/cache, kai-scheduler pkg/scheduler/cache/evictor
		reason = "Preempted"
	case "Stopped": // kueue pkg/controller/jobs/pod, pkg/scheduler/preemption: of a workload that is a pod
		if reason = "Preempted"; !preempted.MatchString(message) {
			return nil
		}
	case "Descheduled": // sigs.k8s.io/descheduler pkg/descheduler/evictions
	case "EvictedByVPA": // autoscaler vertical-pod-autoscaler/pkg/updater/eviction
	case "Disrupted": // karpenter, of a pod for whose grace its node does not wait
		if reason = evidence.EvictedByController; !outlived.MatchString(message) {
			return nil
		}
	case "Evicted": // karpenter pkg/controllers/node/termination/terminator/events
		reason = evidence.EvictedByController
	case "ScaleDown": // autoscaler cluster-autoscaler/core/scaledown/actuation: "deleting pod for node scale down"
		if !strings.HasPrefix(message, "deleting pod") {
			return nil
		}
	default: // the descheduler's since v0.24: its strategy is the reason
		if reason = "Descheduled"; !descheduled.MatchString(message) {
			return nil
		}
	}
	return evidence.PodEvicted{Reason: reason, Message: safetext.Clean(message)}
}

// preempted, outlived and descheduled match the messages of Kueue, Karpenter and the descheduler for a pod that they
// did end.
var (
	preempted   = regexp.MustCompile(`^Preempted to accommodate a (?:higher priority Workload$|workload \(UID: [^)]+\))`)
	outlived    = regexp.MustCompile(`^Deleting the pod to accommodate the terminationTime \S.* of the node\. The pod was granted `)
	descheduled = regexp.MustCompile(`^pod evict(?:ed|ion) (?:from \S+ node )?by sigs\.k8s\.io/descheduler\S*$`)
)

// fromKubelet reports whether the kubelet signed the event. Kubelets name themselves in source.component, and since
// 1.27 also in reportingController.
func fromKubelet(e *corev1.Event) bool {
	if e.Source.Component == "" && e.ReportingController == "" {
		if e.Reason == "Evicted" && strings.HasPrefix(e.Message, "Evicted pod") {
			return false // karpenter's: since 1.1 its own reason follows
		}
		return kubeletsOwn[e.Reason] || kubeletmsg.Rejects(e.Reason)
	}
	return signedByKubelet(e)
}

// signedByKubelet reports whether an event names the kubelet as its sender.
func signedByKubelet(e *corev1.Event) bool {
	return e.Source.Component == "kubelet" || e.Source.Component == "" && e.ReportingController == "kubelet"
}

// kubeletsOwn are reasons that only the kubelet uses (kubelet pkg/kubelet/events/event.go). They replace its signature
// in tables of events, which kubectl prints without the sender; such an event is never vouched for.
var kubeletsOwn = map[string]bool{
	"Killing": true, "Unhealthy": true, "FailedPostStartHook": true, "FailedPreStopHook": true,
	"BackOff": true, "Failed": true, "SandboxChanged": true, "InfraChanged": true,
	"Pulled": true, "Pulling": true, "Created": true, "Started": true, "Evicted": true,
	"Preempting": true, "DeadlineExceeded": true, "FailedKillPod": true, "ExceededGracePeriod": true,
	"FailedCreatePodSandBox": true, "FailedCreatePodContainer": true, "FailedMount": true, "FailedMapVolume": true,
	"NetworkNotReady": true, "FailedSync": true,
	"Rebooted": true, "Starting": true, "SystemOOM": true, "NodeNotSchedulable": true,
}

// HostOf returns the node of the reporting kubelet.
func HostOf(e *corev1.Event) string {
	if e.Source.Host == "" && e.ReportingController == "kubelet" {
		return e.ReportingInstance
	}
	return e.Source.Host
}

// PlainMessage returns the message without client-go's prefix for merged events.
func PlainMessage(e *corev1.Event) string {
	if e.Message == merged {
		return ""
	}
	return strings.TrimPrefix(e.Message, combined)
}

// LastTime returns when the event happened last, from the best field it has.
func LastTime(e *corev1.Event) time.Time {
	switch {
	case !e.LastTimestamp.IsZero():
		return e.LastTimestamp.UTC()
	case e.Series != nil && !e.Series.LastObservedTime.IsZero():
		return e.Series.LastObservedTime.UTC()
	case !e.EventTime.IsZero():
		return e.EventTime.UTC()
	}
	return e.CreationTimestamp.UTC()
}

// firstTime returns when the event happened first; zero if it does not say.
func firstTime(e *corev1.Event) time.Time {
	if e.FirstTimestamp.IsZero() {
		if e.EventTime.IsZero() {
			return time.Time{}
		}
		return e.EventTime.UTC()
	}
	return e.FirstTimestamp.UTC()
}

// countOf returns how often the event happened, at least once.
func countOf(e *corev1.Event) int {
	n := int(e.Count)
	if e.Series != nil {
		n = max(n, int(e.Series.Count))
	}
	return max(n, 1)
}
