package machine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// The accelerators of qemu.
const (
	hardware = "kvm"
	software = "tcg,thread=multi"
)

// firstWords is how long a kernel under KVM may take to print anything: it takes less than a second.
const firstWords = 15 * time.Second

// pvm is there where the host's KVM has no hardware behind it (github.com/virt-pvm/linux). It runs kernels made for it
// alone: of any other each instruction is interpreted, some two hundred times slower than by qemu itself.
const pvm = "/sys/module/kvm_pvm"

// accelerator returns KVM if the machine's kernel runs under it, or else software emulation. On some hosts that are
// virtual machines themselves, KVM opens, creates a virtual machine and runs a boot sector, and yet no kernel boots: it
// is not enough that it opens. The result is kept for the run of the lab.
func (m emulated) accelerator(ctx context.Context) (string, error) {
	kept := filepath.Join(filepath.Dir(m.Root), "accelerator")
	raw, err := os.ReadFile(kept)
	if err == nil {
		return string(raw), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	found := software
	_, noKVM := os.Stat("/dev/kvm")
	_, noPVM := os.Stat(pvm)
	if noKVM == nil && noPVM != nil && m.speaks(ctx) {
		found = hardware
	}
	if err := os.WriteFile(kept, []byte(found), 0o600); err != nil {
		return "", fmt.Errorf("try accelerator: %w", err)
	}
	return found, nil
}

// speaks reports whether the kernel prints its first lines under KVM.
func (m emulated) speaks(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, firstWords)
	defer cancel()
	console := m.beside("try")
	defer os.Remove(console)
	cmd := exec.CommandContext(ctx, "qemu-system-x86_64", "-machine", "q35", "-accel", hardware, "-m", "512",
		"-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
		"-kernel", m.beside("vmlinuz"), "-append", "console=ttyS0 panic=-1",
		"-serial", "file:"+console)
	if cmd.Start() != nil {
		return false
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // what it printed before counts
		close(ended)
	}()
	said := func() bool {
		text, err := os.ReadFile(console)
		return err == nil && bytes.Contains(text, []byte("Linux version"))
	}
	for {
		select {
		case <-ended: // even because of its time limit
			return said()
		case <-time.After(200 * time.Millisecond):
			if said() {
				cancel()
				<-ended
				return true
			}
		}
	}
}
