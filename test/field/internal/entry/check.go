package entry

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

var (
	wellNamed = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	isPage    = regexp.MustCompile(`^https?://[^\s/]+/\S+$`)
)

// check rejects entries that would test nothing, or whose truth cannot be looked up.
func (e *Entry) check(known []string) error {
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("read entry %s: %s", e.Name, fmt.Sprintf(format, args...))
	}
	switch {
	case !wellNamed.MatchString(e.Name):
		return refuse("its name: want lower-case words and numbers with dashes")
	case e.Title == "":
		return refuse("no title")
	case !isPage.MatchString(e.From):
		return refuse("from %q: want the address of the page that it was read at", e.From)
	case e.Settled == "":
		return refuse("no settled: who established the truth, and how")
	case e.CollectedAt.IsZero():
		return refuse("no collectedAt")
	case e.Tier < 0 || e.Tier > 2:
		return refuse("tier %d: want 0 to 2", e.Tier)
	case len(e.Truths) == 0:
		return refuse("no truths")
	case len(e.Files) == 0:
		return refuse("no files")
	}
	type end struct {
		pod, container string
		restart        int
	}
	seen := map[end]bool{}
	for i, t := range e.Truths {
		if why := t.check(known); why != "" {
			return refuse("truth %d: %s", i+1, why)
		}
		if k := (end{t.Pod, t.Container, t.Restart}); seen[k] {
			return refuse("truth %d: the same end stands there twice", i+1)
		} else {
			seen[k] = true
		}
	}
	return nil
}

// check returns what is wrong with a truth, "" if nothing.
func (t Truth) check(known []string) string {
	ns, pod, ok := strings.Cut(t.Pod, "/")
	switch {
	case !ok || ns == "" || pod == "" || strings.Contains(pod, "/"):
		return fmt.Sprintf("pod %q: want namespace/name", t.Pod)
	case t.Restart < 0:
		return fmt.Sprintf("restart %d: want 1 for the oldest, 0 for the newest", t.Restart)
	case t.Cause != score.None && t.Cause != score.Unknown && !slices.Contains(known, t.Cause):
		return fmt.Sprintf("cause %q: not in the catalogue, and neither none nor unknown", t.Cause)
	case t.Decidable == nil:
		return "no decidable"
	case !*t.Decidable && t.Why == "":
		return "no why, and it is not decidable"
	}
	said := []string{t.Cause}
	for _, id := range t.Also {
		switch {
		case id != score.None && !slices.Contains(known, id):
			return fmt.Sprintf("also %q: not in the catalogue, and not none", id)
		case slices.Contains(said, id):
			return fmt.Sprintf("also %s: it stands there twice", id)
		}
		said = append(said, id)
	}
	return ""
}
