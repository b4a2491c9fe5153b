package hash

import (
	"hash/adler32"
	"strconv"
	"strings"
	"testing"
)

func TestALiteralStepsAsItsBytesDo(t *testing.T) {
	for _, text := range []string{"", "x", " Image:(string)", "\xff\x00", strings.Repeat("long ", 100)} {
		l := newLiteral([]byte(text))
		for _, sum := range []uint32{fnvOffset, 0, 255, 256, 1<<32 - 1, 0x311670a} {
			if got, want := l.step(sum), sumOf(sum, text); got != want {
				t.Errorf("%q after %x: %x, want %x", text, sum, got, want)
			}
		}
	}
	if got, want := sumOf(fnvOffset, "kubelet"), naiveFNV([]byte("kubelet")); got != want {
		t.Errorf("sumOf = %x, hash/fnv %x", got, want)
	}
}

func TestTheDumpOfBytesIsNeverBuiltAndHashedAllTheSame(t *testing.T) {
	everyByte := make([]byte, 256)
	for i := range everyByte {
		everyByte[i] = byte(i)
	}
	for _, text := range []string{"", "{", string(everyByte)} {
		sum := sumOf(sumOfDump(dumpTables(), sumOf(fnvOffset, dumpStart), text), dumpEnd)
		if want := naiveSum([]byte(text + "}")); sum != want {
			t.Errorf("%q: %x, want %x", text, sum, want)
		}
	}
	if got, want := sumOf(fnvOffset, dumpNil), naiveFNV([]byte("([]uint8)<nil>")); got != want {
		t.Errorf("nothing: %x, want %x", got, want)
	}
}

func TestAdlerSumsOfPartsMakeThatOfTheWhole(t *testing.T) {
	parts := []string{"", "(api.Container)", strings.Repeat("\xff", 100_000), "x", strings.Repeat("abc", 30_000)}
	sum := adler{a: 1}
	for _, part := range parts {
		sum = sum.add(adlerOf(part))
	}
	if got, want := sum.sum(), adler32.Checksum([]byte(strings.Join(parts, ""))); got != want {
		t.Errorf("%x, want %x", got, want)
	}
}

func TestEveryLiteralOfAStructStepsAsItsTextDoes(t *testing.T) {
	for i, text := range structLiterals {
		l := &structTables()[i]
		for _, sum := range []uint32{fnvOffset, 0, 0x80ff00ff} {
			if got, want := l.step(sum), sumOf(sum, text); got != want {
				t.Errorf("%q after %x: %x, want %x", text, sum, got, want)
			}
		}
		if got, want := (adler{a: 1}).add(l.adler).sum(), adler32.Checksum([]byte(text)); got != want {
			t.Errorf("%q: Adler-32 %x, want %x", text, got, want)
		}
	}
}

func TestEveryLiteralOfAJSONStepsAsTheDumpOfItsBytesDoes(t *testing.T) {
	for i, text := range jsonLiterals {
		for _, sum := range []uint32{fnvOffset, 0, 0x80ff00ff} {
			want := sum
			for _, b := range []byte(text) {
				want = sumOf(want, strconv.Itoa(int(b))+" ")
			}
			if got := dumpTables().literals[i].step(sum); got != want {
				t.Errorf("%q after %x: %x, want %x", text, sum, got, want)
			}
			if got := sumOfDump(dumpTables(), sum, text); got != want {
				t.Errorf("%q byte by byte after %x: %x, want %x", text, sum, got, want)
			}
		}
	}
}

func TestALiteralStandsForItsTextOnce(t *testing.T) {
	for name, texts := range map[string][]string{"struct": structLiterals[:], "json": jsonLiterals[:]} {
		seen := map[string]bool{}
		for _, text := range texts {
			if text == "" || seen[text] {
				t.Errorf("%s: %q is empty or stands there twice", name, text)
			}
			seen[text] = true
		}
	}
}
