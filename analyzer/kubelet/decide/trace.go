package decide

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// Step is one condition that the kubelet's code checks, and its value.
type Step struct {
	// Function is where upstream checks it, such as "computePodActions"; Minor whose code it is, such as "v1.31".
	Function string `json:"function"`
	Minor    string `json:"minor"`
	// Branch names the condition for programs and never changes; Container is empty for conditions about the pod.
	Branch    string `json:"branch"`
	Container string `json:"container,omitempty"`
	// Question in plain words; Taken is true when the answer was yes and the branch was taken.
	Question string `json:"question"`
	Taken    bool   `json:"taken"`
	// Fact is what decided; Then is what follows, empty where the code simply continues.
	Fact string `json:"fact"`
	Then string `json:"then,omitempty"`
}

// Trace holds the steps of one decision, in the order in which the kubelet takes them. It is nil unless requested.
type Trace []Step

// branch is one condition in the kubelet's code. "{c}" in its texts is replaced by the container's name.
type branch struct {
	id       string
	function string
	question string
	// yes and no say what follows from the answer; empty where the code simply continues.
	yes, no string
}

// recorder collects steps. The zero value collects none and costs one comparison per question.
type recorder struct {
	on    bool
	minor int
	as    string
	steps Trace
}

func newRecorder(p *kubelet.Profile, on bool) recorder {
	return recorder{on: on, minor: p.Minor, as: p.ModelledAs}
}

// ask returns the answer, and records the step if tracing is on. why is called only then, and never kept: it must not
// outlive the call.
func (r *recorder) ask(b *branch, answer bool, container string, why func() string) bool {
	if r.on {
		r.note(b, answer, container, why())
	}
	return answer
}

func (r *recorder) note(b *branch, answer bool, container, fact string) {
	then := b.no
	if answer {
		then = b.yes
	}
	fill := func(s string) string { return strings.ReplaceAll(s, "{c}", container) }
	r.steps = append(r.steps, Step{
		Function:  r.functionName(b.function),
		Minor:     r.as,
		Branch:    b.id,
		Container: container,
		Question:  fill(b.question),
		Taken:     answer,
		Fact:      fact,
		Then:      fill(then),
	})
}

// functionName returns the function's name in this minor; the table has the present names.
func (r *recorder) functionName(name string) string {
	switch {
	case name == fnSandbox && r.minor < 25:
		return "podSandboxChanged"
	case name == fnSync && r.minor < 27:
		return "syncPod"
	case name == fnActions && r.minor < 8:
		return fnChanges
	}
	return name
}

// FileOf returns the Kubernetes file with a function that a Step names, and its depth below what the pod worker calls:
// 0 for SyncPod and HandlePodAdditions. An unknown function is in no file.
func FileOf(function string) (file string, depth int) {
	switch function {
	case fnSync, "syncPod", fnAdd:
		return "pkg/kubelet/kubelet.go", 0
	case fnActions, fnChanges:
		return "pkg/kubelet/kuberuntime/kuberuntime_manager.go", 1
	case fnBackOff, fnRecords:
		return "pkg/kubelet/kuberuntime/kuberuntime_manager.go", 1
	case fnStart:
		return "pkg/kubelet/kuberuntime/kuberuntime_container.go", 1
	case fnSandbox:
		return "pkg/kubelet/kuberuntime/util/util.go", 2
	case "podSandboxChanged", fnResize, fnStarts:
		return "pkg/kubelet/kuberuntime/kuberuntime_manager.go", 2
	case fnNext, fnInit:
		return "pkg/kubelet/kuberuntime/kuberuntime_container.go", 2
	case fnRestart:
		return "pkg/kubelet/container/helpers.go", 2
	}
	return "", 0
}
