package mention

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// A machine that went down took its containers with it, also where a text names none: a person says so beside the
// kernel's words, or the kernel's own are the last. A kernel that lives on took none.
func TestAMachineThatWentDown(t *testing.T) {
	const lockup = "kernel: watchdog: BUG: soft lockup - CPU#11 stuck for 22s! [java:64]\n"
	const oops = "[  744.310225] BUG: unable to handle kernel NULL pointer dereference at 0000000000000078\n"
	for name, c := range map[string]struct{ text, want string }{
		"a lockup, and who says so": {"Some of the servers go down at random.\n\n" + lockup, "soft lockup"},
		"in another language":       {"负载越来越高，最后机器死机。\n" + lockup, "soft lockup"},
		"an operating system":       {"os reboot\n\n" + lockup, "soft lockup"},
		"a kernel that panics": {"The error makes the kernel panic and the node is rebooted: soft " +
			"lockup\n", "kernel panic"},
		"a disk, and who boots": {"When I reboot a node:\n\n[ 74.310225] EXT4-fs error (device sde): " +
			"I/O\n", "EXT4-fs error"},
		"an oops, the last line":       {oops, "NULL pointer"},
		"an oops, and the kernel on":   {oops + "[  900.000001] IPv6: eth0: link becomes ready\n", ""},
		"an oops, and the next boot":   {"[  9.000001] x\n[    0.000000] Linux version 5.15.0 (gcc)\n", "Linux version"},
		"who says it alone":            {"The node rebooted outside of its window.\n", "outside of its window"},
		"who boots it in vain":         {"Rebooting the node fixes it for a while.\n", ""},
		"a bugcheck":                   {"The computer has rebooted from a bugcheck.  The bugcheck was: 0x139\n", "bugcheck"},
		"an agent that boots":          {`level=info msg="Commanding reboot for node: n1"` + "\n", "Commanding reboot"},
		"an older systemd":             {"node1 systemd[1]: Reached target System Reboot.\n", "System Reboot"},
		"a boot alone":                 {"[    0.000000] Linux version 5.15.0 (gcc)\n[    1.000001] x\n", ""},
		"a power button":               {"[  744.310225] reboot: Power down\n", "Power down"},
		"a lockup alone":               {lockup, ""},
		"a lockup, and nobody says so": {"The servers log this, is it a problem?\n\n" + lockup, ""},
		"who boots it to mend it":      {"Then I rebooted the node and it is gone.\n\n" + lockup, ""},
		"who denies it":                {"The node does not crash.\n\n" + lockup, ""},
	} {
		got := ""
		for _, o := range Of(c.text, "a.md", printed).Read(naming.Names{}, false) {
			got += string(o)
		}
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %q", name, got, c.want)
		}
	}
}

// A coredump names the signal in a way of its own, and what the kernel says of a fault tells more than who complains.
func TestAProcessThatAFaultEnded(t *testing.T) {
	for text, want := range map[string]string{
		"The pods crash.\n\nsystemd-coredump[9]: Process 7 (catatonit) of user 101 terminated abnormally with signal " +
			"4/ILL\n": `"exitCode":132`,
		"The coredns pods crash.\n\n[ 12.567890] coredns[7]: segfault at 0 ip 00007f8a sp 00007ffd error " +
			"4\n": `segfault at 0`,
		"Our pod web-0 restarts every few hours.\n\n```\n[Thu Feb  6 10:19:17 2025] api[34]: segfault at 7f ip 04 sp 0f " +
			"error 4 in api[400000+3e000]\n```\n": `"message":"[Thu Feb  6 10:19:17 2025] api[34]: segfault`,
	} {
		got := ""
		for _, o := range Of(text, "a.md", printed).Read(naming.Names{}, false) {
			got += string(o)
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// A fault of the machine's own daemons is the end of no container.
func TestAFaultOfADaemonEndsNoContainer(t *testing.T) {
	for _, line := range []string{
		"systemd-udevd[401]: worker [10440] terminated by signal 11 (Segmentation fault)",
		"systemd-coredump[104]: Process 10440 (systemd-udevd) of user 0 dumped core.",
		"kernel: containerd-shim[300]: segfault at 0 ip 0040 sp 00ff error 4 in containerd-shim-runc-v2[400000+2000]",
		"kernel: traps: kubelet[300] general protection fault ip:55 sp:7f error:0 in kubelet[55000+6000]",
	} {
		text := "Aug 11 06:59:44 n1 " + line + "\n"
		if o := Of(text, "a.txt", printed).Read(naming.Names{}, false); len(o) > 0 {
			t.Errorf("%q: %s", line, o)
		}
	}
}

// A process's command line may have a secret in any word.
func TestACommandLineIsNotQuoted(t *testing.T) {
	for line, want := range map[string]string{
		`earlyoom[5]: sending SIGKILL to process 4 uid 9 "java": badness 900, VmRSS 9 MiB, cmdline "java -Dpw=x hunter2"`: "VmRSS 9 MiB",
		"sudo[3]: bob : TTY=pts/0 ; USER=root ; COMMAND=/usr/sbin/shutdown -r now hunter2":                                "shutdown",
		"sudo[3]: bob : TTY=pts/0 ; USER=root ; COMMAND=/usr/bin/systemctl restart docker":                                "restart docker",
		"systemd-coredump[4]: Process 7 (web) of user 0 dumped core. Command Line: web hunter2":                           "dumped core",
	} {
		got := ""
		for _, o := range Of("Why did pod web-0 die?\n\nNov 30 06:00:02 n1 "+line+"\n", "a.md", printed).Read(naming.Names{}, false) {
			got += string(o)
		}
		if !strings.Contains(got, want) || strings.Contains(got, "hunter2") {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// CRI-O may run a sandbox that it could not run before.
func TestASandboxThatRanWasMade(t *testing.T) {
	id := strings.Repeat("0a", 32)
	failed := `Nov 30 06:00:01 n1 crio[9]: level=info msg="runSandbox: cleaning up namespaces after failing to run sandbox ` + id + "\"\n"
	ran := `Nov 30 06:00:05 n1 crio[9]: level=info msg="Ran pod sandbox ` + id + ` with infra container: shop/web-0/POD"` + "\n"
	for text, want := range map[string]bool{failed: true, failed + ran: false} {
		if got := len(Of(text, "a.log", printed).Read(naming.Names{}, false)) > 0; got != want {
			t.Errorf("%t, want %t: %s", got, want, text)
		}
	}
}
