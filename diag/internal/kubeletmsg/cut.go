package kubeletmsg

import (
	"cmp"
	"regexp"
	"strings"
)

// sayings are what messages end with, or have to their first detail, that say why a container or a pod ends.
var sayings = []string{" failed liveness probe, will be restarted", " failed startup probe, will be restarted",
	" definition changed, will be restarted", "Pod sandbox changed, it will be killed and re-created.",
	" low on resource: memory", " low on resource: ephemeral-storage", " low on resource: inodes"}

// beforeSaid matches what is before one in a message, and its first letter.
var beforeSaid = regexp.MustCompile(`^(?:Container \S+ |(?:Pod )?[Tt]he node was |P)$`)

// leastSaid is how much of a saying a message must have: the beginnings of two may be the same.
const leastSaid = 8

// Completed returns a message that a terminal or a person cut off within one of these, with the rest of it; false for
// any other.
func Completed(message string) (string, bool) {
	cut, whole := strings.TrimRight(message, " .…>"), ""
	for _, s := range sayings {
		for n := len(s) - 1; n >= leastSaid; n-- {
			if before, ok := strings.CutSuffix(cut, s[:n]); ok && beforeSaid.MatchString(before+s[:1]) {
				if whole != "" {
					return message, false
				}
				whole = cut + s[n:]
				break
			}
		}
	}
	return cmp.Or(whole, message), whole != ""
}
