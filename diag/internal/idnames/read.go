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

// Path is where such names are stored below the input. No bundle has them.
const Path = "names.json"

// Bearer is the pod or container that an id belongs to, according to a line.
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

// Read returns what lines say about ids that appear elsewhere in the texts without a name, each once. If there is only
// one pod, it returns everything.
func Read(texts []string) (all []Bearer) {
	seen, alone := map[Bearer]bool{}, map[string]bool{}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line[:min(len(line), maxLine)], "\r\n")
			named := inStatus(line)
			if n, ok := inLine(line); ok {
				named = append(named, n)
			}
			for _, n := range named {
				if !seen[n] && len(seen) < maxNames {
					seen[n] = true
					all = append(all, n)
				}
			}
			if len(named) == 0 {
				for _, id := range ids.FindAllString(line, mostIDs) {
					alone[strings.ReplaceAll(id, "_", "-")] = true
				}
			}
		}
	}
	if len(alone) == 0 || ofOne(all) {
		return all[:min(len(all), maxNames*len(alone))]
	}
	return slices.DeleteFunc(all, func(n Bearer) bool { return !alone[n.UID] && !alone[n.ID] && !alone[n.Sandbox] })
}

// ofOne reports whether all belong to one pod: then an unconnected id is its id too, if it is any pod's.
func ofOne(all []Bearer) bool {
	return !slices.ContainsFunc(all, func(n Bearer) bool { return n.Pod != all[0].Pod })
}

// ids matches ids of pods and of containers; systemd writes pods' UIDs with underscores.
var ids = regexp.MustCompile(`[0-9a-f]{64}|[0-9a-f]{8}([-_])[0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12}|\b[0-9a-f]{32}\b`)

// mostIDs is the maximum number of ids of a line.
const mostIDs = 64

// inLine reads one line. An id without a pod, or a pod without an id, connects nothing.
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

// named reports whether a line may have fields with a pod's name.
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

// File returns what was read as a file; false if there is nothing.
func File(all []Bearer) (evidence.File, bool) {
	if len(all) == 0 {
		return evidence.File{}, false
	}
	f, err := nodefile.Encode(Path, all)
	return f, err == nil
}

// NewPiece returns the piece of such a file.
func NewPiece(f evidence.File) evidence.RawEvidence {
	return nodefile.Of(evidence.SourceHostLog, "", f, func(b nodefile.Observer, raw *[]json.RawMessage) error {
		return nodefile.Each(*raw, func(n Bearer) {
			b.Observe(evidence.Observation{Fact: evidence.NameTold{Sandbox: n.ID == "" && n.Sandbox != ""},
				Subject: evidence.Subject{Namespace: safetext.Ident(n.Namespace), Pod: safetext.Ident(n.Pod),
					PodUID: safetext.Ident(n.UID), Container: safetext.Ident(n.Container),
					ContainerID: safetext.Ident(n.ID),
					SandboxID:   safetext.Ident(n.Sandbox)}})
		})
	})
}
