package journalfile

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile/journalfiletest"
)

func seeds() (out [][]byte) {
	for _, compress := range []string{"", "zstd", "lz4", "xz"} {
		o := plain()
		o.Compress, o.Compact, o.Keyed, o.Buckets = compress, compress != "lz4", compress != "xz", 3
		w := write(o, 0, 3)
		e := nth(3)
		e.Fields = append(e.Fields, "LONG="+strings.Repeat("long ", 40))
		w.Add(e)
		out = append(out, w.Bytes())
	}
	return out
}

func FuzzHeader(f *testing.F) {
	for _, b := range seeds() {
		f.Add(b[:300], int64(len(b)))
	}
	f.Fuzz(func(t *testing.T, b []byte, size int64) {
		if size < 0 || size < int64(len(b)) {
			return
		}
		h, err := parseHeader(b, size)
		if err != nil {
			return
		}
		if h.headerSize > uint64(size) || h.dataTable+h.dataTableSize > uint64(size) ||
			h.dataTableSize%hashItemSize != 0 {
			t.Errorf("%+v in %d bytes", h, size)
		}
		if h.String() == "" {
			t.Error("no variant")
		}
	})
}

// FuzzFile walks over every object that a file leads to: no damage may end in a
// panic, a loop, or more entries than the file has room for.
func FuzzFile(f *testing.F) {
	for _, b := range seeds() {
		f.Add(b)
		f.Add(flag(b, 16, 1))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var s Set
		if err := s.Add("f", bytes.NewReader(b), int64(len(b))); err != nil {
			return
		}
		// The same file as another member of the set: the merge must come to an end.
		if err := s.Add("g", bytes.NewReader(b), int64(len(b))); err != nil {
			t.Fatal(err)
		}
		for _, q := range []Query{
			{},
			{Any: [][]Match{{{"_SYSTEMD_UNIT", "kubelet.service"}, {"_HOSTNAME", "n1"}}, {{"MESSAGE", "message 1"}}}},
			{Since: second(1)},
		} {
			n := 0
			q.OnHole = func(h Hole) {
				if h.Why == "" || h.File == "" {
					t.Errorf("%+v", h)
				}
			}
			for e, err := range s.Entries(t.Context(), q) {
				if err != nil {
					t.Fatal(err)
				}
				if n++; n > 2*len(b)/entrySize+2 {
					t.Fatalf("%d entries in %d bytes", n, len(b))
				}
				e.AppendExport(nil)
			}
		}
	})
}

// FuzzExport writes an entry of any fields into files of several variants and
// compares what comes out with an export that is put together by hand.
func FuzzExport(f *testing.F) {
	f.Add("MESSAGE=hello\x00\nB=tab\there\x1fC=\xff\xfe", uint64(t0), uint64(5), byte(0))
	f.Add("MESSAGE="+strings.Repeat("long ", 100)+"\x1fE=", uint64(1), uint64(0), byte(7))
	f.Add("A=\u0085\x1fA=\x7f\x1fA=ü", uint64(1<<54), uint64(1<<54), byte(3))
	f.Fuzz(func(t *testing.T, text string, realtime, monotonic uint64, variant byte) {
		if realtime == 0 || realtime >= maxTime || monotonic >= maxTime {
			return
		}
		o := plain()
		o.Compact, o.Keyed, o.Compress = variant&1 != 0, variant&2 != 0, []string{"", "zstd", "lz4", "xz"}[variant>>2&3]
		var fields []string
		for f := range strings.SplitSeq(text, "\x1f") {
			if name, _, ok := strings.Cut(f, "="); ok && name != "_BOOT_ID" {
				fields = append(fields, f)
			}
		}
		w := journalfiletest.New(o)
		w.Add(journalfiletest.Entry{Realtime: realtime, Monotonic: monotonic, Boot: "boot", Fields: fields})
		w.Add(nth(1))
		var got []byte
		for e := range setOf(t, w.Bytes()).Entries(t.Context(), Query{}) {
			got = e.AppendExport(nil)
			break
		}
		if realtime > t0+1_000_000 { // the other one comes first, in another boot
			return
		}
		_, rest, _ := bytes.Cut(got, []byte("\n__REALTIME_TIMESTAMP="))
		boot := journalfiletest.ID("boot")
		want := []byte(itoa(realtime) + "\n__MONOTONIC_TIMESTAMP=" + itoa(monotonic) +
			"\n_BOOT_ID=" + hex.EncodeToString(boot[:]) + "\n")
		for _, f := range fields {
			name, value, _ := strings.Cut(f, "=")
			want = append(want, name...)
			if plainText(value) {
				want = append(want, "="+value+"\n"...)
			} else {
				want = append(want, '\n')
				want = binary.LittleEndian.AppendUint64(want, uint64(len(value)))
				want = append(want, value+"\n"...)
			}
		}
		if diff := cmp.Diff(string(want)+"\n", string(rest)); diff != "" {
			t.Error(diff)
		}
	})
}

func itoa(n uint64) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

// plainText is oneLine, said in another way.
func plainText(s string) bool {
	return strings.ToValidUTF8(s, "\x00") == s && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '\t' && (r < 0x20 || r >= 0x7f && r <= 0x9f)
	})
}
