package hash

import (
	"strconv"
	"sync"
)

const (
	fnvOffset = 2166136261
	fnvPrime  = 16777619
)

// literal is what a text does to a running FNV-1a sum. A step is (sum ^ byte) * prime: only the low 8 bits of the sum
// meet the byte, and the low 8 bits of the outcome depend on nothing but them. So for a given text the upper bits are
// only multiplied, and what becomes of the lower ones has 256 outcomes: the whole text is one multiplication and one
// look-up, however long it is. Most of what a kubelet hashes are names of fields, the same for every container.
type literal struct {
	power uint32      // the prime, as often multiplied as the text has bytes
	after [256]uint32 // the sum after the text, for each sum below 256
	adler adler       // what the text does to the other sum
}

func (l *literal) step(sum uint32) uint32 { return l.power*(sum&^0xff) + l.after[byte(sum)] }

func newLiteral(text []byte) literal {
	l := literal{power: 1}
	for i := range l.after {
		l.after[i] = uint32(i)
	}
	l.adler = adlerOf(text)
	for _, c := range text {
		l.power *= fnvPrime
		for i := range l.after {
			l.after[i] = (l.after[i] ^ uint32(c)) * fnvPrime
		}
	}
	return l
}

// sumOf continues sum with each byte of a text that is no literal.
func sumOf[T ~string | ~[]byte](sum uint32, text T) uint32 {
	for i := range len(text) {
		sum = (sum ^ uint32(text[i])) * fnvPrime
	}
	return sum
}

// adler is an Adler-32 sum, which sums over parts make up: a sums the bytes, b the sums, n counts.
type adler struct{ a, b, n uint64 }

const adlerPrime = 65521

func adlerOf[T ~string | ~[]byte](text T) adler {
	var sum adler
	for i := range len(text) {
		sum.a += uint64(text[i])
		sum.b += sum.a
	}
	return adler{sum.a % adlerPrime, sum.b % adlerPrime, uint64(len(text)) % adlerPrime}
}

// add continues a sum with that of the text behind.
func (s adler) add(behind adler) adler {
	return adler{(s.a + behind.a) % adlerPrime, (s.b + behind.n*s.a + behind.b) % adlerPrime, s.n + behind.n}
}

func (s adler) sum() uint32 { return uint32(s.b<<16 | s.a) }

// structTables holds structLiterals, made when the first struct is hashed.
var structTables = sync.OnceValue(func() *[len(structLiterals)]literal {
	tables := new([len(structLiterals)]literal)
	for i, text := range structLiterals {
		tables[i] = newLiteral([]byte(text))
	}
	return tables
})

// dump holds what the bytes of a JSON do to the sum. The kubelet hashes what the spew library prints for the byte
// slice, "([]uint8)[123 34 …]", not the bytes (pkg/util/hash/hash.go DeepHashObject). That print is never built.
type dump struct {
	literals [len(jsonLiterals)]literal
	bytes    [256]literal
	// low is the low byte of bytes[b].after, apart because one look-up waits for the one before: it should be near.
	low [256][256]uint8
}

const (
	dumpStart = "([]uint8)["
	dumpEnd   = "125]" // the last brace
	dumpNil   = "([]uint8)<nil>"
)

// dumpTables is made when the first JSON is hashed.
var dumpTables = sync.OnceValue(func() *dump {
	d := new(dump)
	for b := range d.bytes {
		d.bytes[b] = newLiteral(dumpByte(nil, byte(b)))
		for i, sum := range d.bytes[b].after {
			d.low[b][i] = uint8(sum)
		}
	}
	for i, text := range jsonLiterals {
		var printed []byte
		for _, b := range []byte(text) {
			printed = dumpByte(printed, b)
		}
		d.literals[i] = newLiteral(printed)
	}
	return d
})

// dumpByte appends the print of one byte and of the blank behind it.
func dumpByte(buffer []byte, b byte) []byte {
	return append(strconv.AppendUint(buffer, uint64(b), 10), ' ')
}

// sumOfDump continues a sum with the print of bytes that more bytes follow.
func sumOfDump[T ~string | ~[]byte](d *dump, sum uint32, text T) uint32 {
	low := uint8(sum)
	for i := range len(text) {
		b := text[i]
		l := &d.bytes[b]
		sum = l.power*(sum&^0xff) + l.after[low]
		low = d.low[b][low]
	}
	return sum
}
