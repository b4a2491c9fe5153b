package app

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file holds the cause of containers that were never created.

// createError is decisive given the waiting reason, which only that failure sets.
func createError(f *finding.Findings) *causes.Claim {
	w := f.R.Waiting
	failure, ok := creation[w.Reason]
	if f.R.Kind != timeline.KindRefused || !ok {
		return nil
	}
	log, logged := failed(f)
	message := w.Message
	if message == "" {
		message = log
	}
	what := failure.words
	if failure.image {
		what = imageOf(f) + what
		message = pulled(f, message)
	}
	said, advice := ": "+message, failure.advice+": kubectl describe pod "+causes.InPod(f)
	if told, ok := causes.ReadMessage(failure.messages, message, f); ok {
		said, advice = ": "+told.Words, told.Advice
		if told.Whole {
			what, said = told.Words, ""
		}
	}
	full := what + ": " + message
	if message == "" || f.R.Mentioned() { // the text may be a row of a table
		said, full = "", what
	}
	strength, never, hedged := causes.Decisive, "it was never created; ", false
	switch {
	case w.Reason == "PreStartHookError":
		never = "it was never started; " // that step comes after the creation (kuberuntime_container.go startContainer)
	case unanswered(w.Message):
		never = "it never ran; "
	}
	if mayBeOff(message) {
		strength = causes.Strong
	}
	switch {
	case f.R.WholePod() && f.R.Pod != nil && len(f.R.Pod.Containers) > 0: // the API has no end of any of its containers
		strength, never = causes.Strong, "no container of it ran; "
	case f.R.WholePod(): // the pod may have run before, and cannot be recreated now
		strength, never, hedged = causes.Weak, "", true
	}
	return &causes.Claim{
		Strength: strength, Hedged: hedged || f.R.Mentioned(),
		Chain: []causes.Link{{Cause: causes.CreateError, Text: full,
			Evidence: append(slices.Clone(w.Evidence), logged...)}},
		Summary: fmt.Sprintf("%s: %s%s%s", causes.Who(f), never, what, said),
		Actions: []string{advice},
	}
}

// imageOf returns the container's image for a sentence.
func imageOf(f *finding.Findings) string {
	if f.R.Spec == nil || f.R.Spec.Image == "" {
		return "its image"
	}
	return "image " + f.R.Spec.Image
}

// pulled returns what the runtime said of the last pull: the kubelet's own word that it waits does not repeat that
// (kubelet images/image_manager.go EnsureImageExists, before v1.31).
func pulled(f *finding.Findings, message string) string {
	if !strings.HasPrefix(message, backOff) || strings.Contains(message, "ErrImagePull") {
		return message
	}
	for _, m := range slices.Backward(f.R.From.Marks) {
		if e, ok := m.Obs.Fact.(evidence.StartFailed); ok && e.Reason == "ErrImagePull" {
			return e.Message.String()
		}
	}
	return ""
}

// mayBeOff reports whether a start may have failed only because the kubelet cancelled it, for an end of the pod that
// the evidence need not have.
func mayBeOff(message string) bool { return strings.HasSuffix(bare(message), "context canceled") }

// unanswered reports whether a client gave up or lost its connection, the kubelet's to the runtime or the runtime's to
// a shim: what became of the request is not known. The kubelet leaves out the code of an error
// (kuberuntime_container.go startContainer: s.Message). Where dialing failed, nothing was sent.
func unanswered(message string) bool {
	message = bare(message)
	return strings.HasSuffix(message, "context deadline exceeded") || strings.HasSuffix(message, "ttrpc: closed") ||
		lost.MatchString(message)
}

// lost matches errors of a connection that was there (google.golang.org/grpc internal/transport/http2_client.go), and
// the codes that they have in a log.
var lost = regexp.MustCompile(`^(?:rpc error: code = (?:DeadlineExceeded|Unavailable) |` +
	`(?:closing transport due to: )?(?:connection error: desc = ")?(?:error reading from server: |transport is closing|` +
	`keepalive ping failed|unexpected EOF|server closed the stream|stream terminated by RST_STREAM))`)

// bare returns the message of an error without what its wrappers put behind it.
func bare(message string) string {
	return strings.TrimSuffix(strings.TrimRight(message, `". `), ": unknown")
}

// backOff begins the message of a container whose image is not pulled now.
const backOff = "Back-off pulling image "

func againstCreate(f *finding.Findings) causes.Against {
	if f.R.Kind != timeline.KindRefused {
		return causes.Contradict("the container had been created")
	}
	if _, ok := creation[f.R.Waiting.Reason]; !ok {
		return causes.Contradict("it waits for another reason: "+f.R.Waiting.Reason, f.R.Waiting.Evidence...)
	}
	return causes.Against{}
}
