// Package quantity rejects objects whose quantities would keep apimachinery's parser busy for minutes, before they are
// decoded. It knows the fields of pods and nodes that hold quantities, imports only the standard library, and decodes
// nothing.
package quantity

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// ErrDigits means a number that ParseQuantity would write out in full, such as "1e-99999999" (k8s.io/apimachinery
// pkg/api/resource quantity.go).
var ErrDigits = errors.New("a quantity has too many digits")

// quantityFields are the names of all fields of pods and nodes that hold quantities or maps of them.
var quantityFields = []string{
	"limits", "requests", "overhead", "allocatedResources", "allocatable",
	"capacity", "sizeLimit", "divisor", "storage", "quantity", "resources",
}

const (
	maxExponent = 2   // digits of an exponent
	maxDigits   = 100 // digits of a number
)

// Check looks for ErrDigits in a JSON object before it is decoded. Most objects contain nothing that looks like a huge
// number and cost one pass over the bytes. In the others only the fields that hold quantities matter, because the short
// hash of a commit in a label can look like one, too.
func Check(raw []byte) error {
	if !mayBeHuge(raw) {
		return nil
	}
	type level struct {
		object, value bool // value: the next token is a value, not a key
		quantity      bool // below a field that holds quantities
	}
	var open []level
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	below := false // whether the next value is below such a field
	for {
		token, err := d.Token()
		if err != nil {
			return nil // the decoder of the object will report what is wrong with it
		}
		delim, _ := token.(json.Delim)
		if delim == '}' || delim == ']' {
			open = open[:len(open)-1]
			continue
		}
		if n := len(open); n > 0 {
			top := &open[n-1]
			if top.object && !top.value {
				key, _ := token.(string)
				top.value, below = true, top.quantity || holdsQuantities(key)
				continue
			}
			if !top.object {
				below = top.quantity
			}
			top.value = false
		}
		switch v := token.(type) {
		case json.Delim:
			open = append(open, level{object: v == '{', quantity: below})
		case string:
			if below && hugeNumber([]byte(v)) {
				return ErrDigits
			}
		case json.Number:
			if below && hugeNumber([]byte(v)) {
				return ErrDigits
			}
		}
	}
}

// holdsQuantities compares as encoding/json does, ignoring case.
func holdsQuantities(field string) bool {
	for _, f := range quantityFields {
		if strings.EqualFold(f, field) {
			return true
		}
	}
	return false
}

// mayBeHuge reports whether any value of a JSON object may be a huge number: it begins with a number, maybe after a
// sign and blanks. The ids of containers and images, which every status has, begin with letters.
func mayBeHuge(raw []byte) bool {
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c >= '0' && c <= '9' || c == '.':
			n := 1
			for i+n < len(raw) && (raw[i+n] >= '0' && raw[i+n] <= '9' || raw[i+n] == '.') {
				n++
			}
			if (n > maxDigits || i+n < len(raw) && raw[i+n]|0x20 == 'e' && longExponent(raw[i+n+1:])) && begins(raw[:i]) {
				return true
			}
			i += n
		case c == '\\' && i+5 < len(raw) && raw[i+1] == 'u' && numeric(raw[i+2:i+6]):
			return true // digits written as escapes need a closer look
		default:
			i++
		}
	}
	return false
}

// begins reports whether a number after these bytes may begin a value. After a letter or a slash it may not, unless
// that is part of an escape: "\n1e9", "\u00a01e9".
func begins(before []byte) bool {
	n := len(before)
	if n == 0 {
		return true
	}
	c := before[n-1]
	return !(c == '/' || c|0x20 >= 'a' && c|0x20 <= 'z') || bytes.IndexByte(before[max(0, n-6):], '\\') >= 0
}

// numeric reports whether an escape is a character of a number.
func numeric(hex []byte) bool {
	switch strings.ToLower(string(hex)) {
	case "002b", "002d", "002e", "0045", "0065":
		return true
	}
	return string(hex[:3]) == "003" && hex[3] <= '9'
}

// hugeNumber reports whether b contains a number with a long exponent or very many digits.
func hugeNumber(b []byte) bool {
	run := 0 // digits so far
	for i, c := range b {
		switch {
		case c >= '0' && c <= '9' || c == '.':
			if run++; run > maxDigits {
				return true
			}
		case (c == 'e' || c == 'E') && run > 0 && longExponent(b[i+1:]):
			return true
		default:
			run = 0
		}
	}
	return false
}

func longExponent(b []byte) bool {
	if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
		b = b[1:]
	}
	n := 0
	for n < len(b) && b[n] >= '0' && b[n] <= '9' {
		n++
	}
	return n > maxExponent
}
