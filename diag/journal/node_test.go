package journal

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile"
	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile/journalfiletest"
)

// at is a time of the test journals, in microseconds: now is ten minutes later.
func at(second int) uint64 { return uint64(now.UnixMicro()) - 600_000_000 + uint64(second)*1_000_000 }

func kubeletSays(second int, text string) journalfiletest.Entry {
	return journalfiletest.Entry{Realtime: at(second), Monotonic: uint64(second+1) * 1e6, Boot: "boot", Fields: []string{
		"_HOSTNAME=n3", "_TRANSPORT=stdout", "SYSLOG_IDENTIFIER=kubelet", "_PID=81",
		"_CMDLINE=/usr/bin/kubelet --token=secret",
		"_SYSTEMD_UNIT=kubelet.service", "UNIT=forged.service", "MESSAGE=" + text}}
}

func systemdSays(second int, unit, text string) journalfiletest.Entry {
	return journalfiletest.Entry{Realtime: at(second), Monotonic: uint64(second+1) * 1e6, Boot: "boot", Fields: []string{
		"_HOSTNAME=n3", "_TRANSPORT=journal", "SYSLOG_IDENTIFIER=systemd", "_PID=1",
		"_UID=0", "_SYSTEMD_UNIT=init.scope", "UNIT=" + unit, "MESSAGE=" + text}}
}

func kernelSays(second int, text string) journalfiletest.Entry {
	return journalfiletest.Entry{Realtime: at(second), Monotonic: uint64(second+1) * 1e6, Boot: "boot", Fields: []string{
		"_HOSTNAME=n3", "_TRANSPORT=kernel", "SYSLOG_FACILITY=0", "SYSLOG_IDENTIFIER=kernel", "MESSAGE=" + text}}
}

func journaldSays(second int, id, text string) journalfiletest.Entry {
	return journalfiletest.Entry{Realtime: at(second), Monotonic: uint64(second+1) * 1e6, Boot: "boot", Fields: []string{
		"_HOSTNAME=n3", "_TRANSPORT=driver", "SYSLOG_IDENTIFIER=systemd-journald",
		"_PID=40", "_UID=0", "_SYSTEMD_UNIT=systemd-journald.service",
		"MESSAGE_ID=" + id, "MESSAGE=" + text}}
}

const version = `I1121 08:32:36.638962      81 server.go:467] "Kubelet version" kubeletVersion="v1.28.15"`

func journalOf(o journalfiletest.Options, entries ...journalfiletest.Entry) *journalfiletest.Writer {
	o.Hash, o.Compact, o.Keyed = journalfile.Hash, true, true
	if o.MachineID == "" {
		o.MachineID = "machine"
	}
	if o.SeqnumID == "" {
		o.SeqnumID = "sequence"
	}
	w := journalfiletest.New(o)
	for _, e := range entries {
		w.Add(e)
	}
	return w
}

func usual() *journalfiletest.Writer {
	return journalOf(journalfiletest.Options{},
		systemdSays(0, "kubelet.service", "Started kubelet.service."),
		kubeletSays(1, version),
		systemdSays(2, "cron.service", "Started cron.service."),
		kernelSays(3, "tail[123]: segfault at 0 ip 1 sp 2 error 4"),
		kubeletSays(4, "two\nlines"))
}

// node is a root directory with journal files by path, and a machine id.
func node(t *testing.T, files map[string][]byte) string {
	t.Helper()
	root := t.TempDir()
	if files["etc/machine-id"] == nil {
		files["etc/machine-id"] = []byte(thisMachine + "\n")
	}
	filetest.Into(t, root, files)
	return root
}

var system = "var/log/journal/" + thisMachine + "/system.journal"

func never(t *testing.T) func(context.Context, []string, io.Writer) error {
	return func(context.Context, []string, io.Writer) error {
		t.Error("journalctl was asked")
		return nil
	}
}

func fromFiles(t *testing.T, files map[string][]byte, run func(context.Context, []string, io.Writer) error) (
	[]evidence.RawEvidence, []evidence.Gap) {
	t.Helper()
	_, pieces, gaps := collect(t, Options{Root: node(t, files), Dirs: []string{"/var/log/journal", "/run/log/journal"}},
		run)
	return pieces, gaps
}

func whys(gaps []evidence.Gap) string {
	var out []string
	for _, g := range gaps {
		out = append(out, g.Why+" ("+g.Hint+")")
	}
	return strings.Join(out, "\n")
}

func logsOf(t *testing.T, pieces []evidence.RawEvidence) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, p := range pieces {
		out[p.Files()[0].Path] = filetest.Content(t, p)
	}
	return out
}
