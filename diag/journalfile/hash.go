package journalfile

import (
	"encoding/binary"
	"math/bits"
)

// Hash is the hash of a field's name, or of "FIELD=value", used in a file's hash tables: keyed files use SipHash-2-4
// with the file's id as key, others Bob Jenkins' lookup3.
func Hash(fileID [16]byte, keyed bool, b []byte) uint64 {
	if keyed {
		return sipHash24(fileID, b)
	}
	return jenkins64(b)
}

func (f *File) hash(b []byte) uint64 { return Hash(f.FileID, f.Keyed(), b) }

// sipHash24 is SipHash with two and four rounds and 64 bits of output
// (Aumasson and Bernstein, "SipHash: a fast short-input PRF").
func sipHash24(key ID128, b []byte) uint64 {
	k0, k1 := binary.LittleEndian.Uint64(key[:8]), binary.LittleEndian.Uint64(key[8:])
	v := [4]uint64{k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573}
	round := func() {
		v[0] += v[1]
		v[1] = bits.RotateLeft64(v[1], 13) ^ v[0]
		v[0] = bits.RotateLeft64(v[0], 32)
		v[2] += v[3]
		v[3] = bits.RotateLeft64(v[3], 16) ^ v[2]
		v[0] += v[3]
		v[3] = bits.RotateLeft64(v[3], 21) ^ v[0]
		v[2] += v[1]
		v[1] = bits.RotateLeft64(v[1], 17) ^ v[2]
		v[2] = bits.RotateLeft64(v[2], 32)
	}
	block := func(m uint64) {
		v[3] ^= m
		round()
		round()
		v[0] ^= m
	}
	length := len(b)
	for ; len(b) >= 8; b = b[8:] {
		block(binary.LittleEndian.Uint64(b))
	}
	var last [8]byte
	copy(last[:], b)
	last[7] = byte(length)
	block(binary.LittleEndian.Uint64(last[:]))
	v[2] ^= 0xff
	for range 4 {
		round()
	}
	return v[0] ^ v[1] ^ v[2] ^ v[3]
}

// jenkins64 is lookup3's hashlittle2 with both seeds zero, its first result in
// the upper half (http://burtleburtle.net/bob/c/lookup3.c, public domain).
func jenkins64(k []byte) uint64 {
	a := 0xdeadbeef + uint32(len(k))
	b, c := a, a
	u32 := binary.LittleEndian.Uint32
	for ; len(k) > 12; k = k[12:] {
		a += u32(k)
		b += u32(k[4:])
		c += u32(k[8:])
		a, b, c = mix(a, b, c)
	}
	if len(k) == 0 {
		return uint64(c)<<32 | uint64(b)
	}
	var last [12]byte
	copy(last[:], k)
	a += u32(last[:])
	b += u32(last[4:])
	c += u32(last[8:])
	c ^= b
	c -= bits.RotateLeft32(b, 14)
	a ^= c
	a -= bits.RotateLeft32(c, 11)
	b ^= a
	b -= bits.RotateLeft32(a, 25)
	c ^= b
	c -= bits.RotateLeft32(b, 16)
	a ^= c
	a -= bits.RotateLeft32(c, 4)
	b ^= a
	b -= bits.RotateLeft32(a, 14)
	c ^= b
	c -= bits.RotateLeft32(b, 24)
	return uint64(c)<<32 | uint64(b)
}

func mix(a, b, c uint32) (uint32, uint32, uint32) {
	rot := bits.RotateLeft32
	a = (a - c) ^ rot(c, 4)
	c += b
	b = (b - a) ^ rot(a, 6)
	a += c
	c = (c - b) ^ rot(b, 8)
	b += a
	a = (a - c) ^ rot(c, 16)
	c += b
	b = (b - a) ^ rot(a, 19)
	a += c
	c = (c - b) ^ rot(b, 4)
	b += a
	return a, b, c
}
