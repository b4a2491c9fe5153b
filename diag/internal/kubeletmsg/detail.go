package kubeletmsg

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// ProbeMessage is a parsed message of an Unhealthy event.
type ProbeMessage struct {
	Type evidence.ProbeType
	// Errored is true if the probe could not be run: the kubelet counts that neither as success nor as failure.
	Errored bool
	Output  string
}

var probeTypes = map[string]evidence.ProbeType{
	"Liveness": evidence.ProbeLiveness, "Readiness": evidence.ProbeReadiness, "Startup": evidence.ProbeStartup,
}

// ParseProbe reads the message of an Unhealthy event: "Liveness probe failed: <output>" or "… errored: <error>", since
// 1.33 "… errored and resulted in <state> state: <error>" (kubelet prober.go probe).
func ParseProbe(message string) (ProbeMessage, bool) {
	kind, rest, ok := strings.Cut(message, " probe ")
	if !ok || probeTypes[kind] == "" {
		return ProbeMessage{}, false
	}
	verb, output, _ := strings.Cut(rest, ":")
	p := ProbeMessage{Type: probeTypes[kind], Output: strings.TrimSpace(output)}
	switch {
	case verb == "failed":
	case verb == "errored", strings.HasPrefix(verb, "errored and resulted in "):
		p.Errored = true
	default:
		return ProbeMessage{}, false
	}
	return p, true
}

// imageSentences are the messages before a quoted image (kubelet images/image_manager.go EnsureImageExists; the text
// after the image varies).
var imageSentences = []string{
	"Container image ",           // "Container image "x" already present on machine [and can be accessed by the pod]"
	"Successfully pulled image ", // "… in 1.2s (1.2s including waiting). Image size: 1 bytes."
	"Pulling image ",             // v1.13+
	"pulling image ",             // ≤v1.12
}

// ParseImage returns the image in the message of a Pulling or Pulled event, "" if there is none. The image is untrusted
// text.
func ParseImage(message string) string {
	for _, before := range imageSentences {
		rest, ok := strings.CutPrefix(message, before+`"`)
		if !ok {
			continue
		}
		if image, _, closed := strings.Cut(rest, `"`); closed {
			return image
		}
	}
	return ""
}
