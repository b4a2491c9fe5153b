package mention

import (
	"regexp"
	"strings"
)

// troubled are words of somebody who asks why, and the reasons of containers, pods and events that are no good news
// (k8s.io/kubernetes pkg/kubelet/events/event.go, pkg/kubelet/container/sync_result.go, k8s.io/api core/v1): they say
// that something ended or does not run, and not how.
var troubled = regexp.MustCompile(`(?i)\b(?:re-?start(?:s|ed|ing)?|crash(?:es|ed|ing)?|kill(?:s|ed|ing)|` +
	`terminat(?:ed|ing)|exit(?:s|ed|ing)|evict(?:ed|ing|ion)|oom|back-?off|unhealthy|panic(?:ked)?|died|dead|stuck|` +
	`not running|not ready|unable to start|(?:failed|fails|failing|failure) to (?:start|create|run|pull|mount|attach)|` +
	`(?:can(?:not|'t)|could not|won't|does not|doesn't) start)\b|` +
	`\b(?:Completed|OOMKilled|ContainerCannotRun|StartError|DeadlineExceeded|CrashLoopBackOff|RunContainerError|` +
	`Create(?:Pod)?(?:Sandbox|Container)(?:Config)?Error|ContainerStatusUnknown|NodeShutdown|NodeLost|NodeNotReady|` +
	`Preempt(?:ed|ing)|UnexpectedAdmissionError|OutOf(?:cpu|memory|pods)|BackoffLimitExceeded|SystemOOM|Rebooted|` +
	`Failed(?:Create|Start|Mount|Sync|Kill|Post|Pre)\w*|SandboxChanged|ProbeWarning|ErrImage\w*|InvalidDiskCapacity)\b`)

// notSo are words of a sentence before others that say that these are not so.
var notSo = regexp.MustCompile(`(?i)\b(?:no|not|none|never|nothing|without)\b[^.;:]*$`)

// asked is an end of which nothing is known but that the text asks why: for a text about containers whose words no form
// knows, nil for another. Nothing comes of it than that the cause is unknown, and what would tell it.
func asked(text, name string) *end {
	if document(text, name) || !subject.MatchString(text) {
		return nil
	}
	var all only
	var e *end
	for line := range strings.Lines(text) {
		line = unescaped(strings.TrimSpace(put.ReplaceAllString(line[:min(len(line), maxLine)], "")))
		all.add(namesIn(line))
		at := troubled.FindStringIndex(line)
		if e != nil || at == nil || notSo.MatchString(line[:at[0]]) || defined.MatchString(line) ||
			taught.MatchString(sentence(line, at[0], at[1])) {
			continue
		}
		e = &end{ended: endsBare, line: line}
	}
	if e != nil {
		e.named = all.names().whole()
	}
	return e
}
