package report

import (
	"fmt"
	"time"
)

// Lasted says how long something took, to the second: "7s", "2m33s", and from a day on to the hour: "3d18h".
func Lasted(d time.Duration) string {
	const day = 24 * time.Hour
	if d < day {
		return d.Round(time.Second).String()
	}
	return fmt.Sprintf("%dd%dh", d/day, d%day/time.Hour)
}
