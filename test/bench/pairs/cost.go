package pairs

import (
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// Cost is what one run of a program cost.
type Cost struct {
	Wall, Processor time.Duration
	Peak            int64 // maximum resident memory in bytes
}

// Of runs a program to its end.
func Of(cmd *exec.Cmd) (c Cost, err error) {
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return c, fmt.Errorf("run %s: %w", cmd.Path, err)
	}
	c.Wall, c.Processor = time.Since(start), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.Peak = int64(usage.Maxrss) << 10 //nolint:unconvert // Linux counts KiB; 32 bits wide on arm
	}
	return c, nil
}

// Keep updates c with the least time and the highest peak of several runs.
func (c *Cost) Keep(run Cost) {
	if c.Wall == 0 {
		*c = run
		return
	}
	c.Wall, c.Processor, c.Peak = min(c.Wall, run.Wall), min(c.Processor, run.Processor), max(c.Peak, run.Peak)
}
