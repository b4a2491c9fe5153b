package logfiles

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/runtimelog"
)

// stamps finds the times of a file's lines. klog's headers have neither year nor zone: the zone is the node's, and the
// year is the last one in which that day had come when the file was written.
type stamps struct {
	zone    *time.Location
	written time.Time // the file's modification time
	last    time.Time
}

// of returns the time of a line, or of the line before if it has none: a stack trace, a value over several lines. It
// returns false before the first time.
func (s *stamps) of(line []byte) (time.Time, bool) {
	if at, ok := s.klog(line); ok {
		s.last = at
	} else if at, ok := runtimelog.Time(string(line[:min(len(line), 64)])); ok {
		s.last = at
	}
	return s.last, !s.last.IsZero()
}

// klog reads "I1121 07:00:05.100000 …".
func (s *stamps) klog(line []byte) (time.Time, bool) {
	const layout = "0102 15:04:05.000000"
	if len(line) < 1+len(layout) {
		return time.Time{}, false
	}
	switch line[0] {
	case 'I', 'W', 'E', 'F':
	default:
		return time.Time{}, false
	}
	at := klogline.Yearless(layout, string(line[1:1+len(layout)]), s.written.Add(time.Minute-24*time.Hour), s.zone)
	return at, !at.IsZero()
}
