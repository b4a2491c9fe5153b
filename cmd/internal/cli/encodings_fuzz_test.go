package cli

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// spoiled does to a file what its way to us may have done, or someone who can write into it.
var spoiled = []func(r *rand.Rand, s string) string{
	func(r *rand.Rand, s string) string { return s[:r.IntN(len(s)+1)] }, // cut off
	func(r *rand.Rand, s string) string { return s[r.IntN(len(s)+1):] }, // its head is missing
	func(r *rand.Rand, s string) string { // a piece of it is missing
		from := r.IntN(len(s) + 1)
		return s[:from] + s[from+r.IntN(len(s)-from+1):]
	},
	func(_ *rand.Rand, s string) string { return s + s }, // exported twice
	func(r *rand.Rand, s string) string { // lines out of order
		lines := strings.SplitAfter(s, "\n")
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		return strings.Join(lines, "")
	},
	func(r *rand.Rand, s string) string { // bytes that are no text
		b := []byte(s)
		for range 20 {
			b[r.IntN(len(b))] = byte(r.IntN(256))
		}
		return string(b)
	},
	func(r *rand.Rand, s string) string { // a line that does not end, and deep nesting
		at := r.IntN(len(s) + 1)
		return s[:at] + strings.Repeat("[{\"a\":", 3000) + strings.Repeat("x", 1<<20) + s[at:]
	},
}

// otherBytes is the one of spoiled that makes other ids of ids, and so other ends of ends.
const otherBytes = 5

// Whatever happened to a log of any encoding: it is refused aloud or read, no end appears that was not there, and
// nothing becomes proven that was not.
func FuzzSpoiledEncodings(f *testing.F) {
	if testing.Short() {
		f.Skip("one goroutine reads them")
	}
	all := encodings()
	for i := 0; i < len(all); i += 3 { // a sample
		f.Add(uint8(i), uint8(i%len(spoiled)), uint64(i))
	}
	var lines []line
	var whole map[string]int
	f.Fuzz(func(t *testing.T, encoding, way uint8, seed uint64) {
		if lines == nil {
			lines = wrapped(t)
			whole = analysed(t, each(plainKlog)(lines), "-").anywhere()
		}
		e, how := all[int(encoding)%len(all)], int(way)%len(spoiled)
		text := spoiled[how](rand.New(rand.NewPCG(seed, 1)), e.render(lines))
		env, out, errOut := testEnv()
		env.Streams.In = strings.NewReader(text)
		if Run(t.Context(), env, []string{"kubectl-restartwhy", "analyze", "-o", "json", "-"}) != 0 {
			if !strings.Contains(errOut.String(), "error: ") {
				t.Fatalf("%s: it failed without a word: %s", e.name, errOut)
			}
			return
		}
		var r struct {
			Items []struct {
				Pod     string
				Verdict struct{ Cause, Confidence string }
			}
		}
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		ends, causes := 0, map[string]bool{}
		for what, n := range whole {
			_, cause, _ := strings.Cut(what, " ")
			ends, causes[cause] = ends+n, true
		}
		if how != otherBytes && len(r.Items) > ends {
			t.Errorf("%s: %d ends, the whole log has %d", e.name, len(r.Items), ends)
		}
		for _, it := range r.Items {
			if it.Verdict.Confidence == "proven" && (e.stored || !causes[it.Verdict.Cause]) {
				t.Errorf("%s: %s of %s is proven", e.name, it.Verdict.Cause, it.Pod)
			}
		}
	})
}
