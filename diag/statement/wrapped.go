package statement

import (
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
)

// launches reports whether a program starts a kubelet and a runtime and logs their output under its own name, with the
// name of the part: k0s as a field (pkg/supervisor supervisor.go: component=kubelet stream=stderr), MicroShift as a
// prefix of the line (klog's logger prefix). Such a part is identified as well as by its own name.
func launches(unit string) bool { return unit == "k0s" || evidence.UnitOf(unit).Launcher }

// Inner extracts a kubelet's or runtime's message from what a launcher puts around it, and names its unit; another
// message is returned as it is.
func Inner(unit, message string) (innerUnit, inner string) {
	if message == "" || message[0] != 't' && message[0] != 'k' {
		return unit, message
	}
	if rest, found := strings.CutPrefix(message, "kubelet "); found {
		if _, _, klog := klogline.ParseHeader(rest); klog {
			return innerOf(unit, "kubelet"), rest
		}
		return unit, message
	}
	if !strings.HasPrefix(message, `time="`) {
		return unit, message
	}
	at := strings.LastIndex(message, " component=")
	from := strings.Index(message, ` msg="`)
	if at < 0 || from < 0 || from > at {
		return unit, message
	}
	component, _, _ := strings.Cut(message[at+len(" component="):], " ")
	if component != "kubelet" && component != "containerd" {
		return unit, message
	}
	quoted := message[from+len(" msg="):]
	prefix, err := strconv.QuotedPrefix(quoted)
	if err != nil {
		return unit, message
	}
	inner, err = strconv.Unquote(prefix)
	if err != nil {
		return unit, message
	}
	return innerOf(unit, component), inner
}

func innerOf(unit, component string) string {
	if launches(unit) {
		return component
	}
	return unit
}

// strangers are programs that log like a kubelet but are not one.
var strangers = []string{"kube-proxy", "kube-apiserver", "kube-scheduler",
	"kube-controller-manager", "cloud-controller-manager", "etcd", "node-problem-detector",
	"konnectivity", "cluster-autoscaler"}

// adoptable reports whether a kubelet may log under an unknown name: it is neither another component's nor one that the
// output of a container has.
func adoptable(unit string) bool {
	name := strings.TrimSuffix(unit, ".service")
	if Contained(unit) || strings.HasPrefix(unit, "user@") || hosted(unit) {
		return false
	}
	for _, s := range strangers {
		if strings.HasPrefix(name, s) {
			return false
		}
	}
	return true
}

// Contained reports whether a name is one that the output of a container has: journald and syslog name that by the
// container's id, its name, or the scope of its processes. Lines of CRI-O's monitor about a container have such a name,
// too.
func Contained(unit string) bool {
	name := strings.TrimSuffix(unit, ".service")
	switch {
	case hosted(unit):
		return false
	case strings.HasSuffix(unit, ".scope"), strings.HasSuffix(unit, ".slice"), strings.HasPrefix(unit, "k8s_"),
		strings.HasPrefix(unit, "crio-"), strings.HasPrefix(unit, "conmon"), strings.HasPrefix(unit, "libpod-"),
		strings.HasPrefix(unit, "cri-containerd-"):
		return unit != "init.scope"
	}
	return len(name) >= 12 && strings.Trim(name, "0123456789abcdef") == ""
}

// goesOn reports whether a line can belong to a multi-line message.
func goesOn(message string) bool {
	return strings.HasPrefix(message, "\t") || strings.HasPrefix(message, " >") || strings.HasPrefix(message, "        ")
}
