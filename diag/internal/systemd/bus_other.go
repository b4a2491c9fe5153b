//go:build !linux

package systemd

import (
	"context"
	"fmt"
	"runtime"
)

func dial(context.Context, string) (Bus, error) {
	return nil, fmt.Errorf("there is none on %s", runtime.GOOS)
}
