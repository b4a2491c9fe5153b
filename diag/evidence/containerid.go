package evidence

import "strings"

// WholeID is the number of digits in the id of a container or sandbox; people and some logs shorten it.
const WholeID = 64

// IsContainerID reports whether s is a hexadecimal id with at least so many digits.
func IsContainerID(s string, least int) bool {
	return len(s) >= least && len(s) <= WholeID && strings.Trim(s, "0123456789abcdef") == ""
}

// BareID drops the runtime's scheme from an id of the API: "containerd://ab" is "ab".
func BareID(id string) string {
	if _, bare, ok := strings.Cut(id, "://"); ok {
		return bare
	}
	return id
}
