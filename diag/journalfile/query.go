package journalfile

import "time"

// Match is one condition: the entry has this field with exactly this value.
type Match struct{ Field, Value string }

// Query selects entries.
type Query struct {
	// Since is the time of the first entry, to the microsecond; zero for all. Within a file the times must increase,
	// which journald ensures.
	Since time.Time
	// Any are groups of conditions: an entry matches if it meets all conditions of one group. Without any group all
	// entries match.
	Any [][]Match
	// Fields are the names of the fields that are read; all if empty.
	Fields []string
	// OnHole is called, in the order of the entries, where wanted entries may be missing between the previous and the
	// next one. It may be nil.
	OnHole func(Hole)
}

// Hole is a place where the journal is incomplete.
type Hole struct {
	File string
	Why  string // what happened, for people
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
