package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Identify describes a running process so that it can be distinguished from a later one with the same id.
func Identify(name string, pid int) (Process, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return Process{}, fmt.Errorf("identify process %d: %w", pid, err)
	}
	ticks, _, err := parseStat(string(raw))
	if err != nil {
		return Process{}, fmt.Errorf("identify process %d: %w", pid, err)
	}
	return Process{Name: name, PID: pid, StartTicks: ticks}, nil
}

// parseStat returns start time and state of a /proc/<pid>/stat line. The name in parentheses may itself contain spaces
// and parentheses, so fields count from the last one.
func parseStat(line string) (startTicks uint64, state byte, err error) {
	_, after, ok := cutLast(line, ")")
	fields := strings.Fields(after)
	const startField = 22 - 3 // fields 1 and 2 are before the cut, and they count from 1
	if !ok || len(fields) <= startField {
		return 0, 0, errors.New("stat line is cut short")
	}
	ticks, err := strconv.ParseUint(fields[startField], 10, 64)
	if err != nil {
		return 0, 0, fmt.Errorf("read start time: %w", err)
	}
	return ticks, fields[0][0], nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// Alive reports whether this same process still runs. A zombie does not.
func (p Process) Alive() bool {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.PID))
	if err != nil {
		return false
	}
	ticks, state, err := parseStat(string(raw))
	return err == nil && ticks == p.StartTicks && state != 'Z'
}

// End sends each signal in turn and waits up to grace after each for the process to exit. A process that has already
// exited is no error.
func (p Process) End(ctx context.Context, grace time.Duration, signals ...syscall.Signal) error {
	for _, s := range signals {
		if !p.Alive() {
			return nil
		}
		if err := syscall.Kill(p.PID, s); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("signal %s (process %d): %w", p.Name, p.PID, err)
		}
		deadline := time.Now().Add(grace)
		for p.Alive() && time.Now().Before(deadline) && ctx.Err() == nil {
			time.Sleep(50 * time.Millisecond)
		}
	}
	if p.Alive() {
		return fmt.Errorf("end %s (process %d): still running after %v", p.Name, p.PID, signals)
	}
	return nil
}
