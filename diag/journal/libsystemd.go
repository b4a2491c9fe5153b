//go:build sdjournal && linux && cgo

package journal

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/coreos/go-systemd/v22/sdjournal"
)

// libsystemd is the way through libsystemd, which reads what the machine's own
// systemd can read. It takes cgo and libsystemd's headers to build, and the
// library to run: that is why it stands behind a tag.
func libsystemd(o *Options) way { return library{o} }

type library struct{ o *Options }

func (l library) record(ctx context.Context, kind string, r *recorder) (until time.Time, err error) {
	paths, _ := (&files{o: l.o}).paths() // what cannot be listed was said before
	if len(paths) == 0 {
		return time.Time{}, errNoFiles
	}
	until = l.o.Now().UTC().Round(0)
	j, err := sdjournal.NewJournalFromFiles(paths...)
	if err != nil {
		return time.Time{}, fmt.Errorf("open journal by libsystemd: %w", err)
	}
	defer func() { _ = j.Close() }() // read only
	if err := l.match(j, kind); err != nil {
		return time.Time{}, err
	}
	for n := 0; ; n++ {
		if err := ctx.Err(); err != nil {
			return time.Time{}, err
		}
		more, err := j.Next()
		if err != nil {
			return time.Time{}, fmt.Errorf("read journal by libsystemd: %w", err)
		}
		if more == 0 {
			return until, nil
		}
		e, err := j.GetEntry()
		if err != nil {
			r.hole(fmt.Sprintf("libsystemd cannot read an entry: %v", err))
			continue
		}
		r.begin()
		r.field([]byte("__REALTIME_TIMESTAMP"), strconv.AppendUint(nil, e.RealtimeTimestamp, 10))
		for _, name := range fields() {
			if value, ok := e.Fields[name]; ok {
				r.field([]byte(name), []byte(value[:min(len(value), maxField)]))
			}
		}
		r.close()
	}
}

// match selects the entries of a kind and goes to the beginning of the window.
func (l library) match(j *sdjournal.Journal, kind string) error {
	for _, g := range terms(l.o, kind) {
		for _, m := range g {
			if err := j.AddMatch(m.Field + "=" + m.Value); err != nil {
				return fmt.Errorf("match %s: %w", m.Field, err)
			}
		}
		if err := j.AddDisjunction(); err != nil {
			return err
		}
	}
	return j.SeekRealtimeUsec(uint64(max(0, l.o.Since.Unix())) * 1e6)
}
