package safetext

// Shorten cuts a text to a number of characters, the last of which marks the cut.
func Shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n, last := 0, 0
	for i := range s {
		if n == most-1 {
			last = i
		}
		if n++; n > most {
			return s[:last] + "…"
		}
	}
	return s
}
