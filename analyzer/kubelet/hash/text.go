package hash

import (
	"encoding/json"
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

// goShortEscapesFrom and goShortEscapesAlwaysFrom bound the minors whose kubelets may write a backspace or form feed in
// JSON as \b and \f instead of \u0008 and \u000c: those built with Go 1.22 or newer. 1.30 was from its first patch on;
// 1.27, 1.28 and 1.29 changed over in 1.27.16, 1.28.12 and 1.29.7 (CHANGELOGs, "built with go").
const (
	goShortEscapesFrom       = 27
	goShortEscapesAlwaysFrom = 30
)

// goShortEscapesPatch is the patch with which a minor changed over.
var goShortEscapesPatch = map[int]int{27: 16, 28: 12, 29: 7}

// writesLongEscapes returns whether that kubelet was built with Go up to 1.21. A negative patch is the minor's last.
func writesLongEscapes(minor, patch int) bool {
	first, changed := goShortEscapesPatch[minor]
	if changed {
		return patch >= 0 && patch < first
	}
	return minor < goShortEscapesFrom
}

// jsonText returns the JSON that a kubelet of the JSON era makes of c: fields in the order of the Go struct, unset ones
// left out, "resources" always there, quantities in canonical form, <, > and & escaped. encoding/json over today's type
// gives just that, as no field was moved; the test vectors hold it to the types of every minor.
func jsonText(c *corev1.Container) ([]byte, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("encode container: %w", err)
	}
	return text, nil
}

// longEscapes returns text with \b and \f as kubelets built with Go up to 1.21 wrote them, and whether that changed it.
func longEscapes(text []byte) ([]byte, bool) {
	var long []byte
	copied := 0
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		replacement := ""
		switch text[i+1] {
		case 'b':
			replacement = `\u0008`
		case 'f':
			replacement = `\u000c`
		}
		if replacement != "" {
			long = append(append(long, text[copied:i]...), replacement...)
			copied = i + 2
		}
		i++ // the second byte of an escape starts none of its own
	}
	if copied == 0 {
		return text, false
	}
	return append(long, text[copied:]...), true
}

// nameImageText appends the JSON of a map with the keys image and name, which encoding/json sorts
// (kubelet v1.31 container/helpers.go pickFieldsToHash).
func nameImageText(buffer []byte, c *corev1.Container) []byte {
	buffer = append(buffer, `{"image":`...)
	buffer = appendString(buffer, c.Image)
	buffer = append(buffer, `,"name":`...)
	buffer = appendString(buffer, c.Name)
	return append(buffer, '}')
}

// appendString appends s as encoding/json writes it. Names and images hardly ever need an escape, so the plain case
// goes without an allocation.
func appendString(buffer []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			quoted, _ := json.Marshal(s) // a string always encodes
			return append(buffer, quoted...)
		}
	}
	buffer = append(buffer, '"')
	buffer = append(buffer, s...)
	return append(buffer, '"')
}

const (
	fnvOffset = 2166136261
	fnvPrime  = 16777619
)

// sumOfDump returns the FNV-1a 32-bit hash of what the spew library prints for the byte slice: "([]uint8)[123 34 …]".
// The kubelet hashes that print, not the bytes (pkg/util/hash/hash.go DeepHashObject). The print is never built.
func sumOfDump(text []byte) uint32 {
	sum := uint32(fnvOffset)
	for _, c := range []byte("([]uint8)[") {
		sum = (sum ^ uint32(c)) * fnvPrime
	}
	for i, b := range text {
		if i > 0 {
			sum = (sum ^ ' ') * fnvPrime
		}
		if b >= 100 {
			sum = (sum ^ uint32('0'+b/100)) * fnvPrime
		}
		if b >= 10 {
			sum = (sum ^ uint32('0'+b/10%10)) * fnvPrime
		}
		sum = (sum ^ uint32('0'+b%10)) * fnvPrime
	}
	return (sum ^ ']') * fnvPrime
}

// formatSum prints a sum as the kubelet stores it: lower-case hex without padding (kuberuntime/labels.go).
func formatSum(sum uint32) string { return strconv.FormatUint(uint64(sum), 16) }
