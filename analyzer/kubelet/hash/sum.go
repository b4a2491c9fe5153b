package hash

import (
	"strconv"
	"strings"
)

const (
	fnvOffset = 2166136261
	fnvPrime  = 16777619

	adlerStart = adler(1)
	adlerMod   = 65521
)

// adler is a running Adler-32 sum (RFC 1950): the sum of all bytes in the lower half, the sum of those sums in the
// upper.
type adler uint32

// and continues the sum with each byte of a text.
func (s adler) and(text string) adler {
	const most = 5552 // bytes before the sums could overflow
	a, b := uint32(s&0xffff), uint32(s>>16)
	for len(text) > 0 {
		some := text[:min(len(text), most)]
		for i := range len(some) {
			a += uint32(some[i])
			b += a
		}
		a, b, text = a%adlerMod, b%adlerMod, text[len(some):]
	}
	return adler(b<<16 | a)
}

// sumOf continues an FNV-1a sum with each byte of a text.
func sumOf(sum uint32, text string) uint32 {
	for i := range len(text) {
		sum = (sum ^ uint32(text[i])) * fnvPrime
	}
	return sum
}

// literal is a text that is printed for every container, such as a field's name, and its effect on a running sum. A
// step of FNV-1a is (sum ^ byte) * prime: only the low 8 bits of the sum meet the byte, and the low 8 bits of the
// result depend only on them. So the upper bits are only multiplied, and for the lower ones there are 256 results: the
// whole text is one multiplication and one look-up. A collection hashes every container in every era.
type literal struct {
	text  string
	power uint32      // the prime to the power of the number of bytes
	after [256]uint32 // the sum after the text, for each sum below 256
}

func (l *literal) step(sum uint32) uint32 { return l.power*(sum&^0xff) + l.after[byte(sum)] }

// newLiteral returns the literal for a text and for what is hashed in its place.
func newLiteral(text, hashed string) *literal {
	l := &literal{text: text, power: 1}
	for range len(hashed) {
		l.power *= fnvPrime
	}
	for i := range l.after {
		l.after[i] = sumOf(uint32(i), hashed)
	}
	return l
}

// The kubelet hashes the spew library's print of the bytes of a JSON, "([]uint8)[123 34 …]", not the bytes
// (pkg/util/hash/hash.go DeepHashObject).
const (
	dumpStart = "([]uint8)["
	dumpEnd   = "125]" // the last brace
	dumpNil   = "([]uint8)<nil>"
)

// dumped holds the print of each byte, with the following blank.
var dumped = func() (texts [256]string) {
	for b := range texts {
		texts[b] = strconv.Itoa(b) + " "
	}
	return texts
}()

// dump prints bytes that are followed by more bytes.
func dump(text string) string {
	var out strings.Builder
	for i := range len(text) {
		out.WriteString(dumped[text[i]])
	}
	return out.String()
}

// sumOfDump continues a sum with dump(text), without building that.
func sumOfDump(sum uint32, text string) uint32 {
	for i := range len(text) {
		sum = sumOf(sum, dumped[text[i]])
	}
	return sum
}
