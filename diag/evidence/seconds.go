package evidence

import "time"

// longest exceeds any duration that matters for a restart, and is small enough that several can be added without
// overflow.
const longest = 10 * 365 * 24 * time.Hour

// Seconds returns a number of seconds as a duration, clamped to ten years either way. Pod authors choose such numbers
// freely (terminationGracePeriodSeconds goes up to 2⁶³-1), and the multiplication would overflow.
func Seconds[N ~int | ~int32 | ~int64](n N) time.Duration {
	most := int64(longest / time.Second)
	return time.Duration(min(max(int64(n), -most), most)) * time.Second
}
