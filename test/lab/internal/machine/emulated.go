package machine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/ledger"
)

// emulated is a machine of qemu. It is reached over ssh, with the keys of this run.
type emulated struct{ *Machine }

// beside returns a file of the machine on the host, next to where its file system was.
func (m emulated) beside(suffix string) string { return m.Root + "." + suffix }

func (m emulated) command(ctx context.Context, args ...string) *exec.Cmd {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
	}
	return exec.CommandContext(ctx, "ssh", "-F", m.beside("ssh"), m.Name, "--", strings.Join(quoted, " "))
}

// copyLimit limits the copying of a file into a machine or out of it: under emulation tens of megabytes take a while.
const copyLimit = 5 * time.Minute

// worthAsking is the size above which it is cheaper to check whether the machine already has a file.
const worthAsking = 1 << 20

func (m emulated) write(path string, content []byte, mode os.FileMode) error {
	if m.Init == 0 {
		return writeBelow(m.Root, path, content, mode)
	}
	ctx, cancel := context.WithTimeout(context.Background(), copyLimit)
	defer cancel()
	if len(content) >= worthAsking {
		sum := fmt.Sprintf("%x  %s\n", sha256.Sum256(content), path)
		if m.fed(ctx, []byte(sum), "sha256sum", "--check", "--status") == nil {
			return nil
		}
	}
	return m.fed(ctx, content, "sh", "-c",
		`mkdir -p "${1%/*}" && cat > "$1.next" && chmod "$2" "$1.next" && mv "$1.next" "$1"`,
		"sh", path, fmt.Sprintf("%o", mode))
}

func (m emulated) fed(ctx context.Context, content []byte, args ...string) error {
	cmd := m.command(ctx, args...)
	cmd.Stdin = bytes.NewReader(content)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, tail(out))
	}
	return nil
}

func (m emulated) read(path string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), copyLimit)
	defer cancel()
	var stderr bytes.Buffer
	cmd := m.command(ctx, "cat", path)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, tail(stderr.Bytes()))
	}
	return out, nil
}

func (m emulated) socket() string { return m.beside("sock") }

// Limits of an emulated machine: software emulation takes minutes for what takes seconds.
const (
	bootLimit = 6 * time.Minute
	downLimit = 3 * time.Minute
)

// boot packs the file system into a disk and starts the machine for the first time.
func (m emulated) boot(ctx context.Context, log *os.File) error {
	for _, step := range []func(context.Context) error{m.makeKeys, m.makeDisk, m.makeLink} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if err := m.powerOn(ctx, log.Name(), ""); err != nil {
		return err
	}
	return m.insist(ctx, time.Now().Add(bootLimit), [][]string{{"systemctl", "start", "containerd.service"}, importImages})
}

// makeDisk packs the file system. Kernel and initrd are next to it: qemu needs no boot loader.
func (m emulated) makeDisk(ctx context.Context) error {
	wants := filepath.Join(m.Root, units, "multi-user.target.wants")
	if err := os.MkdirAll(wants, 0o755); err != nil {
		return err
	}
	for _, unit := range []string{networkUnit, runtimeUnit, kubeletUnit} {
		if err := os.Symlink(unit, filepath.Join(wants, filepath.Base(unit))); err != nil {
			return err
		}
	}
	for pattern, suffix := range map[string]string{"vmlinuz-*": "vmlinuz", "initrd.img-*": "initrd"} {
		found, err := filepath.Glob(filepath.Join(m.Root, "boot", pattern))
		if err != nil || len(found) != 1 {
			return fmt.Errorf("find the kernel's %s: %d are there", pattern, len(found))
		}
		if err := os.Rename(found[0], m.beside(suffix)); err != nil {
			return err
		}
	}
	out, err := exec.CommandContext(ctx, "mke2fs", "-q", "-t", "ext4", "-L", "root", "-d", m.Root,
		m.beside("disk"), "4G").CombinedOutput()
	if err != nil {
		return fmt.Errorf("make disk: %w: %s", err, tail(out))
	}
	return os.RemoveAll(m.Root)
}

// makeKeys creates the keys with which host and machine authenticate each other, and the ssh configuration for both.
func (m emulated) makeKeys(ctx context.Context) error {
	host := filepath.Join(m.Root, "etc/ssh/lab_host_key")
	for _, key := range []string{host, m.beside("key")} {
		out, err := exec.CommandContext(ctx, "ssh-keygen", "-q", "-t", "ed25519", "-N", "",
			"-C", "lab", "-f", key).CombinedOutput()
		if err != nil {
			return fmt.Errorf("make keys: %w: %s", err, tail(out))
		}
	}
	own, err := os.ReadFile(m.beside("key.pub"))
	if err != nil {
		return err
	}
	known, err := os.ReadFile(host + ".pub")
	if err != nil {
		return err
	}
	if err := m.write("/root/.ssh/authorized_keys", own, 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(m.beside("known"), append([]byte(Address(m.Index)+" "), known...), 0o600); err != nil {
		return err
	}
	return os.WriteFile(m.beside("ssh"), []byte(m.sshConfig()), 0o600)
}

func (m emulated) sshConfig() string {
	return fmt.Sprintf(`Host %s
  HostName %s
  User root
  IdentityFile %s
  IdentitiesOnly yes
  UserKnownHostsFile %s
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking yes
  BatchMode yes
  LogLevel ERROR
  ConnectTimeout 30
  ServerAliveInterval 10
  ServerAliveCountMax 6
  ControlPath %s
  StreamLocalBindUnlink yes
`, m.Name, Address(m.Index), m.beside("key"), m.beside("known"), m.beside("control"))
}

// tap is the machine's network link on the host.
func (m emulated) tap() string { return fmt.Sprintf("rwtap%d", m.Index) }

func (m emulated) makeLink(ctx context.Context) error {
	if err := m.book.Update(func(b *ledger.Book) { b.Links = append(b.Links, m.tap()) }); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"tuntap", "add", "dev", m.tap(), "mode", "tap"},
		{"link", "set", m.tap(), "master", Bridge, "up"},
	} {
		if out, err := exec.CommandContext(ctx, "ip", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, tail(out))
		}
	}
	return nil
}

// powerOn starts the emulator and returns when the machine answers.
func (m emulated) powerOn(ctx context.Context, console, before string) error {
	accelerator, err := m.accelerator(ctx)
	if err != nil {
		return err
	}
	cmd := HostCommand("qemu-system-x86_64", m.qemuArgs(accelerator, console)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	said, err := os.Create(m.beside("qemu.log"))
	if err != nil {
		return err
	}
	defer said.Close() // the child has its own copy
	cmd.Stdout, cmd.Stderr = said, said
	if err := Start(m.book, "qemu-"+m.Name, cmd); err != nil {
		return err
	}
	m.Init = cmd.Process.Pid
	if err := m.book.UpdateNode(m.Name, func(n *ledger.Node) { n.Init = m.Init }); err != nil {
		return err
	}
	return m.answers(ctx, before)
}

func (m emulated) qemuArgs(accelerator, console string) []string {
	return []string{"-name", m.Name, "-machine", "q35", "-accel", accelerator, "-smp", "2", "-m", "3072",
		"-nodefaults", "-no-user-config", "-display", "none",
		"-kernel", m.beside("vmlinuz"), "-initrd", m.beside("initrd"),
		"-append", "root=/dev/vda rw console=ttyS0 systemd.unified_cgroup_hierarchy=1 net.ifnames=0 mitigations=off quiet",
		"-drive", "file=" + m.beside("disk") + ",if=virtio,format=raw,cache=unsafe",
		"-netdev", "tap,id=n0,ifname=" + m.tap() + ",script=no,downscript=no",
		"-device", fmt.Sprintf("virtio-net-pci,netdev=n0,mac=52:54:00:13:37:%02x", m.Index),
		"-device", "virtio-rng-pci",
		"-chardev", "file,id=console,append=on,path=" + console, "-serial", "chardev:console"}
}

// answers returns when the machine answers in a boot other than before, and can be reached cheaply.
func (m emulated) answers(ctx context.Context, before string) error {
	deadline := time.Now().Add(bootLimit)
	for {
		id, err := m.bootID(ctx)
		if err == nil && id != before {
			break
		}
		if !m.runs("qemu-") {
			said, _ := os.ReadFile(m.beside("qemu.log"))
			return fmt.Errorf("the emulator ended: %s", tail(said))
		}
		if time.Now().After(deadline) {
			return errors.Join(fmt.Errorf("no answer for %v", bootLimit), err)
		}
		if err := Pause(ctx, 2*time.Second); err != nil {
			return err
		}
	}
	return m.connect(ctx)
}

func (m emulated) bootID(ctx context.Context) (string, error) {
	out, err := m.Run(ctx, "cat", "/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(out), err
}

// connect keeps one connection that every command shares and that carries the runtime's socket: the handshake alone
// takes seconds.
func (m emulated) connect(ctx context.Context) error {
	if err := m.end(ctx, "ssh-", syscall.SIGKILL); err != nil {
		return err
	}
	for _, socket := range []string{m.beside("control"), m.socket()} {
		if err := os.RemoveAll(socket); err != nil {
			return err
		}
	}
	cmd := HostCommand("ssh", "-F", m.beside("ssh"), "-M", "-N", "-L", m.socket()+":"+RuntimeSocket, m.Name)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := Start(m.book, "ssh-"+m.Name, cmd); err != nil {
		return err
	}
	deadline := time.Now().Add(bootLimit)
	for {
		_, err := os.Stat(m.beside("control"))
		if err == nil {
			return nil
		}
		if !m.runs("ssh-") || time.Now().After(deadline) {
			return fmt.Errorf("keep a connection: %w", err)
		}
		if err := Pause(ctx, 200*time.Millisecond); err != nil {
			return err
		}
	}
}

// runs reports whether a process of the machine still runs on the host.
func (m emulated) runs(name string) bool {
	return slices.ContainsFunc(m.book.Book().Processes, func(p ledger.Process) bool {
		return p.Name == name+m.Name && p.Alive()
	})
}

// end ends the machine's processes with that name on the host.
func (m emulated) end(ctx context.Context, name string, signals ...syscall.Signal) error {
	for _, p := range m.book.Book().Processes {
		if p.Name == name+m.Name {
			if err := p.End(ctx, 10*time.Second, signals...); err != nil {
				return err
			}
		}
	}
	return nil
}
