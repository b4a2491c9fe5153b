package evidence

import (
	"bytes"
	"io"
	"time"
)

// RawEvidence is what one source collected from one place. A bundle stores its Files; Observe parses it into facts.
// Observe never fails: what it cannot read becomes a gap.
type RawEvidence interface {
	Files() []File
	Observe(b *Builder)
}

// File is one raw file of a bundle. Path is relative, slash-separated and local: "cluster/pods.json",
// "nodes/n1/journal/kubelet.export". What Open returns is often an io.ReaderAt too, for readers that need to seek.
type File struct {
	Path    string
	Size    int64
	Open    func() (io.ReadCloser, error)
	Changed time.Time // when it was last written, zero if unknown: ages in a table count from then
}

// Bytes makes a File from bytes in memory.
func Bytes(path string, data []byte) File {
	return File{Path: path, Size: int64(len(data)), Open: func() (io.ReadCloser, error) {
		return inMemory{bytes.NewReader(data)}, nil
	}}
}

// inMemory needs no Close, and offers ReadAt.
type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

// Entry is one log entry with what its envelope says about it. It is raw text: nothing in it is safe to show yet.
type Entry struct {
	Time time.Time // zero when the envelope has none
	Host string
	// Unit is the systemd unit or syslog identifier that the line is from
	// ("kubelet.service", "containerd.service", "kernel"), "" when unknown.
	Unit string
	// About is the unit that a line of systemd itself is about (field UNIT).
	About string
	PID   int
	// Kernel is true for kernel messages.
	Kernel bool
	BootID string
	// Machine is the machine that wrote it (redact.Machine), "" when unknown.
	Machine string
	// Sent is when its writer sent it, by the kernel; zero when unknown. Time is when the log received it.
	Sent time.Time
	// Mono is the time since the boot at which the log received it, by a clock that is never set; 0 when unknown.
	Mono time.Duration
	// Seq is its number in the log with this SeqID; 0 when unknown.
	Seq   uint64
	SeqID string
	// Writer is how its writer is known.
	Writer Voucher
	// ClockSet: systemd reports that the machine's clock was set.
	ClockSet bool
	// Inside: it came before another message of the same writer had ended.
	Inside bool
	// Continues: the log split a message, and this is a later part.
	Continues bool
	// Rebooted: the envelope says that the machine booted right before this entry.
	Rebooted bool
	Message  string
}
