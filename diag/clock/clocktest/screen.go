package clocktest

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// Screen is what a program has written, for one who waits for a part of it. It is ready to use.
type Screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *Screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *Screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// Await waits for a text.
func (s *Screen) Await(t testing.TB, text string) {
	t.Helper()
	s.AwaitFrom(t, 0, text)
}

// AwaitFrom waits for a text behind so many bytes.
func (s *Screen) AwaitFrom(t testing.TB, from int, text string) {
	t.Helper()
	Await(t, func() bool { return strings.Contains(s.String()[from:], text) }, func() string {
		return fmt.Sprintf("%q does not come; there is %q", text, s.String()[from:])
	})
}
