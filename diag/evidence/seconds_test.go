package evidence

import (
	"math"
	"testing"
	"time"
)

func TestSecondsNeverOverflow(t *testing.T) {
	for n, want := range map[int64]time.Duration{
		0: 0, 30: 30 * time.Second, -1: -time.Second, 9223372036: longest, 9223372037: longest, 18446744074: longest,
		math.MaxInt64: longest, math.MinInt64: -longest,
	} {
		if got := Seconds(n); got != want {
			t.Errorf("%d s: %s, want %s", n, got, want)
		}
	}
	if sum := Seconds(int64(math.MaxInt64)) * 20; sum < 0 {
		t.Error("twenty of the longest overflow")
	}
	if got := Seconds(int32(math.MinInt32)); got != -2147483648*time.Second && got != -longest {
		t.Errorf("%s", got)
	}
}
