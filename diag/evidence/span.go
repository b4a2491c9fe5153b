package evidence

import "time"

// Span is a log that was read, from its first line to its last. It claims nothing: it may have holes or a guessed zone.
type Span struct {
	Source      SourceKind
	Node        string // "" if unknown
	From, Until time.Time
}

// Read records a log that was read.
func (b *Builder) Read(s Span) { b.snap.Read = append(b.snap.Read, s) }
