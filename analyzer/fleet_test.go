package analyzer_test

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// fleet is the history of a large cluster: about that many restarts on up to a hundred nodes. Half of them are the
// stories of all causes, each with its pod, logs and records, another one every two hours on each node; the other half
// are pods that crash ten times in a row.
func fleet(restarts int) *evidence.Snapshot {
	told := append(analyzertest.Stories(), misleading()...)
	told = append(told, ends()...)
	stories := make([]*analyzertest.Story, len(told))
	for i := range told {
		stories[i] = told[i].Story()
	}
	nodes := min(100, max(1, restarts/100))
	slots := restarts / 10 * 5 / nodes
	b := evidence.NewBuilder(analyzertest.T0.Add(time.Duration(slots+1) * 2 * time.Hour))
	for n := range nodes {
		node := fmt.Sprintf("n%02d", n)
		b.Node(evidence.Node{Name: node, KubeletVersion: "v1.36.3", Runtime: "containerd://1.6.20"})
		for slot := range slots {
			retell(b, stories[(slot*7+n)%len(stories)], node, fmt.Sprintf("%02x%06x", n, slot), time.Duration(slot)*2*time.Hour)
		}
		for loop := range slots / 10 {
			crashes(b, node, fmt.Sprintf("c%02x%05x", n, loop),
				analyzertest.T0.Add(time.Duration(loop)*20*time.Hour+70*time.Minute))
		}
	}
	return b.Build()
}

// retell adds a story on another node, at another time, for another pod.
func retell(b *evidence.Builder, s *analyzertest.Story, node, id string, later time.Duration) {
	rename := strings.NewReplacer(
		analyzertest.PodUID, analyzertest.PodUID[:len(analyzertest.PodUID)-8]+id,
		analyzertest.OldID, analyzertest.OldID[:56]+id, analyzertest.NewID, analyzertest.NewID[:56]+id,
		analyzertest.OldBox, analyzertest.OldBox[:56]+id, analyzertest.NewBox, analyzertest.NewBox[:56]+id).Replace
	p := s.Pod
	p.Name, p.UID, p.Node, p.CreatedAt = "web-"+id, rename(p.UID), node, p.CreatedAt.Add(later)
	p.Object = podobject.Of(&corev1.Pod{Spec: corev1.PodSpec{RestartPolicy: corev1.RestartPolicyAlways}})
	for _, c := range p.Containers {
		p.Object.Spec.Containers = append(p.Object.Spec.Containers, corev1.Container{Name: c.Name, Image: c.Image})
	}
	b.Pod(p)
	for _, o := range s.Observations {
		if !o.Time.IsZero() {
			o.Time = o.Time.Add(later)
		}
		o.Subject.Node, o.Source.Node = node, node
		for _, f := range []*string{&o.Subject.PodUID, &o.Subject.ContainerID, &o.Subject.SandboxID} {
			*f = rename(*f)
		}
		if o.Subject.Pod != "" {
			o.Subject.Pod = p.Name
		}
		switch f := o.Fact.(type) {
		case evidence.ContainerRecord:
			for _, t := range []*time.Time{&f.Created, &f.Started, &f.Finished} {
				if !t.IsZero() {
					*t = t.Add(later)
				}
			}
			o.Fact = f
		case evidence.SandboxRecord:
			f.Created = f.Created.Add(later)
			o.Fact = f
		case evidence.OOMKill:
			f.OOMMemcg, f.TaskMemcg = rename(f.OOMMemcg), rename(f.TaskMemcg)
			o.Fact = f
		case evidence.KernelBooted:
			f.BootID += id
			o.Fact = f
		}
		b.Observe(o)
	}
	for _, c := range s.Coverage {
		c.From, c.Until = c.From.Add(later), c.Until.Add(later)
		if c.Node != "" {
			c.Node = node
		}
		b.Cover(c)
	}
}

// crashes is a pod whose container ended ten times by itself.
func crashes(b *evidence.Builder, node, id string, at time.Time) {
	uid := "4b222463-b4cd-48ff-b717-ecaa" + id
	b.Pod(evidence.Pod{Namespace: "shop", Name: "loop-" + id, UID: uid, Node: node,
		CreatedAt: at, Phase: "Running", RestartPolicy: "Always", GraceSeconds: 30,
		Containers: []evidence.Container{{Name: "a", Kind: evidence.KindApp, Image: analyzertest.Image}}})
	code := int32(1 + len(node)%2)
	for n := range 11 {
		start := at.Add(time.Duration(n) * time.Minute)
		subject := evidence.Subject{Node: node, Namespace: "shop", Pod: "loop-" + id,
			PodUID: uid, Container: "a", ContainerID: fmt.Sprintf("%s%s%03x", analyzertest.OldID[:53], id, n),
			SandboxID: analyzertest.OldBox[:56] + id}
		rec := evidence.ContainerRecord{State: evidence.StateExited, Attempt: n,
			Created: start, Started: start, Finished: start.Add(7 * time.Second),
			ExitCode: &code, Reason: "Error", Image: analyzertest.Image}
		if n == 10 {
			rec = evidence.ContainerRecord{State: evidence.StateRunning, Attempt: n,
				Created: start, Started: start, Image: analyzertest.Image}
		}
		b.Observe(evidence.Observation{Time: rec.Finished, Subject: subject,
			Source: evidence.Source{Kind: evidence.SourceCRI, Node: node, Where: "cri"},
			Fact:   rec, Text: safetext.Clean("container " + subject.ContainerID)})
	}
}

// ends are pods that ended along with their containers.
func ends() []analyzertest.Told {
	end := func(reason, message string) func() *analyzertest.Story {
		return func() *analyzertest.Story {
			s := analyzertest.New().Events().Logs().Status(10, 42.5, 143, "Error", 0).Records(10, 42.5, 143, "Error", 0, nil)
			s.Observations = s.Observations[:len(s.Observations)-1] // no second instance
			s.Pod.Phase, s.Pod.Reason = "Failed", reason
			s.Event(40, evidence.KillDecided{Reason: evidence.KillPod, Message: safetext.Clean("Stopping container a"),
				Count: 1})
			return s.PodEvent(40, evidence.PodEvicted{Reason: reason, Message: safetext.Clean(message)})
		}
	}
	return []analyzertest.Told{
		{Name: "memory", Story: end("Evicted", "The node was low on resource: memory.")},
		{Name: "disk", Story: end("Evicted", "The node was low on resource: ephemeral-storage.")},
		{Name: "a drain", Story: end("EvictionByEvictionAPI", "Eviction API: evicting")},
		{Name: "a taint", Story: end("DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint")},
		{Name: "a shutdown", Story: end("Terminated", "Pod was terminated in response to imminent node shutdown.")},
	}
}
