package faults

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/judge"
)

// fault is one thing that goes wrong while the program reads.
type fault struct {
	name  string
	where where
	// begin causes it, and returns what ends it. If after is set, it begins that long after the program.
	begin func(context.Context, *bench) (end func(context.Context) error, err error)
	after time.Duration
	// lasts is how long it lasts; 0 is until the program has ended.
	lasts  time.Duration
	args   []string
	within time.Duration // time in which the program must end
	code   int           // its exit code
	says   string        // what stderr has when the run fails
	either bool          // it may fail and say so, or leave any gap and then miss ends
	gap    string        // the source of the required gap, which allows missing ends; "" if none may be missing
}

// faults are all of them.
func faults() []fault {
	return []fault{
		{name: "api-stands-still", where: live, begin: stopServer, within: time.Minute, code: 1, says: "error: "},
		{name: "api-pauses", where: live, begin: stopServer, after: 200 * time.Millisecond, lasts: 4 * time.Second,
			within: time.Minute},
		{name: "api-is-slow", where: live, within: 2 * time.Minute,
			begin: proxy{piece: 2 << 10, pause: 50 * time.Millisecond}.begin},
		{name: "api-flaps", where: live, within: 2 * time.Minute,
			begin: proxy{cut: 200 * time.Millisecond}.begin, either: true},
		{name: "api-goes", where: live, within: time.Minute, begin: proxy{gone: 300 * time.Millisecond}.begin, either: true},
		{name: "kubelet-stands-still", where: live, begin: onNode("n2", "pkill -STOP -x kubelet", "pkill -CONT -x kubelet"),
			within: 2 * time.Minute, gap: "kubelet-log"},
		{name: "kubelet-stopped", where: live, begin: onNode("n2", "systemctl stop kubelet", "systemctl start kubelet"),
			within: time.Minute, gap: "kubelet-log"},
		{name: "node-lost", where: live, begin: onNode("n2", "ip link set host0 down", "ip link set host0 up"),
			within: 2 * time.Minute, gap: "kubelet-log"},
		{name: "runtime-stands-still", where: local,
			begin: onNode("n3", "pkill -STOP -x containerd", "pkill -CONT -x containerd"), within: 2 * time.Minute, gap: "cri"},
		{name: "runtime-pauses", where: local, lasts: 5 * time.Second,
			begin: onNode("n3", "pkill -STOP -x containerd", "pkill -CONT -x containerd"), within: time.Minute},
		{name: "bus-stands-still", where: local,
			begin:  onNode("n3", "pkill -STOP -x dbus-daemon", "pkill -CONT -x dbus-daemon"),
			within: time.Minute, gap: "systemd"},
		{name: "journal-rotates", where: local, within: 2 * time.Minute,
			begin: beside("n3", "while :; do journalctl --rotate; sleep 0.05; done")},
		{name: "journal-grows", where: local, within: 2 * time.Minute,
			begin: beside("n3", "while :; do head -c 200000 /dev/urandom | base64 | systemd-cat -t noise; done")},
		{name: "no-room-for-the-bundle", where: local, within: time.Minute, code: 1, says: "no space left on device",
			begin: onNode("n3", "mount -t tmpfs -o size=16k none /var/tmp/fault", "umount /var/tmp/fault")},
		{name: "no-room-for-temporary-files", where: local, within: time.Minute,
			begin: onNode("n3", "mount -t tmpfs -o size=16k none /tmp", "umount /tmp")},
	}
}

// held says what is wrong with a run under this fault.
func (f fault) held(o outcome, quiet calm) error {
	gap := slices.ContainsFunc(o.report.Gaps, func(g judge.Gap) bool { return g.Source == f.gap })
	missing := lost(quiet.ends, ends(o.report))
	if f.either && o.code == 1 {
		f.code, f.says = 1, "error: "
	}
	switch {
	case o.took > f.within:
		return fmt.Errorf("it took %v: %s", o.took.Round(time.Second), o.stderr)
	case o.code != f.code:
		return fmt.Errorf("exit code %d: %s", o.code, o.stderr)
	case len(o.left) > 0:
		return fmt.Errorf("left behind: %s", strings.Join(o.left, " "))
	case f.code != 0 && o.wrote:
		return errors.New("it failed, and wrote a bundle")
	case f.code != 0 && !strings.Contains(o.stderr, f.says):
		return fmt.Errorf("it did not say %q: %s", f.says, o.stderr)
	case f.code != 0:
		return nil
	case f.gap != "" && !gap:
		return fmt.Errorf("no gap of %s: %v", f.gap, o.report.Gaps)
	case f.gap == "" && len(missing) > 0 && !(f.either && len(o.report.Gaps) > 0):
		return fmt.Errorf("lost without a gap: %s", strings.Join(missing, " "))
	}
	return nil
}

// under runs the program under a fault.
func (b *bench) under(ctx context.Context, f fault) (outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, f.within+time.Minute)
	defer cancel()
	var end func(context.Context) error
	begun := make(chan error, 1)
	start := func() {
		var err error
		end, err = f.begin(ctx, b)
		begun <- err
	}
	if f.after == 0 {
		start()
	} else {
		time.AfterFunc(f.after, start)
	}
	done := make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		err := <-begun
		if f.lasts > 0 {
			time.Sleep(f.lasts)
		} else {
			<-done
		}
		if end != nil {
			err = errors.Join(err, end(context.WithoutCancel(ctx)))
		}
		ended <- err
	}()
	o, err := b.collect(ctx, f.where, f.name, nil, f.args...)
	close(done)
	return o, errors.Join(err, <-ended)
}

// stopServer makes the API server hang.
func stopServer(_ context.Context, b *bench) (func(context.Context) error, error) {
	for _, p := range b.lab.Book.Book().Processes {
		if p.Name == "kube-apiserver" && p.Alive() {
			return func(context.Context) error { return syscall.Kill(p.PID, syscall.SIGCONT) },
				syscall.Kill(p.PID, syscall.SIGSTOP)
		}
	}
	return nil, errors.New("no kube-apiserver runs")
}

// onNode runs a script on a node, and another one when the fault ends.
func onNode(node, begin, end string) func(context.Context, *bench) (func(context.Context) error, error) {
	return func(ctx context.Context, b *bench) (func(context.Context) error, error) {
		m, err := b.lab.Machine(node)
		if err != nil {
			return nil, err
		}
		undo := func(ctx context.Context) error { _, err := m.Run(ctx, "sh", "-ec", end); return err }
		_, err = m.Run(ctx, "sh", "-ec", begin)
		return undo, err
	}
}

// beside runs a script on a node for as long as the fault lasts.
func beside(node, script string) func(context.Context, *bench) (func(context.Context) error, error) {
	return func(ctx context.Context, b *bench) (func(context.Context) error, error) {
		m, err := b.lab.Machine(node)
		if err != nil {
			return nil, err
		}
		ctx, cancel := context.WithCancel(ctx)
		cmd := m.Command(ctx, "timeout", "180", "sh", "-c", script)
		if err := cmd.Start(); err != nil {
			cancel()
			return nil, err
		}
		return func(ctx context.Context) error {
			cancel()
			_ = cmd.Wait() // ended on request
			_, err := m.Run(ctx, "sh", "-c", "pkill -f 'journalctl --rotat[e]|systemd-ca[t]' || true")
			return err
		}, nil
	}
}
