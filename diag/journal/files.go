package journal

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile"
)

// files reads the journal's own files.
type files struct {
	o      *Options
	set    *journalfile.Set
	opened time.Time // what is written later is not seen
}

// errNoFiles: there is no journal file where journald keeps them.
var errNoFiles = errors.New("no journal files")

// openFiles opens the files of this machine. bad are the reasons why some of them cannot be read; if none can be read,
// f is nil.
func openFiles(o *Options) (f *files, bad []error) {
	f = &files{o: o, set: &journalfile.Set{}, opened: o.Now().UTC().Round(0)}
	bad = f.open(f.paths)
	if len(f.set.Files()) == 0 {
		f.close()
		if len(bad) == 0 {
			bad = []error{errNoFiles}
		}
		return nil, bad
	}
	return f, bad
}

// open opens the listed files, and lists again until nothing new appears. A file that is rotated between listing and
// opening then has another name, and its successor a new file.
func (f *files) open(list func() ([]string, []error)) (bad []error) {
	failed, gone := map[string]bool{}, map[string]bool{}
	for try := 1; ; try++ {
		paths, errs := list()
		moved := false
		for _, p := range paths {
			if failed[p] || f.set.Holds(p) {
				continue
			}
			moved = true
			switch err := f.set.Open(p); {
			case errors.Is(err, fs.ErrNotExist):
				failed[p], gone[p] = gone[p], true // if listed again, it is a dangling link
			case err != nil:
				bad, failed[p] = append(bad, err), true
			}
		}
		switch {
		case !moved:
			return append(errs, bad...)
		case try == mostLists:
			return append(append(errs, bad...), errMoving)
		}
	}
}

// mostLists limits how often the files are listed.
const mostLists = 10

// errMoving: files were created and removed faster than they could be opened.
var errMoving = errors.New("files were rotated while they were opened: some may not have been read")

// close closes the files; errors do not matter after reading.
func (f *files) close() { _ = f.set.Close() }

// paths lists the files that journalctl would read: those of this machine, in the namespace without a name
// (sd-journal.c add_root_directory).
func (f *files) paths() (out []string, errs []error) {
	id := machineID(f.o.Root)
	for _, dir := range f.o.Dirs {
		dir = filepath.Join(f.o.Root, dir)
		found, err := journalfile.Find(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
		for _, p := range found {
			switch owner := filepath.Base(filepath.Dir(p)); {
			case filepath.Dir(p) == filepath.Clean(dir), id != "" && owner == id:
				out = append(out, p)
			case id == "" && isID(owner): // then assume that it is this machine's
				out = append(out, p)
			}
		}
	}
	return out, errs
}

func isID(s string) bool {
	_, err := journalfile.ParseID(s)
	return err == nil && len(s) == 32
}

// machineID is the machine's id below root, "" if it cannot be read.
func machineID(root string) string {
	b, err := os.ReadFile(filepath.Join(root, "etc/machine-id"))
	id := strings.TrimSpace(string(b))
	if err != nil || !isID(id) {
		return ""
	}
	return id
}

func (f *files) record(ctx context.Context, kind string, r *recorder) (time.Time, error) {
	q := journalfile.Query{
		Any:    terms(kind),
		Since:  f.o.Since.Truncate(time.Second), // as precise as journalctl's argument
		Fields: fields(),
		OnHole: func(h journalfile.Hole) { r.hole(filepath.Base(h.File) + ": " + h.Why) },
	}
	for e, err := range f.set.Entries(ctx, q) {
		if err != nil {
			return time.Time{}, err
		}
		r.add(e)
	}
	return f.opened, nil
}
