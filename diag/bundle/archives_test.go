package bundle

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// bzipped is logLine as bzip2 packs it; Go only unpacks.
const bzipped = "QlpoOTFBWSZTWZfij7cAABvfgAAQUAF+0AAhAAoSzYcAIABUNSYCMATA0Eqm0TJk09T1NANCNE+ms4V9o8uzxyl6FpQM0khIgg6JtUjxYZbB4XaaPSGBsg/Pw2ZJ/OcSCE+i7kinChIS/FH24A=="

func xzOf(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := xz.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write(data)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipOf(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: t0}
		if e.kind == tar.TypeSymlink {
			h.SetMode(0o777 | 1<<27) // fs.ModeSymlink
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.Write([]byte(e.body))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func bz(t *testing.T) []byte {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(bzipped)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestEveryPackingIsSeenThrough(t *testing.T) {
	plain := tarOf(t, entry{name: "a/kubelet.log", body: logLine})
	want := map[string]string{"a/kubelet.log": logLine}
	cases := map[string]struct {
		name string
		data []byte
		want map[string]string
	}{
		"tar.xz": {"x.tar.xz", xzOf(t, plain), want},
		"zip": {"x.zip", zipOf(t, entry{name: "a/", kind: tar.TypeDir},
			entry{name: "a/kubelet.log", body: logLine}), want},
		"a zip, packed again": {"x.zip.gz", gz(t, zipOf(t, entry{name: "a/kubelet.log", body: logLine})), want},
		"bzip2":               {"kubelet.log.bz2", bz(t), map[string]string{"kubelet.log": logLine}},
		"packed logs in a tar": {"x.tar", tarOf(t, entry{name: "a/kubelet.log.gz", body: string(gz(t, []byte(logLine)))},
			entry{name: "a/b.log.bz2", body: string(bz(t))}), map[string]string{"a/kubelet.log": logLine, "a/b.log": logLine}},
		"a tar.xz in a tar.gz": {"x.tar.gz", gz(t, tarOf(t, entry{name: "o/n1.tar.xz", body: string(xzOf(t, plain))})),
			map[string]string{"o/n1/a/kubelet.log": logLine}},
		"a zip in a tar": {"x.tar",
			tarOf(t, entry{name: "n1.zip", body: string(zipOf(t, entry{name: "a.log", body: logLine}))}),
			map[string]string{"n1/a.log": logLine}},
		"a tar in a zip": {"x.zip", zipOf(t, entry{name: "n1.tgz", body: string(gz(t, plain))}),
			map[string]string{"n1/a/kubelet.log": logLine}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := put(t, c.name, c.data)
			b, err := open(t, p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, content(t, b)); diff != "" || len(b.Gaps) > 0 {
				t.Errorf("%s\ngaps %q", diff, whys(b.Gaps))
			}
			fromStdin, err := open(t, "-", Options{Stdin: bytes.NewReader(c.data)})
			if err != nil || len(fromStdin.Files) != len(c.want) {
				t.Errorf("from standard input: %v", err)
			}
		})
	}
	t.Run("in a directory", func(t *testing.T) {
		dir := unpack(t, tarOf(t, entry{name: "a/n1.tar.xz", body: string(xzOf(t, plain))},
			entry{name: "z.zip", body: string(zipOf(t, entry{name: "z.log", body: logLine}))},
			entry{name: "k.bz2", body: string(bz(t))}))
		b, err := open(t, dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"a/n1/a/kubelet.log": logLine, "z.zip/z.log": logLine, "k": logLine}
		if diff := cmp.Diff(want, content(t, b)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestHostileArchivesCostNoMoreThanAllowed(t *testing.T) {
	zeros := string(make([]byte, 18*mib))         // just over what is free of a ratio
	packedZeros := string(xzOf(t, []byte(zeros))) // once: packing is slow
	base := entry{name: "a.log", body: logLine}
	deep := tarOf(t, entry{name: "2.tar", body: string(tarOf(t, base))})
	var links []entry
	for i := range 5000 {
		links = append(links, entry{name: fmt.Sprintf("l%d", i), body: "/etc/shadow", kind: tar.TypeSymlink})
	}
	cases := map[string]struct {
		data   []byte
		limits Limits
		want   string
	}{
		"a bomb in a zip": {zipOf(t, base, entry{name: "zeros", body: zeros}), Limits{Ratio: 100}, "expands too much"},
		"a bomb of xz": {tarOf(t, base, entry{name: "zeros.xz", body: packedZeros}),
			Limits{Ratio: 100}, "expands too much"},
		"three archives deep": {tarOf(t, base, entry{name: "1.tar", body: string(deep)}),
			Limits{}, "1/2.tar left out: it is an archive inside an archive"},
		"a path outside, in a zip": {zipOf(t, base, entry{name: "../../x", body: "x"}),
			Limits{}, "../../x left out: its path leads outside"},
		"a link in a zip": {zipOf(t, base, entry{name: "l", body: "/etc/shadow", kind: tar.TypeSymlink}),
			Limits{}, "entry l left out: it is not a plain file"},
		"a path outside, one deeper": {tarOf(t, base,
			entry{name: "1.tar", body: string(tarOf(t, entry{name: "../../x", body: "x"}))}), Limits{}, "../../x left out"},
		"thousands of links": {tarOf(t, append(links, base)...), Limits{},
			"5000 entries left out: it is not a plain file (entry l0, entry l1, entry l2, …)"},
		"more entries than allowed": {tarOf(t, append([]entry{base}, links...)...),
			Limits{Looked: 100}, "more than 100 entries"},
		"more files than allowed": {zipOf(t, base, entry{name: "b.log", body: logLine}),
			Limits{Entries: 1}, "more than 1 entries"},
		"a broken zip inside": {tarOf(t, base, entry{name: "x.zip", body: "PK\x03\x04 and no more"}),
			Limits{}, "x.zip left out: it cannot be read"},
		"a broken xz inside": {tarOf(t, base, entry{name: "x.xz", body: packedZeros[:60]}), Limits{}, "x.xz"},
		"an archive cut inside": {tarOf(t, base,
			entry{name: "1.tar", body: string(tarOf(t, entry{name: "b.log", body: strings.Repeat(logLine, 50)})[:2000])}),
			Limits{}, "1 was read only in part: it ends early"},
		"files of a zip too large": {zipOf(t, base, entry{name: "x.json", body: strings.Repeat("x", 2*mib)}),
			Limits{LogBytes: mib}, "x.json left out: it is larger than the limit of 1 MiB"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b, err := open(t, put(t, "x", c.data), Options{Limits: c.limits})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(whys(b.Gaps), c.want) {
				t.Errorf("gaps %q do not say %q", whys(b.Gaps), c.want)
			}
			if content(t, b)["a.log"] != logLine || len(b.Gaps) > 4 {
				t.Errorf("%d files, %d gaps", len(b.Files), len(b.Gaps))
			}
		})
	}
}

// The dictionary is allocated before the first byte is unpacked.
func TestAnXZWithAHugeDictionaryIsRefused(t *testing.T) {
	data := xzOf(t, []byte(logLine))
	at := bytes.Index(data, []byte{0x21, 0x01})
	if at < 12 || at > 32 {
		t.Fatalf("no filter in %x", data[:32])
	}
	data[at+2] = lzma.EncodeDictCap(lzma.MaxDictCap)
	if err := checkDictionary(data[:64]); !errors.Is(err, errDictionary) {
		t.Errorf("error %v", err)
	}
	if _, err := open(t, put(t, "x.xz", data), Options{}); err == nil || !strings.Contains(err.Error(), "dictionary") {
		t.Errorf("error %v", err)
	}
	data[at+2] = lzma.EncodeDictCap(64 * mib)
	if err := checkDictionary(data[:64]); err != nil {
		t.Errorf("level 9: %v", err)
	}
}

func TestAZipWhoseListFillsTheMemoryIsRefused(t *testing.T) {
	data := zipOf(t, entry{name: "a.log", body: logLine})
	at := bytes.LastIndex(data, []byte("PK\x05\x06"))
	binary.LittleEndian.PutUint32(data[at+12:], maxDirectory+1)
	if _, err := open(t, put(t, "x.zip", data), Options{}); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("error %v", err)
	}
	if _, err := open(t, put(t, "x.zip", data[:at]), Options{}); err == nil ||
		!strings.Contains(err.Error(), "ends early") {
		t.Errorf("without its end: %v", err)
	}
}

func TestWhatIsOfNoUseIsNotKept(t *testing.T) {
	skip := func(path string, head []byte) string {
		switch {
		case strings.HasPrefix(path, "noise/"):
			return "noise"
		case bytes.HasPrefix(head, []byte("??")):
			return "doubtful"
		}
		return ""
	}
	entries := []entry{
		{name: "noise/a.log", body: logLine},
		{name: "noise/b.tar.gz", body: string(gz(t, tarOf(t, entry{name: "x.log", body: logLine})))},
		{name: "good.log", body: logLine}, {name: "bad.log", body: "?? " + logLine},
		{name: "packed.gz", body: string(gz(t, []byte("??")))},
	}
	for name, path := range map[string]string{"tar": put(t, "x.tar", tarOf(t, entries...)),
		"zip": put(t, "x.zip", zipOf(t, entries...)), "directory": unpack(t, tarOf(t, entries...))} {
		t.Run(name, func(t *testing.T) {
			b, err := open(t, path, Options{Skip: skip})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[string]int{"noise": 2, "doubtful": 2}, b.Skipped); diff != "" || len(b.Files) != 1 {
				t.Errorf("%d files: %s", len(b.Files), diff)
			}
		})
	}
	everything := func(string, []byte) string { return "no" }
	if _, err := open(t, put(t, "x.tar", tarOf(t, entries...)), Options{Skip: everything}); !errors.Is(err,
		ErrNotABundle) || !strings.Contains(err.Error(), "none of the 5 files in the archive is of a known kind") {
		t.Errorf("error %v", err)
	}
	// Nothing of a bundle is skipped, whatever its files are called.
	own := tarOf(t, entry{name: "bundle.json", body: `{"formatVersion":1}`},
		entry{name: "noise/a.log", body: logLine}, entry{name: "cluster/x.json", body: "??"})
	if b, err := open(t, put(t, "x.tar", own), Options{Skip: everything}); err != nil || len(b.Files) != 2 || b.Foreign {
		t.Errorf("a bundle: %v, %v", b, err)
	}
}

func FuzzWalkingArchives(f *testing.F) {
	t := &testing.T{}
	plain := tarOf(t, entry{name: "a/kubelet.log", body: logLine}, entry{name: "l", body: "x", kind: tar.TypeSymlink})
	zipped := zipOf(t, entry{name: "a.log", body: logLine})
	for _, seed := range [][]byte{plain, gz(t, plain), zst(t, plain), xzOf(t, plain),
		zipped, bz(t), tarOf(t, entry{name: "x.zip", body: string(zipped)}), []byte(logLine)} {
		f.Add(seed)
	}
	limits := Limits{Entries: 50, FileBytes: mib, LogBytes: mib, TotalBytes: 4 * mib}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Read("x", bytes.NewReader(data), Options{Now: now, Limits: limits,
			Skip: func(path string, head []byte) string { return "" }})
		if err != nil {
			return
		}
		defer func() { _ = b.Close() }()
		var total int64
		for _, file := range b.Files {
			if refuse(file.Path) != "" {
				t.Fatalf("a file at %q", file.Path)
			}
			total += read(t, file)
		}
		if total > limits.TotalBytes || len(b.Files) > limits.Entries {
			t.Fatalf("%d files of %d bytes", len(b.Files), total)
		}
	})
}

func read(t *testing.T, f evidence.File) int64 {
	t.Helper()
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	var b bytes.Buffer
	n, err := b.ReadFrom(r)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
