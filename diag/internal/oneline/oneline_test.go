package oneline

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestALineIsKeptUpToItsLimit(t *testing.T) {
	const buffer, limit = 16, 40
	for name, tt := range map[string]struct {
		text, want string
		cut        bool
		err        error
	}{
		"a line":                   {"one\ntwo\n", "one", false, nil},
		"its end may have two":     {"one\r\ntwo\n", "one", false, nil},
		"an empty line":            {"\ntwo\n", "", false, nil},
		"longer than the buffer":   {strings.Repeat("a", 39) + "\ntwo", strings.Repeat("a", 39), false, nil},
		"longer than the limit":    {strings.Repeat("a", 99) + "\ntwo", strings.Repeat("a", limit), true, nil},
		"without an end":           {"one", "one", false, io.EOF},
		"too long, without an end": {strings.Repeat("a", 99), strings.Repeat("a", limit), true, io.EOF},
		"nothing":                  {"", "", false, io.EOF},
	} {
		br := bufio.NewReaderSize(strings.NewReader(tt.text), buffer)
		line, cut, err := Read(br, limit)
		if string(line) != tt.want || cut != tt.cut || !errors.Is(err, tt.err) {
			t.Errorf("%s: %q, cut %t, %v", name, line, cut, err)
		}
		if rest, _, _ := Read(br, limit); err == nil && string(rest) != "two" {
			t.Errorf("%s: the next line is %q", name, rest)
		}
	}
}
