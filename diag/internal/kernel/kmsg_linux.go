//go:build linux

package kernel

import (
	"context"
	"errors"
	"io"
	"time"

	"golang.org/x/sys/unix"
)

// readKmsg copies the records of a kmsg device. Each read yields one record. EAGAIN means the end; EPIPE means that
// records were overwritten meanwhile, and the next read continues after them.
func readKmsg(ctx context.Context, path string, budget int, out io.Writer) error {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return records(ctx, func(b []byte) (int, error) {
		for {
			n, err := unix.Read(fd, b)
			switch {
			case errors.Is(err, unix.EPIPE), errors.Is(err, unix.EINTR):
				if ctx.Err() != nil {
					return 0, ctx.Err()
				}
				continue
			case errors.Is(err, unix.EAGAIN):
				return 0, io.EOF
			}
			return n, err
		}
	}, budget, out)
}

// uptime returns the time since boot on the clock of the kernel's log, which does not count suspension.
func uptime() (time.Duration, error) {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		return 0, err
	}
	return time.Duration(t.Nano()), nil
}
