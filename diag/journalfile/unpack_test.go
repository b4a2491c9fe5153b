package journalfile

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/pierrec/lz4/v4"

	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

// packed is a text in each of the three ways.
func packed(t testing.TB, text string) map[byte][]byte {
	t.Helper()
	block := make([]byte, 8+lz4.CompressBlockBound(len(text)))
	binary.LittleEndian.PutUint64(block, uint64(len(text)))
	n, err := lz4.CompressBlock([]byte(text), block[8:], nil)
	if err != nil || n == 0 {
		t.Fatalf("%d %v", n, err)
	}
	return map[byte][]byte{dataZstd: filetest.Zstd(text), dataLZ4: block[:8+n], dataXZ: filetest.XZ(text)}
}

func TestCompressedDataComesBack(t *testing.T) {
	text := "MESSAGE=" + strings.Repeat("what repeats itself gets shorter ", 10_000)
	var u unpacker
	for kind, b := range packed(t, text) {
		got, err := u.unpack(kind, b, []byte("before "))
		if err != nil || string(got) != "before "+text {
			t.Errorf("kind %d: %d bytes, %v", kind, len(got), err)
		}
	}
}

func TestDamagedDataIsAnErrorAndWritesNothing(t *testing.T) {
	text := strings.Repeat("what repeats itself gets shorter ", 1000)
	var u unpacker
	for kind, b := range packed(t, text) {
		for n := range b {
			if got, err := u.unpack(kind, b[:n], []byte("x")); err == nil && string(got) != "x"+text {
				t.Errorf("kind %d, cut at %d of %d: %d bytes", kind, n, len(b), len(got))
			} else if err != nil && string(got) != "x" {
				t.Errorf("kind %d, cut at %d: an error with %d bytes", kind, n, len(got))
			}
		}
		if _, err := u.unpack(kind|kind<<1|1, b, nil); err == nil {
			t.Errorf("kind %d and others at once", kind)
		}
	}
}

// What is small in the file must not become large in memory.
func TestABombIsRefused(t *testing.T) {
	var u unpacker
	bomb := strings.Repeat("0", maxFieldBytes+1)
	for kind, b := range packed(t, bomb) {
		if got, err := u.unpack(kind, b, nil); err == nil || len(got) != 0 {
			t.Errorf("kind %d: %d bytes out of %d, %v", kind, len(got), len(b), err)
		}
	}
	lie := packed(t, "LZ4 says its size first, "+strings.Repeat("as a number", 20))[dataLZ4]
	for _, size := range []uint64{0, 1, 100, 300, maxFieldBytes, 1 << 40, 1<<64 - 1} {
		b := bytes.Clone(lie)
		binary.LittleEndian.PutUint64(b, size)
		if _, err := u.unpack(dataLZ4, b, nil); err == nil {
			t.Errorf("LZ4 of %d bytes", size)
		}
	}
}

// The decoder of LZ4 writes to address 0 when it is given nothing to write to.
func TestNothingIsNotUnpacked(t *testing.T) {
	var u unpacker
	for token := range 256 {
		b := append(make([]byte, 8), byte(token))
		b = append(b, bytes.Repeat([]byte{1, 0, 'x'}, 20)...)
		if _, err := u.unpack(dataLZ4, b, nil); err == nil {
			t.Errorf("token %#x", token)
		}
	}
}

func TestADictionaryOfAnySizeCostsNoMoreThanAField(t *testing.T) {
	b := packed(t, strings.Repeat("text ", 100))[dataXZ]
	_, dict, err := xzBlock(b)
	if err != nil || dict == 0 {
		t.Fatalf("%d %v", dict, err)
	}
	at := bytes.Index(b, []byte{0x21, 1}) + 2
	if b[at] > 40 {
		t.Fatalf("no dictionary at %d", at)
	}
	b = bytes.Clone(b)
	b[at] = 40 // 4 GiB
	var u unpacker
	if _, dict, err := xzBlock(b); err != nil || dict != 1<<32-1 {
		t.Errorf("%d %v", dict, err)
	}
	if got := testing.AllocsPerRun(1, func() {
		if out, err := u.unpack(dataXZ, b, nil); err != nil || len(out) != 500 {
			t.Errorf("%d bytes, %v", len(out), err)
		}
	}); got > 1000 {
		t.Errorf("%f allocations", got)
	}
	b[at] = 41
	if _, _, err := xzBlock(b); err == nil {
		t.Error("a dictionary that no size stands for")
	}
}

func FuzzUnpack(f *testing.F) {
	for kind, b := range packed(f, strings.Repeat("what repeats itself gets shorter ", 30)) {
		f.Add(kind, b)
	}
	var u unpacker
	f.Fuzz(func(t *testing.T, kind byte, b []byte) {
		if kind == 0 {
			return
		}
		out, err := u.unpack(kind, b, []byte("x"))
		if len(out) > maxFieldBytes+1 || err != nil && len(out) != 1 {
			t.Errorf("kind %d: %d bytes, %v", kind, len(out), err)
		}
	})
}
