package evidence

import (
	"bytes"
	"io"
	"time"
)

// RawEvidence is what one source collected from one place. A bundle stores its
// Files; Observe reads it into facts. Observe never fails: what it cannot read
// becomes a gap.
type RawEvidence interface {
	Files() []File
	Observe(b *Builder)
}

// File is one raw file of a bundle. Path is relative, slash-separated and local:
// "cluster/pods.json", "nodes/n1/journal/kubelet.export". What Open returns is
// often an io.ReaderAt too: readers that need to jump ask for it.
type File struct {
	Path string
	Size int64
	Open func() (io.ReadCloser, error)
}

// Bytes makes a File of bytes in memory.
func Bytes(path string, data []byte) File {
	return File{Path: path, Size: int64(len(data)), Open: func() (io.ReadCloser, error) {
		return inMemory{bytes.NewReader(data)}, nil
	}}
}

// inMemory has nothing to close, and can be read anywhere.
type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

// Entry is one entry of a log of any envelope: a line with what the envelope
// knows about it. It is raw text; nothing in it is safe to show yet.
type Entry struct {
	Time time.Time // zero when the envelope gives none
	Host string
	// Unit is the systemd unit or syslog identifier that the line is from
	// ("kubelet.service", "containerd.service", "kernel"), "" when unknown.
	Unit string
	// About is the unit that a line of systemd itself speaks of (field UNIT).
	About string
	PID   int
	// Kernel is true for kernel messages.
	Kernel bool
	BootID string
	// Machine is the machine that wrote it (redact.Machine), "" when unknown.
	Machine string
	// Sent is when its writer handed it over, by the kernel; zero when unknown. Time is when the log took it.
	Sent time.Time
	// Mono is the time since the boot at which the log took it, by a clock that is never set; 0 when unknown.
	Mono time.Duration
	// Seq is its place in the log of this SeqID; 0 when unknown.
	Seq   uint64
	SeqID string
	// Writer is how its writer is known.
	Writer Voucher
	// ClockSet: systemd tells that someone set the machine's clock.
	ClockSet bool
	// Inside: it came before another message of its writer had ended.
	Inside bool
	// Continues: the log cut a message of its writer in two, and this is a later part.
	Continues bool
	// Rebooted: the envelope says that the machine booted right before this entry.
	Rebooted bool
	Message  string
}
