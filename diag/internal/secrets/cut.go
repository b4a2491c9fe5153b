package secrets

import (
	"slices"
	"strings"
	"unicode"
)

// ofImages are schemes before the names of images and containers: what follows a colon is a tag, or a sentence.
var ofImages = []string{"docker", "docker-pullable", "containerd", "cri-o", "oci", "rkt", "podman"}

// withoutCut takes out the password of a URL that was cut off before its at sign, at the end of the text: behind a host
// there would be a port, or a placeholder for one.
func withoutCut(s string) string {
	at := strings.LastIndex(s, "://")
	if at < 0 {
		return s
	}
	user, password, ok := strings.Cut(s[at+len("://"):], ":")
	const never = " \t\n\"'<>[]{}$/@\\"
	if !ok || strings.ContainsAny(user, never) || strings.ContainsAny(password, never) {
		return s
	}
	whole := strings.TrimRight(password, ".…")
	before := s[:at]
	begin := strings.LastIndexFunc(before, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+.-", r)
	})
	if len(whole) < shortest || strings.Trim(whole, "0123456789") == "" ||
		slices.Contains(ofImages, strings.ToLower(before[begin+1:])) {
		return s
	}
	return s[:len(s)-len(password)] + Mark + password[len(whole):]
}
