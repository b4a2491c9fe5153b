package story

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/vary"
)

// Without the one line, or the object, that shows the truth of these stories, nothing does. Even so, the absence of a
// line in a text log must prove nothing.
var (
	oneLine = []string{"earlyoom's SIGTERM", "a machine that is shut down", "a new sandbox, of which",
		"a stop that it lost", "earlyoom asks", "systemd stops",
		"a runtime that says that it did not start", "a journald that systemd starts anew", "a disk of the journal that fails",
		"a page with what", "a file system is read-only"}
	oneWord = []string{"somebody's stop", "suppressed messages", "behind a NUL", "in a container's arguments",
		"the status dates", "of the same UID in another cluster", "a request to stop it by hand",
		"an event of a resize's kill", "an event that says so", "that somebody wrote into the status",
		"a minute later, code", "which it outlives by", "whose command the kernel kills", "by a kernel that names no",
		"earlyoom's SIGTERM, and", "in the output of a probe", "before a liveness kill", "event alone"}
)

// Poorer returns the story with something taken away that others still contradict.
func Poorer(e *entry.Entry, form machine.Form) []vary.Variant {
	is := func(name string) bool { return strings.Contains(e.Name, name) }
	switch {
	case slices.ContainsFunc(oneWord, is):
		return nil
	case form != machine.Text && slices.ContainsFunc(oneLine, is):
		return vary.Sources(e)
	}
	return append(vary.Sources(e), vary.Lines(e, 40)...)
}
