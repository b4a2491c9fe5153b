package evidence

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync/atomic"
)

// Meter measures the progress of reading the evidence. It is safe to query during the reading.
type Meter struct {
	total, bytes, lines, ends atomic.Int64

	until context.Context
}

// Until ends the reading with ctx: what was read by then counts, and each log that was not read to its end reports
// that.
func (m *Meter) Until(ctx context.Context) { m.until = ctx }

// Progress is how far the reading has come: bytes read, bytes in total, lines, and ends of containers found.
type Progress struct{ Bytes, Total, Lines, Ends int64 }

// Progress returns the progress so far. A nil meter returns zeros.
func (m *Meter) Progress() Progress {
	if m == nil {
		return Progress{}
	}
	return Progress{Bytes: m.bytes.Load(), Total: m.total.Load(), Lines: m.lines.Load(), Ends: m.ends.Load()}
}

// Watch lets a meter count what pieces read and observe. total is the number of bytes in all.
func (b *Builder) Watch(m *Meter, total int64) {
	m.total.Store(total)
	b.meter = m
}

// Metered counts a log while it is read.
func (b *Builder) Metered(r io.Reader) io.Reader { return metered{r, b.meter} }

type metered struct {
	r io.Reader
	m *Meter
}

// Read implements io.Reader.
func (c metered) Read(p []byte) (int, error) {
	if ctx := c.m.until; ctx != nil && ctx.Err() != nil {
		return 0, fmt.Errorf("interrupted: %w", ctx.Err())
	}
	n, err := c.r.Read(p)
	c.m.bytes.Add(int64(n))
	c.m.lines.Add(int64(bytes.Count(p[:n], []byte{'\n'})))
	return n, err
}

const (
	// settled is how many bytes of the evidence are enough to estimate the density of observations.
	settled = 32 << 20
	// ahead is the most that is read but not observed yet.
	ahead = 8 << 20
)

// grow makes room for more observations, on the estimate that the rest of the evidence is like what was read. A slice
// that only doubles briefly needs three times its size.
func (b *Builder) grow() {
	b.wait()
	n := int64(len(b.snap.Observations))
	p := b.meter.Progress()
	room := n + n/4 + 1024
	if p.Bytes > settled && p.Total > p.Bytes {
		room = max(n+n/64+1024, n*p.Total/(p.Bytes-ahead)*33/32)
	}
	more := make([]Observation, n, min(room, most))
	copy(more, b.snap.Observations)
	b.snap.Observations = more
}
