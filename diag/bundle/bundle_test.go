package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
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
	p := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

// entry is one entry of a hand-made tar.
type entry struct {
	name string
	body string
	kind byte
}

func tarOf(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Typeflag: e.kind, Mode: 0o644, ModTime: t0}
		switch e.kind {
		case 0:
			h.Typeflag, h.Size = tar.TypeReg, int64(len(e.body))
		case tar.TypeSymlink, tar.TypeLink:
			h.Linkname = e.body
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			if _, err := io.WriteString(w, e.body); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func gz(t *testing.T, data []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	_, _ = w.Write(data)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func zst(t *testing.T, data []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(data, nil)
}

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
	broken := evidence.File{Path: "cluster/events.json", Size: 1, Open: func() (io.ReadCloser, error) { return nil, errors.New("gone") }}
	f := append(files(), evidence.Bytes("../evil", nil), evidence.Bytes("cluster/pods.json", nil), evidence.Bytes("bundle.json", nil), broken)
	b, err := open(t, put(t, "b.tar.zst", written(t, manifest(), f)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Files) != 2 || len(b.Manifest.Gaps) != 5 {
		t.Errorf("%d files, gaps of the collection:\n%s", len(b.Files), whys(b.Manifest.Gaps))
	}
	for _, want := range []string{"../evil left out", "pods.json left out: a second", "bundle.json left out", "events.json left out: gone"} {
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
	if _, err := Create(p, true, manifest(), []evidence.File{short}); err == nil || !strings.Contains(err.Error(), "3 bytes instead of 10") {
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
	plain := tarOf(t, entry{name: "bundle.json", body: `{"formatVersion":1,"collectedAt":"2026-11-21T07:00:00Z"}`},
		entry{name: "nodes/", kind: tar.TypeDir}, entry{name: "./nodes/n1/logs/kubelet.log", body: logLine})
	nested := tarOf(t, entry{name: "x/bundle.json", body: `{"formatVersion":1,"collectedAt":"2026-11-21T07:00:00Z"}`},
		entry{name: "x/nodes/n1/logs/kubelet.log", body: logLine})
	forms := map[string]func() string{
		"tar":                    func() string { return put(t, "b.tar", plain) },
		"tar.gz":                 func() string { return put(t, "b.tar.gz", gz(t, plain)) },
		"tar.zst":                func() string { return put(t, "b.tar.zst", zst(t, plain)) },
		"a wrong suffix":         func() string { return put(t, "b.tar", zst(t, plain)) },
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
	dir := t.TempDir()
	r := tar.NewReader(bytes.NewReader(data))
	for {
		h, err := r.Next()
		if err != nil {
			return dir
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		p := filepath.Join(dir, h.Name)
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(r)
		if err := os.WriteFile(p, body, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestHostileEntriesAreNamedAndLeftOut(t *testing.T) {
	base := entry{name: "nodes/n1/logs/kubelet.log", body: logLine}
	cases := map[string]struct {
		add  entry
		want string
	}{
		"parent directory":   {entry{name: "../../etc/cron.d/x", body: "x"}, "../../etc/cron.d/x left out: its path leads outside"},
		"hidden in the path": {entry{name: "nodes/../../x", body: "x"}, "left out: its path leads outside"},
		"absolute":           {entry{name: "/etc/passwd", body: "x"}, "/etc/passwd left out: its path leads outside"},
		"backslashes":        {entry{name: `..\..\x`, body: "x"}, "left out: its path holds a backslash"},
		"symbolic link":      {entry{name: "cluster/pods.json", body: "/etc/shadow", kind: tar.TypeSymlink}, "left out: it is not a plain file"},
		"hard link":          {entry{name: "cluster/pods.json", body: "/etc/shadow", kind: tar.TypeLink}, "left out: it is not a plain file"},
		"device":             {entry{name: "cluster/pods.json", kind: tar.TypeChar}, "left out: it is not a plain file"},
		"the same name":      {entry{name: "./nodes/n1/logs/kubelet.log", body: "other"}, "left out: a second file of this name"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b, err := open(t, put(t, "b.tar", tarOf(t, base, c.add)), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[string]string{base.name: logLine}, content(t, b)); diff != "" {
				t.Error(diff)
			}
			if !strings.Contains(whys(b.Gaps), c.want) {
				t.Errorf("gaps %q do not say %q", whys(b.Gaps), c.want)
			}
		})
	}
}

func TestADirectoryWithLinksIsReadWithoutThem(t *testing.T) {
	dir := filepath.Dir(put(t, "kubelet.log", []byte(logLine)))
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "link.log")); err != nil {
		t.Fatal(err)
	}
	b, err := open(t, dir, Options{Node: "n1"})
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Files) != 1 || !strings.Contains(whys(b.Gaps), "link.log left out: it is a link") {
		t.Errorf("%d files, gaps %q", len(b.Files), whys(b.Gaps))
	}
}

func TestDamageCostsOnlyWhatIsDamaged(t *testing.T) {
	noise := strings.Builder{}
	for i := range 20_000 {
		fmt.Fprintf(&noise, "%x %s", i*2654435761%999983, logLine)
	}
	f := append(files(), evidence.Bytes("nodes/n2/logs/kubelet.log", []byte(noise.String())))
	whole := written(t, manifest(), f)

	b, err := open(t, put(t, "b.tar.zst", whole[:len(whole)*3/4]), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(whys(b.Gaps), "read only in part: it ends early") || !b.Manifest.CollectedAt.Equal(t0) {
		t.Errorf("gaps %q, collected at %s", whys(b.Gaps), b.Manifest.CollectedAt)
	}
	got := content(t, b)
	if got["cluster/pods.json"] == "" || got["nodes/n1/logquery/kubelet.log"] != logLine {
		t.Errorf("what came before the damage is lost: %d files", len(got))
	}
	if cut := got["nodes/n2/logs/kubelet.log"]; cut == "" || !strings.HasPrefix(noise.String(), cut) {
		t.Errorf("the log that breaks off holds %d bytes that are not its beginning", len(cut))
	}
	if _, err := open(t, put(t, "b.tar.zst", whole[:20]), Options{}); err == nil || !strings.Contains(err.Error(), "damaged archive: it ends early") {
		t.Errorf("an archive of 20 bytes: %v", err)
	}
}

func TestALogByItselfGoesToItsNode(t *testing.T) {
	sniff := func(evidence.File) string { return "sniffed" }
	cases := map[string]struct {
		file string
		data []byte
		o    Options
		want string
	}{
		"the node that was named":  {"kubelet.log", []byte(logLine), Options{Node: "n7", NodeOf: sniff}, "nodes/n7/logs/kubelet.log"},
		"the node that it names":   {"kubelet.log", []byte(logLine), Options{NodeOf: sniff}, "nodes/sniffed/logs/kubelet.log"},
		"no node at all":           {"kubelet.log", []byte(logLine), Options{}, "nodes/unknown/logs/kubelet.log"},
		"compressed":               {"kubelet.log.gz", gz(t, []byte(logLine)), Options{Node: "n1"}, "nodes/n1/logs/kubelet.log"},
		"objects from kubectl":     {"pods.json", []byte(`{"apiVersion":"v1","kind":"List"}`), Options{}, "cluster/pods.json"},
		"a node name with a slash": {"kubelet.log", []byte(logLine), Options{Node: "../x"}, "nodes/unknown/logs/kubelet.log"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b, err := open(t, put(t, c.file, c.data), c.o)
			if err != nil {
				t.Fatal(err)
			}
			if len(b.Files) != 1 || b.Files[0].Path != c.want {
				t.Fatalf("files %+v, want %s", b.Files, c.want)
			}
			if (c.want == "nodes/unknown/logs/kubelet.log") != strings.Contains(whys(b.Gaps), "does not say which node") {
				t.Errorf("gaps %q", whys(b.Gaps))
			}
			if b.Manifest.CollectedAt.IsZero() || b.Manifest.CollectedAt.After(now) && !b.Manifest.CollectedAt.Equal(now) {
				t.Errorf("collected at %s", b.Manifest.CollectedAt)
			}
		})
	}
}

func TestStandardInput(t *testing.T) {
	b, err := open(t, "-", Options{Stdin: strings.NewReader(logLine), Node: "n1"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"nodes/n1/logs/stdin": logLine}, content(t, b)); diff != "" {
		t.Error(diff)
	}
	if !b.Manifest.CollectedAt.Equal(now) {
		t.Errorf("collected at %s, want now", b.Manifest.CollectedAt)
	}
}

func TestWhatIsNoBundleIsSaidPlainly(t *testing.T) {
	garbage := bytes.Repeat([]byte{0, 1, 2, 0xfe, 0xff, 'a'}, 100)
	cases := map[string]struct {
		path string
		is   error
		want string
	}{
		"garbage":            {put(t, "x.tar.zst", garbage), ErrNotABundle, "neither a bundle nor a log"},
		"empty":              {put(t, "x.tar.zst", nil), ErrNotABundle, "it is empty"},
		"a journal file":     {put(t, "system.journal", []byte("LPKSHHRH....")), ErrNotABundle, "journalctl --file"},
		"an empty directory": {t.TempDir(), ErrNotABundle, "no file that can be read"},
		"an empty archive":   {put(t, "x.tar", tarOf(t, entry{name: "a/", kind: tar.TypeDir})), ErrNotABundle, "holds no file"},
		"nothing there":      {filepath.Join(t.TempDir(), "none"), os.ErrNotExist, "no such file"},
		"a later format":     {put(t, "x.tar", tarOf(t, entry{name: "bundle.json", body: `{"formatVersion":2}`})), ErrNewer, "format version 2"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := open(t, c.path, Options{})
			if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "read "+c.path) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestABrokenManifestIsAGap(t *testing.T) {
	b, err := open(t, put(t, "x.tar", tarOf(t, entry{name: "bundle.json", body: `{"formatVersion":`}, entry{name: "cluster/pods.json", body: "{}"})), Options{})
	if err != nil || !strings.Contains(whys(b.Gaps), "bundle.json cannot be read") || len(b.Files) != 1 {
		t.Fatalf("%v, %+v", err, b)
	}
	if !b.Manifest.CollectedAt.Equal(t0) {
		t.Errorf("collected at %s, want the time of the newest entry", b.Manifest.CollectedAt)
	}
}

func TestLimitsHold(t *testing.T) {
	big := strings.Repeat(logLine, 200)
	archive := tarOf(t, entry{name: "nodes/n1/logs/a.log", body: big}, entry{name: "cluster/pods.json", body: big}, entry{name: "nodes/n1/logs/b.log", body: big})
	zeros := tarOf(t, entry{name: "nodes/n1/logs/a.log", body: logLine}, entry{name: "nodes/n1/logs/zeros", body: string(make([]byte, 40*mib))})
	cases := map[string]struct {
		data   []byte
		limits Limits
		want   string
		files  int
	}{
		"entries":             {archive, Limits{Entries: 2}, "more than 2 entries", 2},
		"one file":            {archive, Limits{FileBytes: 100}, "cluster/pods.json left out", 2},
		"one log":             {archive, Limits{LogBytes: 100}, "nodes/n1/logs/b.log was cut at", 3},
		"everything":          {archive, Limits{TotalBytes: int64(len(big)) + 1000}, "larger than the limit for a whole bundle", 1},
		"expansion":           {zst(t, zeros), Limits{}, "expands too much", 2},
		"expansion of a gzip": {gz(t, zeros), Limits{Ratio: 100}, "expands too much", 2},
		"memory":              {archive, Limits{MemoryBytes: 100}, "", 3},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b, err := open(t, put(t, "b.tar", c.data), Options{Limits: c.limits})
			if err != nil {
				t.Fatal(err)
			}
			if len(b.Files) != c.files || !strings.Contains(whys(b.Gaps), c.want) {
				t.Errorf("%d files, gaps %q", len(b.Files), whys(b.Gaps))
			}
			content(t, b)
		})
	}
}

func TestCloseRemovesWhatWasSpooled(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	p := put(t, "b.tar", tarOf(t, entry{name: "nodes/n1/logs/a.log", body: strings.Repeat(logLine, 50)}))
	b, err := Open(p, Options{Now: now, Limits: Limits{MemoryBytes: 10}})
	if err != nil {
		t.Fatal(err)
	}
	left := func() int { e, _ := os.ReadDir(os.TempDir()); return len(e) }
	if left() == 0 {
		t.Error("the large file was not spooled")
	}
	if err := b.Close(); err != nil || left() != 0 {
		t.Errorf("after Close: %d temporary files, %v", left(), err)
	}
}

func FuzzOpen(f *testing.F) {
	var buf bytes.Buffer
	if err := Write(&buf, manifest(), files()); err != nil {
		f.Fatal(err)
	}
	f.Add(buf.Bytes())
	f.Add(buf.Bytes()[:buf.Len()/2])
	f.Add([]byte(logLine))
	f.Add([]byte("LPKSHHRH"))
	f.Add(append(slices.Clone(gzipMagic), 8, 0, 0, 0, 0, 0, 0, 3))
	var t tar.Header
	t.Name, t.Typeflag, t.Size = "../x", tar.TypeReg, 3
	var plain bytes.Buffer
	w := tar.NewWriter(&plain)
	_ = w.WriteHeader(&t)
	_, _ = w.Write([]byte("abc"))
	_ = w.Close()
	f.Add(plain.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Open("-", Options{Stdin: bytes.NewReader(data), Now: now, Limits: Limits{TotalBytes: mib, MemoryBytes: 4096}})
		if err != nil {
			return
		}
		defer func() { _ = b.Close() }()
		for _, f := range b.Files {
			if refuse(f.Path) != "" {
				t.Errorf("accepted path %q", f.Path)
			}
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, r); err != nil || n != f.Size {
				t.Errorf("%s: %d bytes of %d, %v", f.Path, n, f.Size, err)
			}
			_ = r.Close()
		}
	})
}
