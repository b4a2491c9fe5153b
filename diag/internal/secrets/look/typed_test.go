package look

import (
	"math/rand/v2"
	"testing"
)

// What is not tried would not have matched.
func TestWhatCanBeNoTypeIsNotTried(t *testing.T) {
	parts := []string{"a", "N", "b", "string", "String", "new ", "chr ", "Just ", " ", " = ", "=", "(", "{", "<<", `"`,
		"'", `\`,
		"-", ".", ":", "*", "14", ")", "value", "sql.Null", "\n", "é", "exactly16letters", "exactly16letters"}
	r := rand.New(rand.NewPCG(1, 2))
	tried := 0
	for range 200_000 {
		s := []string{"a", "N", "b", "string", "String", "new ", "chr ", "Just ", "value",
			"exactly16letters"}[r.IntN(10)]
		for range r.IntN(6) {
			s += parts[r.IntN(len(parts))]
		}
		may, does := mayBeTyped(s), typed.FindString(s) != ""
		if does && !may {
			t.Fatalf("%q has a type in front", s)
		}
		if may {
			tried++
		}
	}
	if tried == 0 || tried > 150_000 {
		t.Errorf("%d of 200000 are tried", tried)
	}
}
