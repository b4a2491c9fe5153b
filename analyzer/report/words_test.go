package report

import (
	"testing"
	"time"
)

func TestLasted(t *testing.T) {
	for d, want := range map[time.Duration]string{
		1499 * time.Millisecond:                     "1s",
		2*time.Minute + 33*time.Second:              "2m33s",
		90*time.Hour + 54*time.Minute + time.Second: "3d18h",
		24 * time.Hour:                              "1d",
		time.Hour:                                   "1h",
		time.Hour + 5*time.Second:                   "1h0m5s",
		10 * time.Minute:                            "10m",
		20 * time.Hour:                              "20h",
		0:                                           "0s",
		23*time.Hour + 59*time.Minute + 59*time.Second: "23h59m59s",
	} {
		if got := Lasted(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
