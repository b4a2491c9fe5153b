package entry

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/forensics"
	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func tierOf(p string) int {
	if strings.HasPrefix(p, "cluster/") {
		return 0
	}
	dir := path.Base(path.Dir(p))
	stem := strings.TrimSuffix(path.Base(p), path.Ext(p))
	if dir == "logquery" || dir == "logs" || dir == "journal" && slices.Contains([]string{"kubelet", "runtime"}, stem) {
		if stem != "kernel" && stem != "dmesg" {
			return 1
		}
	}
	return 2
}

// At returns the entry as it would have been collected at a tier.
func (e *Entry) At(tier int) *Entry {
	return e.Keep(func(p string) bool { return tierOf(p) <= tier })
}

// Keep returns the entry with only those files for which keep is true.
func (e *Entry) Keep(keep func(path string) bool) *Entry {
	some := *e
	some.Files = map[string][]byte{}
	for p, data := range e.Files {
		if keep(p) {
			some.Files[p] = data
		}
	}
	return &some
}

// Size returns the size of all files in bytes.
func (e *Entry) Size() (n int) {
	for _, data := range e.Files {
		n += len(data)
	}
	return n
}

// Paths lists the files in order.
func (e *Entry) Paths() []string { return slices.Sorted(maps.Keys(e.Files)) }

// Snapshot reads the entry's files as those of a bundle.
func (e *Entry) Snapshot() (*evidence.Snapshot, error) { return Together(e) }

// Together reads the files of several entries as those of bundles that were handed over at once.
func Together(all ...*Entry) (*evidence.Snapshot, error) {
	var read []*bundle.Bundle
	var last time.Time
	for _, e := range all {
		b := &bundle.Bundle{Manifest: bundle.Manifest{Tool: "corpus", CollectedAt: e.CollectedAt}}
		for _, p := range e.Paths() {
			b.Files = append(b.Files, evidence.Bytes(p, e.Files[p]))
		}
		if len(b.Files) == 0 {
			return nil, fmt.Errorf("read entry %s: no files", e.Name)
		}
		if read = append(read, b); e.CollectedAt.After(last) {
			last = e.CollectedAt
		}
	}
	return diag.Observe(diag.LoadAll(read, apiobject.Hasher{Present: forensics.Present}), last), nil
}

// Objects returns how many objects a list below cluster/ has, 0 for other files.
func Objects(data []byte) int {
	var list struct {
		Items []json.RawMessage `json:"items"`
	}
	if json.Unmarshal(data, &list) != nil {
		return 0
	}
	return len(list.Items)
}

// WithoutObject returns a list without its nth object.
func WithoutObject(data []byte, n int) ([]byte, error) {
	var list map[string]json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, err
	}
	var items []json.RawMessage
	if err := json.Unmarshal(list["items"], &items); err != nil {
		return nil, err
	}
	raw, err := json.Marshal(slices.Delete(items, n, n+1))
	if err != nil {
		return nil, err
	}
	list["items"] = raw
	return json.Marshal(list)
}
