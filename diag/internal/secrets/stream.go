package secrets

import "strings"

// Cleaner removes the secrets from a log that arrives line by line. A secret that spans several lines is removed from
// all of them, even if lines of other writers are in between. The zero value is ready to use.
type Cleaner struct {
	by map[string]*open
}

// open is what a writer's last line left open.
type open struct {
	begin string // text that reopens it; "" for nothing
	lines int
}

const (
	// maxWriters limits how many writers are remembered.
	maxWriters = 256
	// maxLines is how many lines a secret may have before the rest counts as another text.
	maxLines = 5000
)

// Line returns a line of a writer (a process id, a name, or "") without secrets. It remains one line. The beginning of
// a new message ends whatever was open.
func (s *Cleaner) Line(writer, line string) string {
	w := s.by[writer]
	if w == nil || w.begin == "" || begins(line) {
		out, begin := clear(line, true)
		s.keep(writer, w, begin)
		return out
	}
	whole, begin := clear(w.begin+"\n"+line, true)
	_, out, _ := strings.Cut(whole, "\n")
	if w.lines++; w.lines > maxLines {
		begin = ""
	}
	w.begin = begin
	return out
}

func (s *Cleaner) keep(writer string, w *open, begin string) {
	switch {
	case begin == "" && w == nil:
		return
	case w != nil:
		w.begin, w.lines = begin, 0
		return
	case s.by == nil || len(s.by) >= maxWriters:
		s.by = map[string]*open{}
	}
	s.by[writer] = &open{begin: begin}
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
