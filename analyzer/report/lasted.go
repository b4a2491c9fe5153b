package report

import (
	"fmt"
	"strings"
	"time"
)

// Lasted says how long something took, to the second: "7s", "2m33s", "1h", and from a day on to the hour: "3d18h".
func Lasted(d time.Duration) string {
	const day = 24 * time.Hour
	text := d.Round(time.Second).String()
	if d >= day {
		text = fmt.Sprintf("%dd%dh", d/day, d%day/time.Hour)
	}
	for _, none := range []string{"m0s", "h0m", "d0h"} { // a unit behind another, of which there is nothing
		if strings.HasSuffix(text, none) {
			text = text[:len(text)-len(none)+1]
		}
	}
	return text
}
