package evidence

import "time"

// longest is more than anything about a restart takes, and so little that several of them
// can be added up.
const longest = 10 * 365 * 24 * time.Hour

// Seconds is a number of seconds as a duration, at most ten years either way. Who writes a
// pod chooses such numbers freely (terminationGracePeriodSeconds goes up to 2⁶³-1), and
// multiplied they would begin again at the other end.
func Seconds[N ~int | ~int32 | ~int64](n N) time.Duration {
	most := int64(longest / time.Second)
	return time.Duration(min(max(int64(n), -most), most)) * time.Second
}
