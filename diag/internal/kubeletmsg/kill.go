package kubeletmsg

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// The phrases that follow the actual reason in some versions.
const (
	// kubelet v1.14+ kuberuntime_manager.go computePodActions
	suffixRestarted = ", will be restarted"
	suffixRecreated = ". Container will be killed and recreated." // kubelet v1.8–v1.13, same place: a second full stop
	// kubelet v1.5–v1.7 docker_manager.go, kuberuntime_manager.go
	suffixRecreated5 = ", it will be killed and re-created."
	eventPrefix      = "Killing container with id "        // kubelet v1.5–v1.13 kuberuntime_container.go killContainer
	dockerPrefix     = "Killing container with docker id " // kubelet v1.5–v1.6 dockertools/docker_manager.go killContainer
	postStartHandler = "PostStart handler: "               // kubelet v1.5–v1.6 startContainer
	// kubelet v1.14+ kuberuntime_gc.go removeOldestN
	unknownStateGC = "Container is in unknown state, try killing it before removal"
)

// whole lists the messages without a container's name in them.
var whole = map[string]evidence.KillReason{
	"Container failed liveness probe.": evidence.KillLiveness,   // v1.8–v1.13
	"FailedPostStartHook":              evidence.KillPostStart,  // v1.7+ kuberuntime_container.go startContainer
	"Need to kill Pod":                 evidence.KillPod,        // v1.5–v1.13 killContainersWithSyncResult
	"Need to kill pod.":                evidence.KillPod,        // v1.5–v1.6 dockertools
	"killing":                          evidence.KillRestartAll, // v1.35+ RestartAllContainers
	`Container is in "unknown" state, try killing it before restart`:      evidence.KillUnknownState, // v1.14+
	`Init container is in "unknown" state, try killing it before restart`: evidence.KillUnknownState, // v1.14+
	unknownStateGC: evidence.KillUnknownState,
}

// named lists the messages around a container's name (kubelet v1.14+
// kuberuntime_manager.go computePodActions, computeInitContainerActions).
var named = []struct {
	before, after string
	reason        evidence.KillReason
}{
	{"Stopping container ", "", evidence.KillPod},
	{"Container ", " definition changed", evidence.KillDefinition},
	{"Container ", " failed liveness probe", evidence.KillLiveness},
	{"Container ", " failed startup probe", evidence.KillStartup},        // v1.17+
	{"Container ", " resize requires restart", evidence.KillResize},      // v1.27+
	{"Init container ", " failed liveness probe", evidence.KillLiveness}, // v1.28+ sidecars
	{"Init container ", " failed startup probe", evidence.KillStartup},   // v1.28+ sidecars
	{"Init container ", " definition changed", evidence.KillDefinition},  // v1.32+ sidecars
}

// KillMessage is a parsed statement of the kubelet that it kills a container.
type KillMessage struct {
	Reason evidence.KillReason
	// Container is the name in the message, "" if it has none.
	Container string
}

// placeholder is what people put in the place of a name.
var placeholder = regexp.MustCompile(`^(?:<[^<>]*>|\[[^\[\]]*\]|\{[^{}]*\}|\([^()]*\)|[*.…_-]+|[xX]{3,}|` +
	`REDACTED|\$\w+)$`)

// unreasoned is a kill message without a reason: kubelets up to 1.0 (dockertools manager.go killContainer). Others end
// where it would stand.
var unreasoned = regexp.MustCompile(`^Killing [0-9a-f]{12,64}$`)

// KillReasonOf returns why the kubelet kills a container, from the message of its Killing event or of the log line
// "Message for Container of pod", of any kubelet since 1.5: "" where it gives none, KillOther for an unknown one.
func KillReasonOf(message string) evidence.KillReason { return ParseKill(message).Reason }

// ParseKill is like KillReasonOf, but also returns the container's name if the message has it.
func ParseKill(message string) KillMessage {
	message = strings.TrimSpace(message)
	if unreasoned.MatchString(message) {
		return KillMessage{}
	}
	if kill, ok := parseReason(message); ok {
		return kill
	}
	if rest, ok := strings.CutPrefix(message, dockerPrefix); ok {
		_, why, _ := strings.Cut(rest, ": ")
		kill, _ := parseReason(why)
		return kill
	}
	rest, ok := strings.CutPrefix(message, eventPrefix)
	if !ok {
		return KillMessage{Reason: evidence.KillOther}
	}
	// "<type>://<id or name>:<why>"; kubelets 1.7–1.13 have the name instead of the id.
	_, rest, _ = strings.Cut(rest, "://")
	id, why, _ := strings.Cut(rest, ":")
	kill, _ := parseReason(strings.TrimSpace(why))
	if kill.Container == "" && ContainerName(id) && !containerID(id) {
		kill.Container = id
	}
	return kill
}

// parseReason parses the reason without what an event puts around it.
func parseReason(why string) (KillMessage, bool) {
	why = strings.TrimSuffix(why, suffixRecreated)
	if why == "" {
		return KillMessage{}, true
	}
	if reason, ok := whole[why]; ok {
		return KillMessage{Reason: reason}, true
	}
	switch {
	case strings.HasPrefix(why, "Container spec hash changed ("): // v1.8–v1.13
		return KillMessage{Reason: evidence.KillDefinition}, true
	case strings.HasPrefix(why, postStartHandler):
		return KillMessage{Reason: evidence.KillPostStart}, true
	case strings.HasPrefix(why, "pod ") || strings.HasPrefix(why, "Pod "):
		return parseRecreated(why)
	}
	short := strings.TrimSuffix(why, suffixRestarted)
	for _, n := range named {
		name, ok := between(short, n.before, n.after)
		if ok && placeholder.MatchString(name) { // somebody took the name out
			return KillMessage{Reason: n.reason}, true
		}
		if ok && ContainerName(name) {
			return KillMessage{Reason: n.reason, Container: name}, true
		}
	}
	return KillMessage{Reason: evidence.KillOther}, false
}

// parseRecreated reads the sentences of kubelets 1.5–1.7: `pod "p_ns(u)" container "c" hash changed (1 vs 2), it will
// be killed and re-created.` and `… is unhealthy, it will be killed and re-created.`; older ones have `is unhealthy
// (probe result: failure)`.
func parseRecreated(why string) (KillMessage, bool) {
	short, ok := strings.CutSuffix(why, suffixRecreated5)
	if !ok {
		return KillMessage{Reason: evidence.KillOther}, false
	}
	_, rest, _ := strings.Cut(short, `container "`)
	name, rest, _ := strings.Cut(rest, `" `)
	if !ContainerName(name) {
		name = ""
	}
	switch {
	case rest == "is unhealthy", strings.HasPrefix(rest, "is unhealthy (probe result: "):
		return KillMessage{Reason: evidence.KillLiveness, Container: name}, true
	case strings.HasPrefix(rest, "hash changed ("):
		return KillMessage{Reason: evidence.KillDefinition, Container: name}, true
	}
	return KillMessage{Reason: evidence.KillOther}, false
}

func between(s, before, after string) (string, bool) {
	s, ok := strings.CutPrefix(s, before)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(s, after)
}

// ContainerName reports whether s can be a container's name: a DNS label.
func ContainerName(s string) bool {
	if s == "" || len(s) > 63 {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// containerID reports whether s is a (shortened) hexadecimal container id.
func containerID(s string) bool {
	return evidence.IsContainerID(s, 12)
}
