package journalfile

import "time"

// Match is one condition: the entry has this field with exactly this value.
type Match struct{ Field, Value string }

// Query says which entries are wanted.
type Query struct {
	// Since and Until bound the time of the entries, both inclusive, to the
	// microsecond. Zero means no bound. Within a file the times must increase, as
	// journald sees to.
	Since, Until time.Time
	// Any are groups of conditions: an entry is wanted if it meets all conditions
	// of one group. Without any group all entries are.
	Any [][]Match
	// Fields are the names of the fields that are read; all if empty.
	Fields []string
	// After, if set, is the entry to read on behind.
	After *Cursor
	// OnHole is told, in the order of the entries, where entries may be missing
	// that the query wants: what comes next does not follow on what came before.
	// It may be nil.
	OnHole func(Hole)
}

// Hole is a place where the journal is incomplete.
type Hole struct {
	File string
	Why  string // what happened, for a person
}

// wants reports whether a field ("NAME=value") is to be read.
func (q *Query) wants(field []byte) bool {
	if len(q.Fields) == 0 {
		return true
	}
	for _, name := range q.Fields {
		if len(field) > len(name) && field[len(name)] == '=' && string(field[:len(name)]) == name {
			return true
		}
	}
	return false
}

// micros is a time in the journal's unit.
func micros(t time.Time) uint64 { return uint64(max(0, t.UnixMicro())) }
