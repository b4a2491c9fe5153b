package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// progress shows which sources are being read, on one line that erases itself.
// It is silent unless a person watches.
type progress struct {
	w       io.Writer
	watched bool
	mu      sync.Mutex
	open    []string
}

// step says that the reading of a source begins or ends.
func (p *progress) step(source string, done bool) {
	if !p.watched {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.open, source); done && i >= 0 {
		p.open = slices.Delete(p.open, i, i+1)
	} else if !done {
		p.open = append(p.open, source)
	}
	fmt.Fprint(p.w, "\r\x1b[K")
	if len(p.open) > 0 {
		fmt.Fprintf(p.w, "reading %s …", strings.Join(p.open[:min(3, len(p.open))], ", "))
	}
}

// clear erases the line, before anything else is printed.
func (p *progress) clear() {
	if !p.watched {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = nil
	fmt.Fprint(p.w, "\r\x1b[K")
}

// note prints a line that stays, about an input that was read.
func (p *progress) note(text string) {
	if !p.watched {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.w, "\r\x1b[Kread %s\n", text)
}
