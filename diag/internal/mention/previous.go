package mention

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// ofPrevious matches the command that prints the log of an exited container. The kubelet has none for a container that
// never exited (kubelet v1.31 kubelet_pods.go validateContainerLogStatus: "previous terminated container … not found").
var ofPrevious = regexp.MustCompile(`\b(?:kubectl|oc|k) (?:\S+ ){0,8}?logs? (?:\S+ ){0,8}?` +
	`(?:--previous(?:=true)?|-p)(?:[\s:]|$)`)

// noOutput matches what follows such a command if it printed no log: nothing, another command, an error.
var noOutput = regexp.MustCompile("^(?:$|[$#%>] |(?:kubectl|oc|k) |Error from server|[Ee]rror: |unable to retrieve|" +
	"failed to (?:get|try)|The connection to the server|previous terminated container )")

// placeholder stands for a name in a command that someone explains.
var placeholder = regexp.MustCompile(`[<{\[$][\w .-]+[>}\]]?|` +
	`\b(?:POD|NAMESPACE|CONTAINER)(?:[-_]?NAME)?\b|\b(?:pod|your|my)-?(?:pod|name)\b`)

// previous returns the exit that the existence of such a command's output proves, nil for a text without one. Its last
// error line, if there is one, is the process's own message.
func (t *Text) previous(around naming.Names) *end {
	if t.teaches || !strings.Contains(t.all, "log") {
		return nil
	}
	var of naming.Names
	var output []string
	asks, printed, inFence := false, false, false
	for i := range t.lines {
		l := &t.lines[i]
		line, n := l.text, l.of()
		asks = asks && l.blanks == 0
		switch at := ofPrevious.FindStringIndex(line); {
		case l.fence:
			inFence = !inFence
			asks = asks && inFence
		case at != nil:
			if asks = !t.explains(line, 0, len(line)) && !placeholder.MatchString(line[at[0]:]); asks && !printed {
				of = n
			}
		case asks && noOutput.MatchString(line):
			asks = false
		case asks:
			printed, output = true, append(output, line)
		}
	}
	if !printed {
		return nil
	}
	e := &end{Names: t.whole(of.Beside(t.only).Beside(around), false), ended: endsBare, line: output[len(output)-1]}
	if own := ownError(strings.Join(output, "\n")); own != "" {
		e.ended, e.line = endsCrash, own
	}
	return e
}
