package journalfile

import "testing"

// The answers are those of the authors: appendix A of the SipHash paper, and
// driver5 of lookup3.c.
func TestHashesGiveTheirAuthorsAnswers(t *testing.T) {
	var key ID128
	in := make([]byte, 15)
	for i := range key {
		key[i] = byte(i)
	}
	for i := range in {
		in[i] = byte(i)
	}
	if got := Hash(key, true, in); got != 0xa129ca6149be45e5 {
		t.Errorf("SipHash %#x", got)
	}
	for text, want := range map[string]uint64{
		"":                               0xdeadbeefdeadbeef,
		"Four score and seven years ago": 0x17770551ce7226e6,
	} {
		if got := Hash(key, false, []byte(text)); got != want {
			t.Errorf("lookup3 of %q: %#x, want %#x", text, got, want)
		}
	}
}

func TestHashesTakeEveryLength(t *testing.T) {
	in := make([]byte, 64)
	for _, keyed := range []bool{false, true} {
		seen := map[uint64]int{}
		for n := range in {
			h := Hash(ID128{1}, keyed, in[:n])
			if old, ok := seen[h]; ok {
				t.Errorf("keyed %t: %d and %d zeros have one hash", keyed, old, n)
			}
			seen[h] = n
		}
	}
}
