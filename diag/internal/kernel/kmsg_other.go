//go:build !linux

package kernel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// readKmsg fails: this system has no such kernel log.
func readKmsg(context.Context, string, int, io.Writer) error {
	return fmt.Errorf("this system has no such log: %w", errors.ErrUnsupported)
}

func uptime() (time.Duration, error) { return 0, nil }
