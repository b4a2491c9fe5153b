package bundle

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

// noise is a log that does not compress well.
func noise(lines int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for range lines {
		fmt.Fprintf(&b, "%x%x %s", r.Uint64(), r.Uint64(), logLine)
	}
	return b.String()
}

// Whatever is left of an archive, what is read of it is true: objects whole or
// not at all, logs from their beginning, and nothing is missing in silence.
func TestAnArchiveThatEndsAnywhereTellsNoLies(t *testing.T) {
	truth := map[string]string{
		"cluster/pods.json": `{"items":["` + noise(20) + `"]}`, "nodes/n1/cri.json": `{"containers":["` + noise(30) + `"]}`,
		"nodes/n1/journal/kubelet.export": noise(1300), "nodes/n1/logquery/kubelet.log": noise(50),
		"nodes/n2/kmsg.txt": noise(2),
	}
	var f []evidence.File
	for name, data := range truth {
		f = append(f, evidence.Bytes(name, []byte(data)))
	}
	whole := written(t, manifest(), f)
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := z.DecodeAll(whole, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"b.tar.zst": whole, "b.tar.gz": filetest.Gzip(plain), "b.tar": plain} {
		t.Run(name, func(t *testing.T) {
			cut, step := 0, 1000
			if name != "b.tar.zst" {
				step = 3500 // to no multiple of a block
			}
			for end := 0; end < len(data); end += step {
				b, err := Read(name, bytes.NewReader(data[:end]), Options{Now: now})
				if err != nil {
					if end > 100_000 {
						t.Errorf("at %d of %d bytes: %v", end, len(data), err)
					}
					continue
				}
				got := content(t, b)
				for p, text := range got {
					switch {
					case b.Cut(p):
						cut++
						if !isLog(p) || !strings.HasPrefix(truth[p], text) || len(text) == len(truth[p]) {
							t.Errorf("at %d: %s: %d bytes that are no beginning of a log", end, p, len(text))
						}
					case text != truth[p]:
						t.Errorf("at %d: %s: %d bytes of %d, and nobody says so", end, p, len(text), len(truth[p]))
					}
				}
				if len(got) < len(truth) && !strings.Contains(whys(b.Gaps), "read only in part") {
					t.Errorf("at %d: %d files of %d, and nobody says so: %q", end, len(got), len(truth), whys(b.Gaps))
				}
				if err := b.Close(); err != nil {
					t.Error(err)
				}
			}
			if cut == 0 {
				t.Error("no log was ever cut: the test tests nothing")
			}
		})
	}
}

// A flipped byte either shows, or changes what one file says: never the paths.
func TestAFlippedByteLeadsNowhereElse(t *testing.T) {
	whole := written(t, manifest(), append(files(), evidence.Bytes("nodes/n2/kmsg.txt", []byte(noise(5)))))
	paths := []string{"cluster/pods.json", "nodes/n1/logquery/kubelet.log", "nodes/n2/kmsg.txt"}
	for at := 0; at < len(whole); at += 7 {
		data := slices.Clone(whole)
		data[at] ^= 0x41
		b, err := Read("b.tar.zst", bytes.NewReader(data), Options{Now: now})
		if err != nil {
			continue
		}
		for _, f := range b.Files {
			if !slices.Contains(paths, f.Path) {
				t.Errorf("byte %d: a file %s appeared", at, f.Path)
			}
		}
		_ = b.Close()
	}
}

func TestALogOverTheLimitIsMarkedAsCut(t *testing.T) {
	log := strings.Repeat(logLine, 100)
	limits := Limits{LogBytes: int64(10 * len(logLine)), FileBytes: mib} // it ends with a line
	const name = "nodes/n1/logquery/kubelet.log"
	archive := put(t, "x.tar", tarOf(entry{Name: "top/" + name, Body: log},
		entry{Name: "top/nodes/n1/kmsg.txt", Body: logLine}))
	for what, p := range map[string]string{"in an archive": archive,
		"in a directory": strings.TrimSuffix(put(t, name, []byte(log)), name)} {
		b, err := open(t, p, Options{Limits: limits})
		if err != nil {
			t.Fatal(err)
		}
		if !b.Cut(name) || b.Cut("nodes/n1/kmsg.txt") {
			t.Errorf("%s: cut %v, gaps %q", what, b.cut, whys(b.Gaps))
		}
	}
}

func TestNamesOfEveryKind(t *testing.T) {
	long := "nodes/n1/logs/" + strings.Repeat("x", 1200)
	cases := map[string]struct {
		name string
		want string // "" when it is left out
	}{
		"ordinary":                    {"nodes/n1/logs/a.log", "nodes/n1/logs/a.log"},
		"with a dot before it":        {"./nodes/n1/logs/a.log", "nodes/n1/logs/a.log"},
		"with a detour inside":        {"nodes/n1/x/../logs/a.log", "nodes/n1/logs/a.log"},
		"with double slashes":         {"nodes//n1/logs///a.log", "nodes/n1/logs/a.log"},
		"longer than any file system": {long, ""},
		"only the parent":             {"..", ""},
		"a device of Windows":         {"nodes/n1/logs/NUL:\\x", ""},
	}
	for what, c := range cases {
		t.Run(what, func(t *testing.T) {
			b, err := open(t,
				put(t, "x.tar", tarOf(entry{Name: "cluster/pods.json", Body: "{}"}, entry{Name: c.name, Body: logLine})),
				Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{"cluster/pods.json": "{}"}
			if c.want != "" {
				want[c.want] = logLine
			}
			if diff := cmp.Diff(want, content(t, b)); diff != "" {
				t.Error(diff)
			}
			if (c.want == "") != strings.Contains(whys(b.Gaps), "left out") {
				t.Errorf("gaps %q", whys(b.Gaps))
			}
		})
	}
}

// A frame that promises gigabytes must not get them.
func TestABombInsideABombIsFound(t *testing.T) {
	zeros := filetest.Zstd(make([]byte, 32*mib))
	bombs := map[string][]byte{"one layer": zeros, "two layers": filetest.Gzip(zeros),
		"zeros as a log": filetest.Zstd(bytes.Repeat([]byte(logLine), 300_000))}
	for name, data := range bombs {
		t.Run(name, func(t *testing.T) {
			b, err := Read("kubelet.log.zst.gz", bytes.NewReader(data), Options{Now: now, Limits: Limits{Ratio: 100}})
			if err != nil {
				return // refused
			}
			defer func() { _ = b.Close() }()
			var size int64
			for _, f := range b.Files {
				size += f.Size
			}
			if size > 17*mib || !strings.Contains(whys(b.Gaps), "expands too much") {
				t.Errorf("%d bytes came out of %d, gaps %q", size, len(data), whys(b.Gaps))
			}
		})
	}
}
