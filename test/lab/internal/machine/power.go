package machine

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"
)

// Down is a way in which a machine goes down.
type Down string

// The ways down.
const (
	// Shutdown requests it from logind, so that a kubelet may end its pods first.
	Shutdown Down = "shutdown"
	// Reboot starts systemd's own reboot, without logind's delays.
	Reboot Down = "reboot"
	// PowerCut cuts the power without any warning.
	PowerCut Down = "power cut"
)

// Cycle takes an emulated machine down and returns when it answers in its next boot. console is the file for the
// machine's console output.
func (m *Machine) Cycle(ctx context.Context, how Down, console string) error {
	if m.Kind != Emulated {
		return fmt.Errorf("%s of node %s: it has no power of its own", how, m.Name)
	}
	if err := (emulated{m}).cycle(ctx, how, console); err != nil {
		return fmt.Errorf("%s of node %s: %w", how, m.Name, err)
	}
	return nil
}

func (m emulated) cycle(ctx context.Context, how Down, console string) error {
	before, err := m.bootID(ctx)
	if err != nil {
		return err
	}
	switch how {
	case Shutdown:
		// The connection may end before the command does.
		_, _ = m.Run(ctx, "systemctl", "--no-block", "poweroff")
	case Reboot:
		_, _ = m.Run(ctx, "systemctl", "--no-block", "start", "reboot.target", "--job-mode=replace-irreversibly")
		return m.answers(ctx, before)
	case PowerCut:
		if err := m.end(ctx, "qemu-", syscall.SIGKILL); err != nil {
			return err
		}
	}
	for deadline := time.Now().Add(downLimit); m.runs("qemu-"); {
		if time.Now().After(deadline) {
			return errors.New("it does not go down")
		}
		if err := Pause(ctx, 500*time.Millisecond); err != nil {
			return err
		}
	}
	return m.powerOn(ctx, console, before)
}
