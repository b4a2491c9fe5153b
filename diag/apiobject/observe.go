package apiobject

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/event"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/exitcode"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/readmission"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Observe parses the objects into facts.
func (p *Piece) Observe(b *evidence.Builder) {
	p.unhide()
	p.tellNamespace()
	pods := make(map[string]*corev1.Pod, len(p.Pods)) // by the API's UID, and by the kubelet's
	for i, pod := range p.Pods {
		if pod.UID == "" && pod.Name != "" && lived(&pod.Status) {
			named := *pod
			if named.Namespace == "" {
				named.Namespace = evidence.UsualNamespace(pod.Name)
			}
			named.UID = types.UID(evidence.Described + named.Namespace + "/" + named.Name)
			p.Pods[i] = &named
		}
	}
	p.joinTwins()
	for _, pod := range p.Pods {
		if pod.UID != "" {
			pods[string(pod.UID)] = pod
		}
	}
	for _, pod := range p.Pods {
		if uid := runtimeUID(pod); uid != "" && pods[uid] == nil {
			pods[uid] = pod
		}
	}
	placed, seen := p.placed(), &specs{}
	forged, observations := map[*corev1.Pod]bool{}, len(p.Events)
	for _, pod := range placed {
		if other := pods[safetext.Ident(pod.Annotations[configHash])]; other != nil && other != pod {
			forged[pod] = true
		}
		observations += perStatus * len(pod.Status.ContainerStatuses)
	}
	b.Expect(len(placed), observations)
	events := p.Events
	if event.Clocks(b, events); p.spent {
		p.Pods, p.Events = nil, nil
	}
	late := event.Late(events)
	observeAll(b, events, p.spent, func(b *evidence.Builder, e *corev1.Event) { event.ObserveEvent(b, e, pods, late) })
	clear(pods) // it is the last that has those that were observed
	observeAll(b, placed, p.spent, func(b *evidence.Builder, pod *corev1.Pod) { p.pod(b, pod, forged[pod], seen) })
	for _, n := range p.Nodes {
		b.Node(nodeFrom(n))
	}
	b.Quiet(p.Uneventful)
	if p.Window != nil {
		b.Cover(evidence.Coverage{Source: evidence.SourceAPI, From: p.Window.From.Time, Until: p.Window.Until.Time})
	}
	for _, g := range p.gaps {
		b.Gap(g)
	}
}

// pod parses one pod into facts. forged: anyone may write annotations, and the UID in one is another pod's.
func (p *Piece) pod(b *evidence.Builder, pod *corev1.Pod, forged bool, seen *specs) {
	if pod.UID == "" {
		b.Gap(evidence.Gap{Source: evidence.SourceAPI,
			Why:  fmt.Sprintf("pod %s/%s has no UID and was left out", pod.Namespace, pod.Name),
			Hint: "it looks like a manifest; take it from the cluster with kubectl get"})
		return
	}
	model := podOf(pod, seen)
	if forged {
		model.Mirror, model.ConfigHash = false, ""
	}
	model.Workload = workloadOf(pod, p.Owners)
	if r, ok := p.readmissions[string(pod.UID)]; ok {
		model.Readmission = readmission.SafeReadmission(&r.Readmission)
	}
	hashes := p.Hashes[string(pod.UID)]
	if len(hashes) > 0 { // they are put into the containers
		model.Containers = slices.Clone(model.Containers)
	}
	b.Pod(model)
	for _, h := range hashes {
		b.Hashes(safetext.Ident(string(pod.UID)), safetext.Ident(h.Container), safeHashes(h.Hashes))
	}
	observePod(b, pod)
}

// lived reports whether the status is from a pod that was in a cluster: people who post one often cut out private
// fields, including the UID. A manifest has no status.
func lived(s *corev1.PodStatus) bool {
	return s.Reason != "" || s.Phase != "" && s.Phase != corev1.PodPending ||
		len(s.ContainerStatuses)+len(s.InitContainerStatuses) > 0
}

// safeHashes returns the slice itself if all of it is safe, as it nearly always is.
func safeHashes(in []evidence.SpecHash) []evidence.SpecHash {
	unsafe := func(h evidence.SpecHash) bool {
		return slices.ContainsFunc([]string{h.Algorithm, h.Hex, h.Image, h.Without, h.With, h.Changed, h.Source},
			func(s string) bool { return safetext.Ident(s) != s })
	}
	if !slices.ContainsFunc(in, unsafe) {
		return in
	}
	out := make([]evidence.SpecHash, 0, len(in))
	for _, h := range in {
		h.Algorithm, h.Hex, h.Image = safetext.Ident(h.Algorithm), safetext.Ident(h.Hex), safetext.Ident(h.Image)
		h.Without, h.With, h.Changed, h.Source = safetext.Ident(h.Without), safetext.Ident(h.With),
			safetext.Ident(h.Changed), safetext.Ident(h.Source)
		out = append(out, h)
	}
	return out
}

// observePod reads the container statuses and the condition set by those who end a pod from outside.
func observePod(b *evidence.Builder, pod *corev1.Pod) {
	about := evidence.Subject{Node: pod.Spec.NodeName, Namespace: pod.Namespace, Pod: pod.Name, PodUID: string(pod.UID)}
	source := evidence.Source{Kind: evidence.SourceAPI, Where: "pod " + pod.Namespace + "/" + pod.Name}
	var kinds map[string]evidence.ContainerKind
	if len(pod.Status.InitContainerStatuses) > 0 {
		kinds = kindsOf(&pod.Spec)
	}
	for _, part := range []struct {
		kind     evidence.ContainerKind
		statuses []corev1.ContainerStatus
	}{
		{evidence.KindInit, pod.Status.InitContainerStatuses},
		{evidence.KindApp, pod.Status.ContainerStatuses},
		{evidence.KindEphemeral, pod.Status.EphemeralContainerStatuses},
	} {
		for i := range part.statuses {
			s := &part.statuses[i]
			kind := part.kind
			if kind == evidence.KindInit && kinds[s.Name] == evidence.KindSidecar {
				kind = evidence.KindSidecar
			}
			observeStatus(b, s, kind, about, source, pod.DeletionTimestamp != nil || pod.Status.Reason != "")
		}
	}
	observeEnd(b, pod, about, source)
	observeReadiness(b, pod, about, source)
	observeSandbox(b, pod, about, source)
	for _, c := range pod.Status.Conditions {
		// Since 1.26: who ended the pod (api/core/v1 types.go DisruptionTarget).
		if c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue {
			o := evidence.Observation{Time: c.LastTransitionTime.Time, Subject: about, Source: source,
				Text: safetext.Clean(fmt.Sprintf("condition DisruptionTarget: %s: %s", c.Reason, c.Message))}
			fact := evidence.PodEvicted{Reason: safetext.Ident(c.Reason), Message: safetext.Clean(c.Message), Announced: true}
			if reason := byKubelet(c); reason != "" && pod.Status.Reason == "" && pod.Status.Phase == corev1.PodSucceeded {
				// The condition is as old as the last status update, and has no time of its own.
				fact.Reason, fact.Announced, o.Time = reason, false, time.Time{}
			}
			o.Fact = fact
			b.Observe(o)
		}
	}
}

// byKubelet is the reason that a kubelet gave to a pod that it ended, by the condition that it set. Where all
// containers exited with 0, the phase is Succeeded since kubelet 1.27, and the status keeps only the condition (kubelet
// kubelet_pods.go generateAPIPodStatus; nodeshutdown_manager.go, preemption.go, eviction_manager.go).
func byKubelet(c corev1.PodCondition) string {
	switch {
	case c.Reason != corev1.PodReasonTerminationByKubelet:
		return ""
	case strings.Contains(c.Message, "imminent node shutdown"):
		return "Terminated"
	case strings.Contains(c.Message, "preempted by Kubelet"):
		return "Preempting"
	}
	return "Evicted"
}

// observeEnd reads what the pod's own status says about its end: the reason that the kubelet gave when it ended or
// refused the pod (kubelet kubelet.go rejectPod, pod_workers.go, eviction, preemption, nodeshutdown), and a deletion.
func observeEnd(b *evidence.Builder, pod *corev1.Pod, about evidence.Subject, source evidence.Source) {
	if st := &pod.Status; st.Reason != "" && blocked(pod) && !ended(st.Reason) {
		b.Observe(evidence.Observation{
			Subject: about, Source: source, Fact: evidence.PodRejected{Reason: safetext.Ident(st.Reason),
				Message: safetext.Clean(st.Message), Soft: true},
			Text: safetext.Clean(fmt.Sprintf("status: phase %s, reason %s: %s", st.Phase, st.Reason, st.Message)),
		})
	} else if st.Reason != "" && (st.Phase == corev1.PodFailed || ended(st.Reason)) {
		var fact evidence.Fact = evidence.PodEvicted{Reason: safetext.Ident(st.Reason), Message: safetext.Clean(st.Message)}
		if refused(st.Reason, st.Message) {
			fact = evidence.PodRejected{Reason: safetext.Ident(st.Reason), Message: safetext.Clean(st.Message)}
		}
		b.Observe(evidence.Observation{
			Subject: about, Source: source, Fact: fact,
			Text: safetext.Clean(fmt.Sprintf("status: phase %s, reason %s: %s", st.Phase, st.Reason, st.Message)),
		})
	}
	if pod.DeletionTimestamp == nil {
		return
	}
	fact := evidence.PodDeleted{Until: pod.DeletionTimestamp.UTC(), GraceSeconds: -1}
	at := fact.Until
	if g := pod.DeletionGracePeriodSeconds; g != nil && *g >= 0 && *g < 1<<31 {
		fact.GraceSeconds = *g
		at = at.Add(-evidence.Seconds(*g))
	}
	b.Observe(evidence.Observation{
		Time: at, Subject: about, Source: source, Fact: fact,
		Text: safetext.Clean(fmt.Sprintf("deletionTimestamp %s, deletionGracePeriodSeconds %d",
			fact.Until.Format(time.RFC3339), fact.GraceSeconds)),
	})
}

// settled is how long after the start of its containers a pod may become ready for the first time: a later change is
// one of running containers.
const settled = time.Minute

// observeReadiness reports a pod whose condition Ready changed while all of its containers kept running: they lost or
// gained readiness without a restart.
func observeReadiness(b *evidence.Builder, pod *corev1.Pod, about evidence.Subject, source evidence.Source) {
	for _, c := range pod.Status.Conditions {
		if c.Type != corev1.PodReady || c.LastTransitionTime.IsZero() || len(pod.Status.ContainerStatuses) == 0 {
			continue
		}
		for i := range pod.Status.ContainerStatuses {
			running := pod.Status.ContainerStatuses[i].State.Running
			if running == nil || running.StartedAt.IsZero() || c.LastTransitionTime.Sub(running.StartedAt.Time) < settled {
				return
			}
		}
		b.Observe(evidence.Observation{
			Time: c.LastTransitionTime.UTC(), Subject: about, Source: source,
			Fact: evidence.ReadinessChanged{Ready: c.Status == corev1.ConditionTrue},
			Text: safetext.Clean(fmt.Sprintf("condition Ready: %s since %s, while all containers run on",
				c.Status, c.LastTransitionTime.UTC().Format(time.RFC3339))),
		})
	}
}

// blocked reports whether a pod continues although it has a reason: the kubelet currently may not run it (kubelet
// v1.4–v1.30 kubelet.go syncPod, canRunPod: AppArmor and similar, and custom handlers). The node controller of old
// clusters sets one, too: NodeLost.
func blocked(pod *corev1.Pod) bool {
	st := &pod.Status
	return (st.Phase == corev1.PodRunning || st.Phase == corev1.PodPending) &&
		pod.DeletionTimestamp == nil && st.Reason != evidence.NodeLost
}

// refused reports whether the kubelet did not admit a pod rather than ended it. Both are Failed with a reason; two
// reasons are used for both (kubelet kubelet.go rejectPod: "Pod was rejected: …" since 1.26, "Pod …" before).
func refused(reason, message string) bool {
	switch reason {
	case "Evicted":
		return strings.Contains(message, "The node had condition:") || strings.HasPrefix(message, "Pod ") &&
			strings.Contains(message, "The node was low on resource:")
	case "Shutdown":
		return strings.Contains(message, "not admitting")
	}
	if kubeletmsg.Rejects(reason) || strings.HasPrefix(message, "Pod was rejected:") {
		return true
	}
	return strings.HasPrefix(message, "Pod ") && !ended(reason) // a custom handler, ≤v1.25
}

// ended reports whether a reason is from a pod that was admitted and ended later.
func ended(reason string) bool {
	how := evidence.EndingOf(reason)
	return how != "" && !how.ByAPI() || reason == evidence.NodeLost
}

func kindsOf(s *corev1.PodSpec) map[string]evidence.ContainerKind {
	kinds := map[string]evidence.ContainerKind{}
	for c, kind := range Containers(s) {
		kinds[c.Name] = kind
	}
	return kinds
}

func observeStatus(b *evidence.Builder, s *corev1.ContainerStatus, kind evidence.ContainerKind,
	about evidence.Subject, source evidence.Source, ends bool) {
	about.Container = cmp.Or(s.Name, evidence.Unnamed) // a tool left the name out
	put := func(id, text string, at time.Time, fact evidence.Fact) {
		about := about
		about.ContainerID = evidence.BareID(id)
		b.Observe(evidence.Observation{Time: at, Subject: about, Source: source, Fact: fact, Text: safetext.Clean(text)})
	}
	put("", fmt.Sprintf("container %s: restartCount %d, ready %t", s.Name, s.RestartCount, s.Ready), time.Time{},
		evidence.RestartCount{Count: int(s.RestartCount)})

	now := evidence.ContainerRecord{
		Kind: kind, Attempt: int(s.RestartCount), RestartCount: int(s.RestartCount),
		Image: safetext.Ident(s.Image),
	}
	if id, at, text, ok := record(&now, &s.State); ok {
		if id == "" && now.State != evidence.StateWaiting {
			id = s.ContainerID
		}
		now.Runtime = runtimeOf(id)
		if w := s.State.Waiting; w != nil && s.ContainerID == "" && event.Waits(w.Reason) != "" {
			now.Reason, now.Message = event.Waits(w.Reason), safetext.Clean(w.Reason)
		}
		why := now.Message.String()
		off := kubeletmsg.CalledOff(why) || now.State == evidence.StateExited && now.Reason == "StartError" &&
			strings.HasSuffix(strings.TrimSuffix(why, ": unknown"), ": context canceled")
		if ends && off && s.LastTerminationState.Terminated == nil {
			now.Reason = "" // its first start did not fail; of a later one, it matters that it was tried
		}
		put(id, "state: "+text, at, now)
	}
	last := evidence.ContainerRecord{Kind: kind, Attempt: -1, RestartCount: -1, Last: true}
	if id, at, text, ok := record(&last, &s.LastTerminationState); ok {
		last.Runtime = runtimeOf(id)
		put(id, "lastState: "+text, at, last)
	}
}

// record fills in a state. It returns the container's id where the state has one, the time that the state is about, and
// a text to quote.
func record(r *evidence.ContainerRecord, s *corev1.ContainerState) (id string, at time.Time, text string, ok bool) {
	switch {
	case s.Terminated != nil:
		t := s.Terminated
		exit := t.ExitCode
		r.State, r.ExitCode, r.Signal = evidence.StateExited, &exit, t.Signal
		text = fmt.Sprintf("terminated, exit code %d", exit)
		if exit == exitcode.None && t.Reason == "Completed" {
			exit = 0 // every runtime and kubelet has that word for this code alone
		} else if exit == exitcode.None {
			r.ExitCode, text = nil, "terminated"
		}
		r.Reason, r.Message = safetext.Ident(t.Reason), safetext.Clean(t.Message)
		r.Started, r.Finished = epoch(t.StartedAt.Time), epoch(t.FinishedAt.Time)
		if t.Reason != "" {
			text += ", reason " + t.Reason
		}
		text += since("started", r.Started) + since("finished", r.Finished)
		if t.Message != "" {
			text += ", message: " + t.Message
		}
		return t.ContainerID, r.Finished, text, true
	case s.Running != nil:
		r.State, r.Started = evidence.StateRunning, epoch(s.Running.StartedAt.Time)
		return "", r.Started, "running" + since("started", r.Started), true
	case s.Waiting != nil:
		r.State, r.Reason, r.Message = evidence.StateWaiting, safetext.Ident(s.Waiting.Reason),
			safetext.Clean(s.Waiting.Message)
		text = "waiting, reason " + s.Waiting.Reason
		if s.Waiting.Message != "" {
			text += ", message: " + s.Waiting.Message
		}
		return "", time.Time{}, text, true
	}
	return "", time.Time{}, "", false
}

// epoch returns the zero time for the zero of Unix time, which runtimes report for "never" (kubelet
// kuberuntime_container.go toKubeContainerStatus: time.Unix(0, 0)).
func epoch(t time.Time) time.Time {
	if t.Unix() <= 0 {
		return time.Time{}
	}
	return t.UTC()
}

func since(what string, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return ", " + what + " " + t.Format(time.RFC3339)
}

// runtimeOf returns the scheme of a container id: "containerd" for "containerd://ab".
func runtimeOf(id string) string {
	scheme, _, ok := strings.Cut(id, "://")
	if !ok {
		return ""
	}
	return safetext.Ident(scheme)
}
