package idnames

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Path is where such names stand below what was handed over. No bundle has them.
const Path = "names.json"

// Bearer is what a line tells of an id.
type Bearer struct {
	Namespace string `json:"namespace,omitempty"`
	Pod       string `json:"pod"`
	UID       string `json:"uid,omitempty"`
	Container string `json:"container,omitempty"`
	ID        string `json:"id,omitempty"`
	Sandbox   string `json:"sandbox,omitempty"`
}

const (
	maxLine  = 8 << 10
	maxNames = 10_000
)

// Read returns what the lines of texts tell of ids that stand in others of them without a name, each once; of a single
// pod all that is told.
func Read(texts []string) (all []Bearer) {
	seen, alone := map[Bearer]bool{}, map[string]bool{}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line[:min(len(line), maxLine)], "\r\n")
			n, ok := inLine(line)
			switch {
			case !ok:
				for _, id := range ids.FindAllString(line, mostIDs) {
					alone[strings.ReplaceAll(id, "_", "-")] = true
				}
			case !seen[n] && len(seen) < maxNames:
				seen[n] = true
				all = append(all, n)
			}
		}
	}
	if len(alone) == 0 || ofOne(all) {
		return all[:min(len(all), maxNames*len(alone))]
	}
	return slices.DeleteFunc(all, func(n Bearer) bool { return !alone[n.UID] && !alone[n.ID] && !alone[n.Sandbox] })
}

// ofOne reports whether all are of one pod: an id that nothing joins with it is its, too, if any pod's.
func ofOne(all []Bearer) bool {
	return !slices.ContainsFunc(all, func(n Bearer) bool { return n.Pod != all[0].Pod })
}

// ids are those of pods and of containers; systemd writes the former with other dashes.
var ids = regexp.MustCompile(`[0-9a-f]{64}|[0-9a-f]{8}([-_])[0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12}|\b[0-9a-f]{32}\b`)

// mostIDs is how many of them a line has.
const mostIDs = 64

// inLine reads one line: what it says of an id without a pod, or of a pod without an id, joins nothing.
func inLine(line string) (n Bearer, ok bool) {
	for i := range forms {
		if f := &forms[i]; strings.Contains(line, f.has) {
			n.add(f, f.says.FindStringSubmatch(line))
		}
	}
	if n.UID == "" && n.ID == "" && n.Sandbox == "" && named(line) {
		for i := range keys {
			n.add(&keys[i], keys[i].says.FindStringSubmatch(line))
		}
	}
	if m := columns.FindStringSubmatch(line); m != nil {
		n = Bearer{Namespace: m[1], Pod: m[2], UID: m[3]}
	}
	if m := ofOneSpace.FindStringSubmatch(line); m != nil {
		n = Bearer{Pod: m[1], UID: m[2]}
	}
	return n, n.Pod != "" && (n.UID != "" || n.Sandbox != "" || n.ID != "" && n.Container != "")
}

// named tells a line that may have fields with names of a pod.
func named(line string) bool {
	lower := strings.ToLower(line)
	return (strings.Contains(lower, "podname") || strings.Contains(lower, "pod_name")) &&
		(strings.Contains(lower, "uid") || strings.Contains(lower, "container"))
}

func (n *Bearer) add(f *form, found []string) {
	for i := range f.kinds {
		if len(found) <= i+1 || found[i+1] == "" {
			continue
		}
		to := map[byte]*string{'n': &n.Namespace, 'p': &n.Pod, 'u': &n.UID, 'c': &n.Container, 'i': &n.ID,
			's': &n.Sandbox}[f.kinds[i]]
		if *to == "" {
			*to = found[i+1]
		}
	}
}

// File is what was read of several texts; false where that is nothing.
func File(all []Bearer) (evidence.File, bool) {
	if len(all) == 0 {
		return evidence.File{}, false
	}
	f, err := nodefile.Encode(Path, all)
	return f, err == nil
}

// NewPiece returns the piece of such a file.
func NewPiece(f evidence.File) evidence.RawEvidence {
	return nodefile.New(evidence.SourceHostLog, "", f, func(b *evidence.Builder, data []byte) error {
		var raw []json.RawMessage
		if err := json.Unmarshal(data, &raw); err != nil {
			return err
		}
		return nodefile.Each(raw, func(n Bearer) {
			b.Observe(evidence.Observation{Fact: evidence.NameTold{Sandbox: n.ID == "" && n.Sandbox != ""},
				Source: evidence.Source{Kind: evidence.SourceHostLog, Where: Path},
				Subject: evidence.Subject{Namespace: safetext.Ident(n.Namespace), Pod: safetext.Ident(n.Pod),
					PodUID: safetext.Ident(n.UID), Container: safetext.Ident(n.Container),
					ContainerID: safetext.Ident(n.ID),
					SandboxID:   safetext.Ident(n.Sandbox)}})
		})
	})
}
