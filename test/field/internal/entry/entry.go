package entry

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

// Entry is one incident.
type Entry struct {
	Name string `json:"-"`
	// Title says in one line what happened.
	Title string `json:"title"`
	// From is the page of the incident.
	From string `json:"from"`
	// Settled says who established the truth, and how.
	Settled     string    `json:"settled"`
	CollectedAt time.Time `json:"collectedAt"`
	// Opened is the day on which the entry left the blind half, as 2026-01-31.
	Opened string `json:"opened,omitempty"`
	// Tier is the tier of the evidence: 0 the API alone, 1 logs too, 2 the node's state too.
	Tier   int     `json:"tier"`
	Truths []Truth `json:"truths"`
	// Files are raw, by their original path.
	Files map[string][]byte `json:"-"`
}

// Truth is what was established about a container, or a pod as a whole.
type Truth struct {
	Pod       string `json:"pod"` // namespace/name
	Container string `json:"container,omitempty"`
	// Restart says which of the container's exits it was, the oldest being 1; 0 is the newest.
	Restart int `json:"restart,omitempty"`
	// Cause is an id of the catalogue, "none" or "unknown".
	Cause string `json:"cause"`
	// Also are ids that mean the same truth; "none" if silence would be right too.
	Also []string `json:"also,omitempty"`
	// Decidable reports whether this evidence, well read, is enough to prefer the truth to its rivals.
	Decidable *bool `json:"decidable"`
	// Why says what is missing to decide.
	Why string `json:"why,omitempty"`
}

// Blind reports whether the entry is in the half that people who write rules never open: its figures show whether a
// rule learned something, or only memorized the open half. The name decides, so nobody chooses. A blind entry cannot
// teach anything: from time to time those that Openable selects are opened, all on one day, whatever their verdicts.
func (e *Entry) Blind() bool { return sha256.Sum256([]byte(e.Name))[0]%2 == 1 && e.Opened == "" }

// Openable reports whether an entry is in the part of the blind half that may be opened; the rest stays blind for good.
func (e *Entry) Openable() bool {
	sum := sha256.Sum256([]byte(e.Name))
	return sum[0]%2 == 1 && sum[1]%2 == 1
}

// Page returns the page of the incident, without the place on it.
func (e *Entry) Page() string {
	page, _, _ := strings.Cut(e.From, "#")
	return strings.TrimSuffix(page, "/")
}

// Scored returns the truths in the scorer's form.
func (e *Entry) Scored() []score.Truth {
	out := make([]score.Truth, len(e.Truths))
	for i, t := range e.Truths {
		out[i] = score.Truth{Pod: t.Pod, Container: t.Container, Which: t.Restart, Cause: t.Cause, Also: t.Also,
			Untold: e.untold(t), Called: len(e.Truths) == 1 && nameless.MatchString(t.Pod)}
		for j, other := range e.Truths {
			if i != j && other.Pod == t.Pod && (other.Container == t.Container || t.Container == "") {
				out[i].Others = append(out[i].Others, append([]string{other.Cause}, other.Also...)...)
			}
		}
	}
	return out
}

// nameless matches a pod for which an entry has no name.
var nameless = regexp.MustCompile(`/(?:\?|unnamed-\d+)$`)

// untold returns the names of a truth's pod that no file of the entry has. A part of a longer name does not count, such
// as "default" in "default-scheduler".
func (e *Entry) untold(t Truth) (names []string) {
	for _, name := range strings.Split(t.Pod, "/") {
		told := false // the mark for no name is none, wherever a text has it
		whole := regexp.MustCompile(`(?:^|[^a-z0-9-])` + regexp.QuoteMeta(name) + `(?:$|[^a-z0-9-])`)
		for _, text := range e.Files {
			told = told || name != "?" && whole.Match(text)
		}
		if !told || name == "default" && nameless.MatchString(t.Pod) { // the namespace of a pod without a name is a guess
			names = append(names, name)
		}
	}
	return names
}

// Parse reads an entry from a text archive. The archive's comment is the head. known are the ids of the catalogue.
func Parse(name string, text []byte, known []string) (*Entry, error) {
	a := txtar.Parse(text)
	e := &Entry{Name: name, Files: map[string][]byte{}}
	if err := yaml.UnmarshalStrict(a.Comment, e); err != nil {
		return nil, fmt.Errorf("read entry %s: head: %w", name, err)
	}
	for _, f := range a.Files {
		if !filepath.IsLocal(f.Name) {
			return nil, fmt.Errorf("read entry %s: file %q: it is no path inside a directory", name, f.Name)
		}
		if _, twice := e.Files[f.Name]; twice {
			return nil, fmt.Errorf("read entry %s: file %s: it stands there twice", name, f.Name)
		}
		e.Files[f.Name] = f.Data
	}
	return e, e.check(known)
}

// Paths lists the files in order.
func (e *Entry) Paths() []string { return slices.Sorted(maps.Keys(e.Files)) }
