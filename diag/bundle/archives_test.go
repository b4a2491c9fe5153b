package bundle

import (
	"archive/tar"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ulikunitz/xz/lzma"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

// bzipped is logLine as bzip2 packs it; Go only unpacks.
const bzipped = "QlpoOTFBWSZTWZfij7cAABvfgAAQUAF+0AAhAAoSzYcAIABUNSYCMATA0Eqm0TJk09T1NANCNE+ms4V9o8uzxyl6FpQM0khIgg6JtUjxYZbB4XaaPSGBsg/Pw2ZJ/OcSCE+i7kinChIS/FH24A=="

func bz(t *testing.T) []byte {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(bzipped)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestEveryPackingIsSeenThrough(t *testing.T) {
	plain := tarOf(entry{Name: "a/kubelet.log", Body: logLine})
	want := map[string]string{"a/kubelet.log": logLine}
	cases := map[string]struct {
		name string
		data []byte
		want map[string]string
	}{
		"tar.xz": {"x.tar.xz", filetest.XZ(plain), want},
		"zip": {"x.zip", zipOf(entry{Name: "a/", Kind: tar.TypeDir},
			entry{Name: "a/kubelet.log", Body: logLine}), want},
		"a zip, packed again": {"x.zip.gz", filetest.Gzip(zipOf(entry{Name: "a/kubelet.log", Body: logLine})), want},
		"bzip2":               {"kubelet.log.bz2", bz(t), map[string]string{"kubelet.log": logLine}},
		"packed logs in a tar": {"x.tar", tarOf(entry{Name: "a/kubelet.log.gz", Body: string(filetest.Gzip(logLine))},
			entry{Name: "a/b.log.bz2", Body: string(bz(t))}),
			map[string]string{"a/kubelet.log": logLine, "a/b.log": logLine}},
		"a tar.xz in a tar.gz": {"x.tar.gz",
			filetest.Gzip(tarOf(entry{Name: "o/n1.tar.xz", Body: string(filetest.XZ(plain))})),
			map[string]string{"o/n1/a/kubelet.log": logLine}},
		"a zip in a tar": {"x.tar",
			tarOf(entry{Name: "n1.zip", Body: string(zipOf(entry{Name: "a.log", Body: logLine}))}),
			map[string]string{"n1/a.log": logLine}},
		"a tar in a zip": {"x.zip", zipOf(entry{Name: "n1.tgz", Body: string(filetest.Gzip(plain))}),
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
		dir := unpack(t, tarOf(entry{Name: "a/n1.tar.xz", Body: string(filetest.XZ(plain))},
			entry{Name: "z.zip", Body: string(zipOf(entry{Name: "z.log", Body: logLine}))},
			entry{Name: "k.bz2", Body: string(bz(t))}))
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
	zeros := string(make([]byte, 18*mib))     // just over what is free of a ratio
	packedZeros := string(filetest.XZ(zeros)) // once: packing is slow
	base := entry{Name: "a.log", Body: logLine}
	deep := tarOf(entry{Name: "2.tar", Body: string(tarOf(base))})
	var links []entry
	for i := range 5000 {
		links = append(links, entry{Name: fmt.Sprintf("l%d", i), Body: "/etc/shadow", Kind: tar.TypeSymlink})
	}
	cases := map[string]struct {
		data   []byte
		limits Limits
		want   string
	}{
		"a bomb in a zip": {zipOf(base, entry{Name: "zeros", Body: zeros}), Limits{Ratio: 100}, "expands too much"},
		"a bomb of xz": {tarOf(base, entry{Name: "zeros.xz", Body: packedZeros}),
			Limits{Ratio: 100}, "expands too much"},
		"three archives deep": {tarOf(base, entry{Name: "1.tar", Body: string(deep)}),
			Limits{}, "1/2.tar left out: it is an archive inside an archive"},
		"a path outside, in a zip": {zipOf(base, entry{Name: "../../x", Body: "x"}),
			Limits{}, "../../x left out: its path leads outside"},
		"a link in a zip": {zipOf(base, entry{Name: "l", Body: "/etc/shadow", Kind: tar.TypeSymlink}),
			Limits{}, "entry l left out: it is not a plain file"},
		"a path outside, one deeper": {tarOf(base,
			entry{Name: "1.tar", Body: string(tarOf(entry{Name: "../../x", Body: "x"}))}), Limits{}, "../../x left out"},
		"thousands of links": {tarOf(append(links, base)...), Limits{},
			"5000 entries left out: it is not a plain file (entry l0, entry l1, entry l2, …)"},
		"more entries than allowed": {tarOf(append([]entry{base}, links...)...),
			Limits{Looked: 100}, "more than 100 entries"},
		"more files than allowed": {zipOf(base, entry{Name: "b.log", Body: logLine}),
			Limits{Entries: 1}, "more than 1 entries"},
		"a broken zip inside": {tarOf(base, entry{Name: "x.zip", Body: "PK\x03\x04 and no more"}),
			Limits{}, "x.zip left out: it cannot be read"},
		"a broken xz inside": {tarOf(base, entry{Name: "x.xz", Body: packedZeros[:60]}), Limits{}, "x.xz"},
		"an archive cut inside": {tarOf(base,
			entry{Name: "1.tar", Body: string(tarOf(entry{Name: "b.log", Body: strings.Repeat(logLine, 50)})[:2000])}),
			Limits{}, "1 was read only in part: it ends early"},
		"files of a zip too large": {zipOf(base, entry{Name: "x.json", Body: strings.Repeat("x", 2*mib)}),
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
	data := filetest.XZ(logLine)
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
	data := zipOf(entry{Name: "a.log", Body: logLine})
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
		{Name: "noise/a.log", Body: logLine},
		{Name: "noise/b.tar.gz", Body: string(filetest.Gzip(tarOf(entry{Name: "x.log", Body: logLine})))},
		{Name: "good.log", Body: logLine}, {Name: "bad.log", Body: "?? " + logLine},
		{Name: "packed.gz", Body: string(filetest.Gzip("??"))},
	}
	for name, path := range map[string]string{"tar": put(t, "x.tar", tarOf(entries...)),
		"zip": put(t, "x.zip", zipOf(entries...)), "directory": unpack(t, tarOf(entries...))} {
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
	if _, err := open(t, put(t, "x.tar", tarOf(entries...)), Options{Skip: everything}); !errors.Is(err,
		ErrNotABundle) || !strings.Contains(err.Error(), "none of the 5 files in the archive is of a known kind") {
		t.Errorf("error %v", err)
	}
	// Nothing of a bundle is skipped, whatever its files are called.
	own := tarOf(entry{Name: "bundle.json", Body: `{"formatVersion":1}`},
		entry{Name: "noise/a.log", Body: logLine}, entry{Name: "cluster/x.json", Body: "??"})
	if b, err := open(t, put(t, "x.tar", own), Options{Skip: everything}); err != nil || len(b.Files) != 2 || b.Foreign {
		t.Errorf("a bundle: %v, %v", b, err)
	}
}

func FuzzWalkingArchives(f *testing.F) {
	t := &testing.T{}
	plain := tarOf(entry{Name: "a/kubelet.log", Body: logLine}, entry{Name: "l", Body: "x", Kind: tar.TypeSymlink})
	zipped := zipOf(entry{Name: "a.log", Body: logLine})
	for _, seed := range [][]byte{plain, filetest.Gzip(plain), filetest.Zstd(plain), filetest.XZ(plain),
		zipped, bz(t), tarOf(entry{Name: "x.zip", Body: string(zipped)}), []byte(logLine)} {
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
