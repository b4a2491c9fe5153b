package textlog

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
)

// Dated is one file's evidence for the year in which a collection was made.
type Dated struct {
	// Whole is the newest date with a year in the file or its name, zero for none.
	Whole time.Time
	// Loose: the date may be older than the collection: an object may be as old as its pod.
	Loose bool
	// Bare: the lines of the file have no year.
	Bare bool
	// Zone is that of these lines, nil if none of them tells.
	Zone *time.Location
	last stamp // of the last such line
}

// tailBytes is how much of a file's end is inspected, and of its beginning.
const tailBytes = 64 << 10

// Dates looks for the year in a log. It ignores dates after until.
func Dates(f evidence.File, until time.Time) (d Dated) {
	head, tail := ends(f)
	if len(head) == 0 {
		return d
	}
	see := func(at time.Time) {
		if at.After(d.Whole) && !at.After(until) && at.Year() >= 2014 {
			d.Whole = at
		}
	}
	see(nameDate(f.Path))
	format := Sniff(head)
	switch format {
	case FormatKlog, FormatBare, FormatSyslog:
		if m := created.FindSubmatch(head); m != nil {
			if at, err := time.Parse("2006/01/02 15:04:05", string(m[1])); err == nil {
				see(at)
			}
		}
		if format == FormatBare { // the runtime's lines have a year
			_, _ = ReadText(bytes.NewReader(tail), FormatLogfmt, Times{}, func(e evidence.Entry) { see(e.Time) })
		}
		end, printed := journalEnd(head) // no line of it is later
		see(end)
		for _, part := range [][]byte{head, tail} {
			if a, ok := findAnchor(part); ok {
				if d.Zone = a.zone; !printed {
					see(a.at)
				}
			}
		}
		d.last, d.Bare = lastStamp(format, tail)
	case FormatMonotonic:
		if a, ok := findAnchor(head); ok {
			see(a.at)
		}
	case FormatExport, FormatRecords, FormatVerbose:
		for _, m := range realtime.FindAllSubmatch(tail, -1) {
			if us, err := strconv.ParseInt(string(m[1]), 10, 64); err == nil {
				see(time.UnixMicro(us).UTC())
			}
		}
	case FormatUnknown, FormatBinary, FormatKernel:
	default:
		_, _ = ReadText(bytes.NewReader(tail), format, Times{}, func(e evidence.Entry) { see(e.Time) }) // a line may be cut
	}
	return d
}

// created matches the head of a file that a daemon writes itself (klog klog_file.go createLogFile, glog).
var created = regexp.MustCompile(`(?m)^Log file created at: (\d{4}/\d\d/\d\d \d\d:\d\d:\d\d)\r?$`)

// realtime matches the time of a journal entry, in export format and as JSON.
var realtime = regexp.MustCompile(`__REALTIME_TIMESTAMP"?\s?[=:]\s?"?(\d{16})\b`)

// named matches a date in the name of a file: "messages-20231105", "sosreport-n1-2023-11-05-abcdefg".
var named = regexp.MustCompile(`(?:^|[^0-9])(20[1-9]\d)[-_.]?([01]\d)[-_.]?([0-3]\d)(?:[^0-9]|[T_-]\d|$)`)

func nameDate(name string) (newest time.Time) {
	for _, m := range named.FindAllStringSubmatch(name, -1) {
		if at, err := time.Parse("20060102", m[1]+m[2]+m[3]); err == nil && at.After(newest) {
			newest = at
		}
	}
	return newest
}

// NameDate is the date in the name of an input, zero for none.
func NameDate(name string) Dated { return Dated{Whole: nameDate(name)} }

// lastStamp is the time of the last line of a format without a year.
func lastStamp(f Format, tail []byte) (last stamp, ok bool) {
	for len(tail) > 0 && !ok {
		at := bytes.LastIndexByte(bytes.TrimRight(tail, "\r\n"), '\n') + 1
		var e Envelope
		if line := strings.TrimRight(string(tail[at:]), "\r\n"); cut(f, line, &e) {
			last, ok = e.at, true
		}
		tail = tail[:at]
	}
	return last, ok
}

// objectDate matches a date that the API server or a kubelet writes into an object. The first group are fields set at
// most minutes before the object was read.
var objectDate = regexp.MustCompile(
	`\b(?:(lastHeartbeatTime|lastTimestamp|eventTime)|creationTimestamp|startedAt|finishedAt|lastTransitionTime|startTime)"?:\s*"?(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ?)`)

// ObjectDates looks for the year in a file of objects. The times of events in what kubectl prints for people are
// counted back from the file's own time, so they say nothing about the year; only the API server gives a
// resourceVersion.
func ObjectDates(f evidence.File, until time.Time) Dated {
	var fresh, any time.Time
	head, tail := ends(f)
	served := bytes.Contains(head, []byte("resourceVersion")) || bytes.Contains(tail, []byte("resourceVersion"))
	for _, part := range [][]byte{head, tail} {
		for _, m := range objectDate.FindAllSubmatch(part, -1) {
			at, err := time.Parse("2006-01-02T15:04:05", strings.TrimSuffix(string(m[2]), "Z"))
			if err != nil || at.After(until) || at.Year() < 2014 || len(m[1]) > 0 && !served {
				continue
			}
			if at.After(any) {
				any = at
			}
			if len(m[1]) > 0 && at.After(fresh) {
				fresh = at
			}
		}
	}
	if fresh.IsZero() {
		return Dated{Whole: any, Loose: true}
	}
	return Dated{Whole: fresh}
}

// ends returns the first and last bytes of a file, as whole lines.
func ends(f evidence.File) (head, tail []byte) {
	r, err := f.Open()
	if err != nil {
		return nil, nil
	}
	defer func() { _ = r.Close() }() // read only
	head = make([]byte, headBytes)
	n, err := io.ReadFull(r, head)
	head = head[:n]
	if err != nil {
		return head, head // all of it
	}
	tail = make([]byte, tailBytes)
	at, ok := r.(io.ReaderAt)
	if !ok {
		return head, slide(r, tail)
	}
	n, err = at.ReadAt(tail, max(f.Size-tailBytes, 0))
	if err != nil && !errors.Is(err, io.EOF) {
		return head, head
	}
	return head, tail[bytes.IndexByte(tail[:n], '\n')+1 : n]
}

// maxSlide is how much is read to reach the end of a file without random access.
const maxSlide = 512 << 20

// slide reads to the end of a stream and returns the last lines.
func slide(r io.Reader, buf []byte) []byte {
	half, have := len(buf)/2, 0
	for read := 0; read < maxSlide; {
		n, err := io.ReadFull(r, buf[have:])
		have, read = have+n, read+n
		if err != nil {
			break
		}
		have = copy(buf, buf[half:])
	}
	return buf[bytes.IndexByte(buf[:have], '\n')+1 : have]
}

// Year is the result from all files of a collection for times without a year.
type Year struct {
	// Reference is a time at or right after the newest of those times.
	Reference time.Time
	// Files is how many files have such times.
	Files int
	// Guess says what the year is based on if no date is from the time of the collection, else "".
	Guess string
}

// alike is how far from a pod's dates a log of the same collection may end.
const alike = 45 * 24 * time.Hour

// copied is how far before its copy a log that was being written may end: one in six months ends near any date by
// chance.
const copied = 48 * time.Hour

// YearOf decides the year once for all files of a collection that existed at a time: all were written before it, and
// the last lines not half a year after the newest known date. The last line of a file is its newest, so a log may span
// the end of a year.
func YearOf(all []Dated, at time.Time) Year {
	y := Year{Reference: at, Guess: "nothing but the files' own times dates them"}
	var fresh, loose time.Time
	for _, d := range all {
		switch {
		case d.Loose && d.Whole.After(loose):
			loose = d.Whole
		case !d.Loose && d.Whole.After(fresh):
			fresh = d.Whole
		}
		if d.Bare {
			y.Files++
		}
	}
	switch {
	case fresh.After(at): // a file's own time may be lost in an archive
		y.Reference, y.Guess = fresh, ""
	case !fresh.IsZero():
		if until := fresh.Add(halfYear); until.Before(at) {
			y.Reference = until
		}
		y.Guess = ""
	case !loose.IsZero() && near(all, loose):
		if until := loose.Add(alike); until.Before(at) {
			y.Reference = until
		}
		y.Guess = ""
	case recent(all, at): // logs that were being written when they were copied
		y.Guess = ""
	}
	var last time.Time
	for _, d := range all {
		if !d.Bare {
			continue
		}
		if t := klogline.WithYear(d.last.month, d.last.day, d.last.clock, y.Reference, time.UTC); t.After(last) {
			last = t
		}
	}
	if !last.IsZero() {
		y.Reference = last
	}
	return y
}

// recent reports whether each log without years ends shortly before a time.
func recent(all []Dated, at time.Time) bool {
	return !slices.ContainsFunc(all, func(d Dated) bool {
		return d.Bare && at.Sub(klogline.WithYear(d.last.month, d.last.day, d.last.clock, at, time.UTC)) > copied
	})
}

// near reports whether a log without years ends around a date.
func near(all []Dated, at time.Time) bool {
	for _, d := range all {
		if !d.Bare {
			continue
		}
		t := klogline.WithYear(d.last.month, d.last.day, d.last.clock, at.Add(alike), time.UTC)
		if !t.IsZero() && at.Sub(t) <= alike {
			return true
		}
	}
	return false
}
