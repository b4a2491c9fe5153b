package safetext

import "strings"

// Uncoloured takes the colours and moves of a terminal out of a line: ESC [ … letter.
func Uncoloured(s string) string {
	if strings.IndexByte(s, 0x1b) < 0 {
		return s
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "\x1b[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		end := 0
		for end < len(rest) && (rest[end] == ';' || rest[end] == '?' || rest[end] >= '0' && rest[end] <= '9') {
			end++
		}
		if end == len(rest) || end > 16 || rest[end] < '@' || rest[end] > '~' {
			b.WriteString("\x1b[") // not of a terminal: Clean shows it
			s = rest
			continue
		}
		s = rest[end+1:]
	}
}
