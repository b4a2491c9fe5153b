package hash

import (
	"hash/adler32"
	"strings"
	"testing"
)

func TestAdlerIsTheSumOfTheWholeText(t *testing.T) {
	long := strings.Repeat("\xff", 5552)
	for _, parts := range [][]string{{}, {""}, {"a"}, {"(api.Container)", "{Name:(string)", "web"}, {long}, {long +
		"x", "y"},
		{strings.Repeat(long, 5), long}} {
		sum := adlerStart
		for _, p := range parts {
			sum = sum.and(p)
		}
		if want := adler32.Checksum([]byte(strings.Join(parts, ""))); uint32(sum) != want {
			t.Errorf("%d parts: %08x, want %08x", len(parts), sum, want)
		}
	}
}
