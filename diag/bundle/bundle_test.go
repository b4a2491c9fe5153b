package bundle

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

var (
	t0  = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)
	now = t0.Add(time.Hour)
)

const logLine = "Nov 21 07:21:31.823345 n1 kubelet[80]: I1121 07:21:31.823 80 kubelet.go:1] \"hello\"\n"

func files() []evidence.File {
	return []evidence.File{
		evidence.Bytes("nodes/n1/logquery/kubelet.log", []byte(logLine)),
		evidence.Bytes("cluster/pods.json", []byte(`{"items":[]}`)),
	}
}

func manifest() Manifest {
	return Manifest{Tool: "kubectl-restartwhy test", CollectedAt: t0, Scope: Scope{Namespace: "shop"},
		Gaps: []evidence.Gap{{Source: evidence.SourceCRI, Node: "n1", Why: "no socket"}}}
}

func written(t *testing.T, m Manifest, f []evidence.File) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := Write(&buf, m, f); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// put writes data to a file and returns its path.
func put(t *testing.T, name string, data []byte) string {
	t.Helper()
	return filepath.Join(filetest.Plant(t, map[string][]byte{name: data}), name)
}

// entry is one entry of a hand-made archive.
type entry = filetest.Entry

func tarOf(entries ...entry) []byte { return filetest.Tar(t0, entries...) }

func zipOf(entries ...entry) []byte { return filetest.Zip(t0, entries...) }

func open(t *testing.T, name string, o Options) (*Bundle, error) {
	t.Helper()
	o.Now = now
	b, err := Open(name, o)
	if err == nil {
		t.Cleanup(func() {
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return b, err
}

// content reads every file: path → text.
func content(t *testing.T, b *Bundle) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, f := range b.Files {
		for range 2 { // a file can be opened again and again
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			if int64(len(data)) != f.Size {
				t.Errorf("%s: %d bytes, announced %d", f.Path, len(data), f.Size)
			}
			all[f.Path] = string(data)
			_ = r.Close()
		}
	}
	return all
}

func whys(gaps []evidence.Gap) string {
	var all []string
	for _, g := range gaps {
		all = append(all, g.Why)
	}
	return strings.Join(all, "\n")
}

func TestWhatWasWrittenIsReadBack(t *testing.T) {
	p := filepath.Join(t.TempDir(), "b.tar.zst")
	size, err := Create(p, false, manifest(), files())
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(p)
	if err != nil || info.Mode().Perm() != 0o600 || info.Size() != size {
		t.Errorf("the file is %v of %d bytes, Create said %d (%v)", info.Mode(), info.Size(), size, err)
	}
	b, err := open(t, p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"nodes/n1/logquery/kubelet.log": logLine, "cluster/pods.json": `{"items":[]}`}
	if diff := cmp.Diff(want, content(t, b)); diff != "" {
		t.Error(diff)
	}
	m := manifest()
	m.FormatVersion, m.Redactions = FormatVersion, []string{}
	if diff := cmp.Diff(m, b.Manifest); diff != "" {
		t.Error(diff)
	}
	if len(b.Gaps) != 0 {
		t.Errorf("gaps: %s", whys(b.Gaps))
	}
}

func TestTheSameEvidenceGivesTheSameBytes(t *testing.T) {
	a, f := files(), files()
	slices.Reverse(f)
	m := manifest()
	m.CollectedAt = m.CollectedAt.In(time.FixedZone("far", 9*3600))
	if !bytes.Equal(written(t, manifest(), a), written(t, m, f)) {
		t.Error("the order of files or the time zone changes the bytes")
	}
}

func TestTheManifestComesFirst(t *testing.T) {
	z, err := zstd.NewReader(bytes.NewReader(written(t, manifest(), files())))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	h, err := tar.NewReader(z).Next()
	if err != nil || h.Name != "bundle.json" || h.Uid != 0 || h.ModTime.Unix() != 0 {
		t.Errorf("first entry %+v, %v", h, err)
	}
}

func TestWriteLeavesOutWhatAReaderWouldRefuse(t *testing.T) {
	broken := evidence.File{Path: "cluster/events.json", Size: 1,
		Open: func() (io.ReadCloser, error) { return nil, errors.New("gone") }}
	f := append(files(), evidence.Bytes("../evil", nil), evidence.Bytes("cluster/pods.json", nil),
		evidence.Bytes("bundle.json", nil), broken)
	b, err := open(t, put(t, "b.tar.zst", written(t, manifest(), f)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Files) != 2 || len(b.Manifest.Gaps) != 5 {
		t.Errorf("%d files, gaps of the collection:\n%s", len(b.Files), whys(b.Manifest.Gaps))
	}
	for _, want := range []string{"../evil left out", "pods.json left out: a second",
		"bundle.json left out", "events.json left out: gone"} {
		if !strings.Contains(whys(b.Manifest.Gaps), want) {
			t.Errorf("no gap says %q", want)
		}
	}
}

func TestCreateKeepsWhatIsThere(t *testing.T) {
	p := put(t, "b.tar.zst", []byte("mine"))
	if _, err := Create(p, false, manifest(), files()); !errors.Is(err, ErrExists) {
		t.Errorf("an existing file: %v", err)
	}
	short := evidence.Bytes("nodes/n1/logs/x.log", []byte("abc"))
	short.Size = 10
	if _, err := Create(p, true, manifest(), []evidence.File{short}); err == nil ||
		!strings.Contains(err.Error(), "3 bytes instead of 10") {
		t.Errorf("a file shorter than announced: %v", err)
	}
	if data, _ := os.ReadFile(p); string(data) != "mine" {
		t.Error("a failed write replaced the file")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(p), ".restartwhy-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if _, err := Create(p, true, manifest(), files()); err != nil {
		t.Errorf("with force: %v", err)
	}
}

func TestEveryFormIsReadAlike(t *testing.T) {
	plain := tarOf(entry{Name: "bundle.json", Body: `{"formatVersion":1,"collectedAt":"2026-11-21T07:00:00Z"}`},
		entry{Name: "nodes/", Kind: tar.TypeDir}, entry{Name: "./nodes/n1/logs/kubelet.log", Body: logLine})
	nested := tarOf(entry{Name: "x/bundle.json", Body: `{"formatVersion":1,"collectedAt":"2026-11-21T07:00:00Z"}`},
		entry{Name: "x/nodes/n1/logs/kubelet.log", Body: logLine})
	forms := map[string]func() string{
		"tar":                    func() string { return put(t, "b.tar", plain) },
		"tar.gz":                 func() string { return put(t, "b.tar.gz", filetest.Gzip(plain)) },
		"tar.zst":                func() string { return put(t, "b.tar.zst", filetest.Zstd(plain)) },
		"a wrong suffix":         func() string { return put(t, "b.tar", filetest.Zstd(plain)) },
		"one directory around":   func() string { return put(t, "b.tar", nested) },
		"a directory":            func() string { return unpack(t, plain) },
		"a directory around one": func() string { return unpack(t, nested) },
	}
	for name, make := range forms {
		t.Run(name, func(t *testing.T) {
			b, err := open(t, make(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[string]string{"nodes/n1/logs/kubelet.log": logLine}, content(t, b)); diff != "" {
				t.Error(diff)
			}
			if len(b.Gaps) != 0 || !b.Manifest.CollectedAt.Equal(t0) {
				t.Errorf("gaps %q, collected at %s", whys(b.Gaps), b.Manifest.CollectedAt)
			}
		})
	}
}

func unpack(t *testing.T, data []byte) string {
	t.Helper()
	files := map[string][]byte{}
	r := tar.NewReader(bytes.NewReader(data))
	for {
		h, err := r.Next()
		if err != nil {
			return filetest.Plant(t, files)
		}
		if h.Typeflag == tar.TypeReg {
			files[h.Name], _ = io.ReadAll(r)
		}
	}
}
