package secrets

import (
	"maps"
	"strings"
)

// Cleaner removes the secrets from a log that arrives line by line. A secret that spans several lines is removed from
// all of them, even if lines of other writers are in between. The zero value is ready to use.
type Cleaner struct {
	by    map[string]open
	count int // lines so far
	// crowded is the line at which more than maxWriters had left a secret open, 0 for never.
	crowded int
}

// open is what a writer's last line left open.
type open struct {
	begin string // text that reopens it
	lines int    // how many lines it has by now
	at    int    // Cleaner.count at the last of them
}

const (
	// maxWriters limits how many writers are remembered.
	maxWriters = 256
	// maxLines is how many lines a secret may have before the rest counts as another text, and after how many lines of
	// others a writer that left one open counts as gone.
	maxLines = 5000
)

// Line returns a line of a writer (a process id, a name, or "") without secrets. It remains one line. The beginning of
// a new message ends whatever was open.
func (s *Cleaner) Line(writer, line string) string {
	s.count++
	w, within := s.by[writer]
	switch {
	case within && !begins(line):
		whole, begin := clear(w.begin+"\n"+line, true)
		s.keep(writer, open{begin, w.lines + 1, s.count})
		return whole[strings.LastIndexByte(whole, '\n')+1:] // what reopens it may be of several lines
	case !within && s.crowded > 0 && s.count-s.crowded <= maxLines && !begins(line):
		return Mark // it may go on with a secret of a writer that was not remembered
	}
	out, begin := clear(line, true)
	s.keep(writer, open{begin, 0, s.count})
	return out
}

// keep remembers what a writer's last line left open.
func (s *Cleaner) keep(writer string, w open) {
	if w.begin == "" || w.lines > maxLines {
		delete(s.by, writer)
		return
	}
	if len(s.by) >= maxWriters {
		maps.DeleteFunc(s.by, func(_ string, w open) bool { return s.count-w.at > maxLines })
	}
	if _, known := s.by[writer]; !known && len(s.by) >= maxWriters {
		s.crowded = s.count
		return
	}
	if s.by == nil {
		s.by = map[string]open{}
	}
	s.by[writer] = w
}

// begins reports whether a line is the first one of a message: klog's header, logrus' time, JSON.
func begins(line string) bool {
	if strings.HasPrefix(line, `time="`) || strings.HasPrefix(line, `{"ts":`) || strings.HasPrefix(line, `{"level":`) {
		return true
	}
	if len(line) < 14 || strings.IndexByte("IWEF", line[0]) < 0 || line[5] != ' ' || line[8] != ':' || line[11] != ':' {
		return false
	}
	for _, i := range [...]int{1, 2, 3, 4, 6, 7, 9, 10, 12, 13} {
		if line[i] < '0' || line[i] > '9' {
			return false
		}
	}
	return true
}
