package bundle

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

func TestHostileEntriesAreNamedAndLeftOut(t *testing.T) {
	base := entry{Name: "nodes/n1/logs/kubelet.log", Body: logLine}
	cases := map[string]struct {
		add  entry
		want string
	}{
		"parent directory": {entry{Name: "../../etc/cron.d/x", Body: "x"},
			"../../etc/cron.d/x left out: its path leads outside"},
		"hidden in the path": {entry{Name: "nodes/../../x", Body: "x"}, "left out: its path leads outside"},
		"absolute":           {entry{Name: "/etc/passwd", Body: "x"}, "/etc/passwd left out: its path leads outside"},
		"backslashes":        {entry{Name: `..\..\x`, Body: "x"}, "left out: its path holds a backslash"},
		"symbolic link": {entry{Name: "cluster/pods.json", Body: "/etc/shadow", Kind: tar.TypeSymlink},
			"left out: it is not a plain file"},
		"hard link": {entry{Name: "cluster/pods.json", Body: "/etc/shadow", Kind: tar.TypeLink},
			"left out: it is not a plain file"},
		"device": {entry{Name: "cluster/pods.json", Kind: tar.TypeChar}, "left out: it is not a plain file"},
		"the same name": {entry{Name: "./nodes/n1/logs/kubelet.log", Body: "other"},
			"left out: a second file of this name"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b, err := open(t, put(t, "b.tar", tarOf(base, c.add)), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[string]string{base.Name: logLine}, content(t, b)); diff != "" {
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
	b, err := open(t, dir, Options{})
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
		fmt.Fprintf(&noise, "%x %s", uint64(i)*2654435761%999983, logLine)
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
	if _, err := open(t, put(t, "b.tar.zst", whole[:20]), Options{}); err == nil ||
		!strings.Contains(err.Error(), "damaged archive: it ends early") {
		t.Errorf("an archive of 20 bytes: %v", err)
	}
}

func TestWhatIsNoBundleKeepsItsPaths(t *testing.T) {
	cases := map[string]struct {
		file string
		data []byte
		want map[string]string
	}{
		"a log":      {"kubelet.log", []byte(logLine), map[string]string{"kubelet.log": logLine}},
		"compressed": {"kubelet.log.gz", filetest.Gzip(logLine), map[string]string{"kubelet.log": logLine}},
		"an archive": {"x.tar", tarOf(entry{Name: "a/nodes.json", Body: "{}\n"}), map[string]string{"a/nodes.json": "{}\n"}},
		"directories of others": {"x.tar", tarOf(entry{Name: "nodes/n1/dmesg", Body: "x\n"},
			entry{Name: "namespaces/a", Body: "y\n"}),
			map[string]string{"nodes/n1/dmesg": "x\n", "namespaces/a": "y\n"}},
		"a pasted line": {"a.txt", []byte("one\ntwo"), map[string]string{"a.txt": "one\ntwo\n"}},
		"half a log": {"a.log", []byte(strings.Repeat("one\n", pastedBytes) + "tw"),
			map[string]string{"a.log": strings.Repeat("one\n", pastedBytes) + "tw"}},
		"half an export": {"a.export", []byte("__CURSOR=s\nMESSAGE=tw"),
			map[string]string{"a.export": "__CURSOR=s\nMESSAGE=tw"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b, err := open(t, put(t, c.file, c.data), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, content(t, b)); diff != "" || !b.Foreign {
				t.Errorf("foreign %v: %s", b.Foreign, diff)
			}
			if b.Manifest.CollectedAt.IsZero() || b.Manifest.CollectedAt.After(now) {
				t.Errorf("collected at %s", b.Manifest.CollectedAt)
			}
		})
	}
}

func TestStandardInput(t *testing.T) {
	b, err := open(t, "-", Options{Stdin: strings.NewReader(logLine)})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"stdin": logLine}, content(t, b)); diff != "" {
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
		"an empty directory": {t.TempDir(), ErrNotABundle, "no file that can be read"},
		"an empty archive": {put(t, "x.tar", tarOf(entry{Name: "a/", Kind: tar.TypeDir})),
			ErrNotABundle, "holds no file"},
		"nothing there": {filepath.Join(t.TempDir(), "none"), os.ErrNotExist, "no such file"},
		"a later format": {put(t, "x.tar", tarOf(entry{Name: "bundle.json", Body: `{"formatVersion":2}`})),
			ErrNewer, "format version 2"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := open(t, c.path, Options{})
			if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) ||
				!strings.HasPrefix(err.Error(), "read "+c.path) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestABrokenManifestIsAGap(t *testing.T) {
	b, err := open(t, put(t, "x.tar", tarOf(entry{Name: "bundle.json", Body: `{"formatVersion":`},
		entry{Name: "cluster/pods.json", Body: "{}"})), Options{})
	if err != nil || !strings.Contains(whys(b.Gaps), "bundle.json cannot be read") || len(b.Files) != 1 {
		t.Fatalf("%v, %+v", err, b)
	}
	if !b.Manifest.CollectedAt.Equal(t0) {
		t.Errorf("collected at %s, want the time of the newest entry", b.Manifest.CollectedAt)
	}
}

func TestLimitsHold(t *testing.T) {
	big := strings.Repeat(logLine, 200)
	archive := tarOf(entry{Name: "nodes/n1/logs/a.log", Body: big}, entry{Name: "nodes/n1/cri.json", Body: big},
		entry{Name: "nodes/n1/logs/b.log", Body: big})
	zeros := tarOf(entry{Name: "nodes/n1/logs/a.log", Body: logLine},
		entry{Name: "nodes/n1/logs/zeros", Body: string(make([]byte, 40*mib))})
	cases := map[string]struct {
		data   []byte
		limits Limits
		want   string
		files  int
	}{
		"entries":  {archive, Limits{Entries: 2}, "more than 2 entries", 2},
		"one file": {archive, Limits{FileBytes: 100}, "nodes/n1/cri.json left out", 2},
		"one log":  {archive, Limits{LogBytes: 100, FileBytes: mib}, "nodes/n1/logs/b.log was cut at", 3},
		"everything": {archive, Limits{TotalBytes: int64(len(big)) + 1000},
			"larger than the limit for a whole bundle", 1},
		"expansion":           {filetest.Zstd(zeros), Limits{}, "expands too much", 2},
		"expansion of a gzip": {filetest.Gzip(zeros), Limits{Ratio: 100}, "expands too much", 2},
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
	p := put(t, "b.tar", tarOf(entry{Name: "nodes/n1/logs/a.log", Body: strings.Repeat(logLine, 50)}))
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
	f.Add(tarOf(entry{Name: "../x", Body: "abc"}))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Open("-", Options{Stdin: bytes.NewReader(data), Now: now,
			Limits: Limits{TotalBytes: mib, MemoryBytes: 4096}})
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
