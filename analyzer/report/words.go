package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Count returns a number with its noun: "1 pod", "2 pods".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Listed joins words: "a", "a and b", "a, b and c".
func Listed(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// Lasted formats a duration to the second: "7s", "2m33s", "1h"; from one day on to the hour: "3d18h".
func Lasted(d time.Duration) string {
	const day = 24 * time.Hour
	text := d.Round(time.Second).String()
	if d >= day {
		text = fmt.Sprintf("%dd%dh", d/day, d%day/time.Hour)
	}
	for _, none := range []string{"m0s", "h0m", "d0h"} { // a second unit that is zero
		if strings.HasSuffix(text, none) {
			text = text[:len(text)-len(none)+1]
		}
	}
	return text
}
