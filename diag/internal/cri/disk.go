package cri

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostfiles"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
)

// DiskName is the name of the file for records that were found on disk, below nodes/<node>/. It has the shape of
// cri.json.
const DiskName = "runtime-disk.json"

// maxDiskFile limits how much of one runtime file is read: an OCI spec with a long environment has a few hundred KiB.
const maxDiskFile = 4 << 20

// OnDisk reads what runtimes keep on disk about their containers: Docker's own records, which are not available over
// the CRI before cri-dockerd, and the OCI specs of CRI-O and containerd. It is for nodes whose runtime does not answer.
type OnDisk struct{ o Options }

// NewOnDisk returns the source. It uses the options Node, Root, Timeout and Now.
func NewOnDisk(o Options) *OnDisk { return &OnDisk{New(o).o} }

// Name returns the name of the source.
func (d *OnDisk) Name() string { return "runtime's files" }

// Collect reads the directories that exist. A node with none of them yields nothing: another gap already says that the
// runtime did not answer.
func (d *OnDisk) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	ctx, cancel := pace.Within(ctx, d.o.Timeout)
	defer cancel()
	r := diskReader{ctx: ctx, root: d.o.Root, records: records{Sandboxes: []sandbox{}, Containers: []container{}}}
	r.each("/var/lib/docker/containers", "config.v2.json", r.docker)
	r.each("/var/lib/containers/storage/overlay-containers", "userdata/config.json", r.crio)
	for _, state := range []string{"/run/containerd", "/run/k3s/containerd",
		"/run/k0s/containerd", "/var/snap/microk8s/common/run/containerd"} {
		r.each(path.Join(state, "io.containerd.runtime.v2.task/k8s.io"), "config.json", r.containerd)
	}
	var gaps []evidence.Gap
	for _, err := range r.failed {
		gaps = append(gaps, evidence.Gap{Source: evidence.SourceCRI, Node: d.o.Node, Why: err.Error(),
			Hint: hostfiles.Hint(err)})
	}
	if len(r.records.Sandboxes)+len(r.records.Containers) == 0 {
		return nil, gaps
	}
	slices.SortFunc(r.records.Sandboxes, func(a, b sandbox) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(r.records.Containers, func(a, b container) int { return cmp.Compare(a.ID, b.ID) })
	at := d.o.Now().UTC()
	r.records.CollectedAt = at
	return nodefile.Store(evidence.SourceCRI, d.o.Node, DiskName, r.records, at, NewPiece, gaps)
}

type diskReader struct {
	ctx     context.Context
	root    string
	records records
	failed  []error
}

// each reads the file of every container below a directory; the containers' directories are named by id.
func (r *diskReader) each(dir, file string, take func(id, dir string, data []byte) error) {
	base := hostfiles.Below(r.root, dir)
	entries, err := os.ReadDir(base)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			r.failed = append(r.failed, fmt.Errorf("read the runtime's files: %w", err))
		}
		return
	}
	bad := 0
	var first error
	for _, e := range entries {
		id := e.Name()
		if !e.IsDir() || !evidence.IsContainerID(id, evidence.WholeID) {
			continue
		}
		if r.ctx.Err() != nil || len(r.records.Containers)+len(r.records.Sandboxes) >= maxDiskRecords {
			r.failed = append(r.failed, fmt.Errorf("read the runtime's files below %s: not all of them", dir))
			break
		}
		data, err := readDisk(filepath.Join(base, id, filepath.FromSlash(file)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			pace.Step(r.ctx)
			err = take(id, filepath.Dir(filepath.Join(base, id, filepath.FromSlash(file))), data)
		}
		if err != nil {
			if bad++; first == nil {
				first = fmt.Errorf("%s: %w", id, err)
			}
		}
	}
	if bad > 0 {
		r.failed = append(r.failed, fmt.Errorf("read the runtime's files below %s: %d unreadable, the first: %w",
			dir, bad, first))
	}
}

const maxDiskRecords = 20000

func readDisk(name string) ([]byte, error) {
	data, _, err := hostfiles.Content(name, maxDiskFile)
	return data, err
}

// decode reads JSON. Its error names a field, never a value.
func decode(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Errorf("not of the expected shape at %q", kind.Field)
	}
	if err != nil {
		return errors.New("not JSON")
	}
	return nil
}

// runs reports whether the process exists and belongs to this container: the record may be older than the last boot.
func (r *diskReader) runs(pid int, id string) bool {
	if pid <= 0 {
		return false
	}
	text, err := readDisk(filepath.Join(hostfiles.Below(r.root, "/proc"), strconv.Itoa(pid), "cgroup"))
	return err == nil && strings.Contains(string(text), id)
}
