package kubeletdir

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

const maxSandboxes = 5000

// keepers are the directories in which Docker's CRI shims recorded their sandboxes, one file each, named by its id
// (kubelet v1.8–v1.23 dockershim/docker_checkpoint.go, cri-dockerd core/checkpoint.go).
var keepers = []struct{ name, dir string }{
	{"dockershim", "/var/lib/dockershim/sandbox"},
	{"cri-dockerd", "/var/lib/cri-dockerd/sandbox"},
}

// sandboxRecord is one such file.
type sandboxRecord struct {
	Keeper    string    `json:"keeper"`
	ID        string    `json:"id"`
	Namespace string    `json:"namespace,omitempty"`
	Pod       string    `json:"pod,omitempty"`
	Changed   time.Time `json:"changed,omitzero"`
}

func (r *reader) sandboxes() []sandboxRecord {
	var out []sandboxRecord
	for _, k := range keepers {
		entries, err := os.ReadDir(r.below(k.dir))
		if err != nil {
			continue // most nodes never had one
		}
		for _, e := range entries {
			id := e.Name()
			if !evidence.IsContainerID(id, evidence.WholeID) {
				continue
			}
			if len(out) >= maxSandboxes {
				r.gap(fmt.Errorf("read the sandboxes of %s: more than %d", k.name, maxSandboxes))
				return out
			}
			s := sandboxRecord{Keeper: k.name, ID: id}
			data, changed, err := r.read(r.below(path.Join(k.dir, id)))
			var content struct{ Name, Namespace string }
			if err == nil && json.Unmarshal(data, &content) == nil {
				s.Pod, s.Namespace = content.Name, content.Namespace
			}
			s.Changed = changed
			out = append(out, s)
		}
	}
	return out
}

func (s sandboxRecord) observe(emit func(evidence.Observation)) {
	if s.ID == "" {
		return
	}
	emit(evidence.Observation{
		Subject: evidence.Subject{Namespace: s.Namespace, Pod: s.Pod, SandboxID: s.ID},
		Fact:    evidence.SandboxCheckpoint{Changed: s.Changed.UTC()},
		Text:    safetext.Clean("sandbox " + s.ID + " of pod " + s.Namespace + "/" + s.Pod + " written down by " + s.Keeper),
	})
}
