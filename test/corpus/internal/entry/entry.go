package entry

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

// Tiers are the tiers of evidence at which entries are judged: the API alone, with the logs of kubelet and runtime,
// with everything on the node.
var Tiers = []int{0, 1, 2}

// Entry is one scenario with its truth.
type Entry struct {
	Name string `json:"-"`
	// Title says in one line what happened.
	Title string `json:"title"`
	// From says where the scenario comes from: "lab", or a public incident.
	From        string    `json:"from,omitempty"`
	CollectedAt time.Time `json:"collectedAt"`
	Truths      []Truth   `json:"truths"`
	// Files are the raw files of the bundle, by path.
	Files map[string][]byte `json:"-"`
}

// Truth is what really happened to a container.
type Truth struct {
	Pod       string `json:"pod"` // namespace/name
	Container string `json:"container"`
	// Restart says which of the container's exits it was, the oldest being 1; 0 is the newest.
	Restart int `json:"restart,omitempty"`
	// Cause is empty if nothing restarted.
	Cause     string `json:"cause,omitempty"`
	Mechanism string `json:"mechanism,omitempty"` // compared if given
	Kind      string `json:"kind,omitempty"`      // compared if given
	// Also are the causes that other restarts of the container truly had.
	Also []string `json:"also,omitempty"`
	// Confidence is what the verdict must reach, by tier ("0", "1", "2"); a tier that is not listed may say anything
	// that is not wrongly proven.
	Confidence map[string]string `json:"confidence,omitempty"`
	// Chain are causes that the chain must name with full evidence, in this order: what is behind the root, the root,
	// the mechanism.
	Chain []string `json:"chain,omitempty"`
	// Rivals are causes that must be eliminated with full evidence.
	Rivals []string `json:"rivals,omitempty"`
}

// Scored returns the truths in the scorer's form.
func (e *Entry) Scored() []score.Truth {
	out := make([]score.Truth, len(e.Truths))
	for i, t := range e.Truths {
		out[i] = score.Truth{Pod: t.Pod, Container: t.Container, Which: t.Restart,
			Cause: t.Cause, Others: t.Also, Mechanism: t.Mechanism, Kind: t.Kind}
	}
	return out
}

// Full returns the tier of an entry's whole evidence: the highest one it has files for.
func (e *Entry) Full() int {
	full := 0
	for p := range e.Files {
		full = max(full, tierOf(p))
	}
	return full
}

// Parse reads an entry from a text archive. The archive's comment is the head.
func Parse(name string, text []byte) (*Entry, error) {
	a := txtar.Parse(text)
	e := &Entry{Name: name, Files: map[string][]byte{}}
	if err := yaml.UnmarshalStrict(a.Comment, e); err != nil {
		return nil, fmt.Errorf("read entry %s: head: %w", name, err)
	}
	for _, f := range a.Files {
		data, path := f.Data, f.Name
		if stem, ok := strings.CutSuffix(path, ".yaml"); ok {
			var err error
			if data, err = yaml.YAMLToJSON(data); err != nil {
				return nil, fmt.Errorf("read entry %s: %s: %w", name, path, err)
			}
			path = stem + ".json"
		}
		if _, twice := e.Files[path]; twice {
			return nil, fmt.Errorf("read entry %s: %s stands there twice", name, path)
		}
		e.Files[path] = data
	}
	return e, e.check()
}

// check rejects entries that would test nothing.
func (e *Entry) check() error {
	switch {
	case e.Title == "":
		return fmt.Errorf("read entry %s: no title", e.Name)
	case e.CollectedAt.IsZero():
		return fmt.Errorf("read entry %s: no collectedAt", e.Name)
	case len(e.Truths) == 0:
		return fmt.Errorf("read entry %s: no truths", e.Name)
	case len(e.Files) == 0:
		return fmt.Errorf("read entry %s: no files", e.Name)
	}
	for _, t := range e.Truths {
		if ns, pod, ok := strings.Cut(t.Pod, "/"); !ok || ns == "" || pod == "" || t.Container == "" {
			return fmt.Errorf("read entry %s: a truth needs pod (namespace/name) and container, has %q and %q",
				e.Name, t.Pod, t.Container)
		}
		for tier, word := range t.Confidence {
			if !slices.Contains([]string{"0", "1", "2"}, tier) || !slices.Contains(Words, word) {
				return fmt.Errorf("read entry %s: confidence %s: %s: want a tier 0 to 2 and one of %s",
					e.Name, tier, word, strings.Join(Words, ", "))
			}
		}
	}
	return nil
}

// Words are the four words of confidence, the weakest first.
var Words = []string{"unknown", "possible", "likely", "proven"}
