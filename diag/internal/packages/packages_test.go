package packages

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

var (
	now     = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	written = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)
	// five is a zone file of version 1 with one type: five hours east of UTC.
	five = "TZif" + strings.Repeat("\x00", 16) + strings.Repeat("\x00\x00\x00\x00", 4) +
		"\x00\x00\x00\x01" + "\x00\x00\x00\x04" + "\x00\x00\x46\x50\x00\x00ABC\x00"
)

const secret = "hunter2"

func plant(t *testing.T, files map[string]string) string {
	t.Helper()
	for name, text := range files {
		if strings.HasSuffix(name, ".gz") {
			files[name] = string(filetest.Gzip(text))
		}
	}
	root := filetest.Plant(t, files)
	filetest.Date(t, root, written)
	return root
}

func collect(t *testing.T, files map[string]string) (*evidence.Snapshot, []evidence.Gap, string) {
	t.Helper()
	pieces, gaps := New(Options{Node: "n1", Root: plant(t, files), Now: func() time.Time { return now }}).Collect(
		context.Background())
	s, raw := filetest.Observed(t, now, pieces)
	for _, o := range s.Observations {
		if o.Subject.Node != "n1" || o.Source.Where != "nodes/n1/packages.json" || o.Text.Empty() {
			t.Errorf("%+v", o)
		}
	}
	return s, gaps, raw
}

func said(s *evidence.Snapshot) (out []string) {
	for _, o := range s.Observations {
		out = append(out, o.Time.Format("01-02 15:04:05 ")+o.Text.String())
	}
	return out
}

const (
	dpkgLog = `2026-11-21 06:12:30 startup archives unpack
2026-11-21 06:12:33 upgrade containerd:amd64 1.6.20~ds1-1 1.6.20~ds1-2
2026-11-21 06:12:34 status half-configured containerd:amd64 1.6.20~ds1-2
2026-11-21 06:12:35 upgrade vim:amd64 1 2
2026-11-21 06:12:36 configure containerd:amd64 1.6.20~ds1-2 <none>
2026-11-21 09:00:00 install kubelet:amd64 <none> 1.30.1-1.1
2026-11-21 10:00:00 remove runc:amd64 1.1.5 <none>
2026-09-01 10:00:00 remove runc:amd64 1.1.5 <none>
nonsense
`
	historyLog = `
Start-Date: 2026-11-21  06:12:31
Commandline: /usr/bin/unattended-upgrade --token ` + secret + `
Upgrade: containerd:amd64 (1.6.20~ds1-1, 1.6.20~ds1-2)
End-Date: 2026-11-21  06:12:40

Start-Date: 2026-11-21  09:00:00
Commandline: apt-get install kubelet
Requested-By: ann (1000)
End-Date: 2026-11-21  09:00:09
`
	termLog = `Log started: 2026-11-21  06:12:31
Setting up containerd (1.6.20~ds1-2) ...
Restarting services...
 systemctl restart cron.service containerd.service kubelet.service ` + secret + `.service
Log ended: 2026-11-21  06:12:40
 systemctl restart cron.service
`
)

func TestEachPackageManagerIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"Debian, local time is UTC": {map[string]string{"var/log/dpkg.log": dpkgLog,
			"var/log/apt/history.log": historyLog, "var/log/apt/term.log": termLog}, []string{
			"11-21 06:12:33 dpkg: upgrade containerd from 1.6.20~ds1-1 to 1.6.20~ds1-2, by unattended-upgrade",
			"11-21 06:12:40 needrestart: restart containerd.service kubelet.service",
			"11-21 09:00:00 dpkg: install kubelet to 1.30.1-1.1",
			"11-21 10:00:00 dpkg: remove runc from 1.1.5"}},
		"Debian in another zone": {map[string]string{"etc/localtime": five,
			"var/log/dpkg.log": "2026-11-21 11:12:33 upgrade containerd:amd64 1 2\n"},
			[]string{"11-21 06:12:33 dpkg: upgrade containerd from 1 to 2"}},
		"Debian, the log was rotated": {map[string]string{"var/log/dpkg.log": "",
			"var/log/dpkg.log.1":    "2026-11-20 06:12:33 upgrade containerd:amd64 1 2\n",
			"var/log/dpkg.log.2.gz": "2026-11-10 06:12:33 upgrade runc:amd64 1 2\n"},
			[]string{"11-10 06:12:33 dpkg: upgrade runc from 1 to 2", "11-20 06:12:33 dpkg: upgrade containerd from 1 to 2"}},
		"dnf": {map[string]string{"etc/localtime": five,
			"var/log/dnf.rpm.log": "2026-11-21T06:12:30+0000 INFO --- logging initialized ---\n2026-11-21T06:12:33+0100 SUBDEBUG Upgrade: containerd.io-1.6.20-3.1.el8.x86_64\n" +
				"2026-11-21T05:12:34Z SUBDEBUG Upgraded: containerd.io-1.6.19-3.1.el8.x86_64\n2026-11-21T06:12:35+0000 SUBDEBUG Installed: vim-2:8.0-1.x86_64\n2026-11-21T06:12:36+0000 SUBDEBUG Installed: kernel-core-5.14.0-70.el9.x86_64\n"},
			[]string{"11-21 05:12:33 rpm: upgrade containerd.io to 1.6.20-3.1.el8",
				"11-21 06:12:36 rpm: install kernel-core to 5.14.0-70.el9"}},
		"yum has no years": {
			map[string]string{
				"var/log/yum.log": "Nov 20 06:12:33 Updated: kubelet-1.20.0-0.x86_64\nNov 21 06:59:59 Erased: 3:docker-ce-20.10.1-3.el7.x86_64\nDec 24 06:12:33 Installed: runc-1.1-1.x86_64\nNov 20 06:12 x\n"},
			// December was a year ago
			[]string{"11-20 06:12:33 rpm: upgrade kubelet to 1.20.0-0",
				"11-21 06:59:59 rpm: remove docker-ce from 20.10.1-3.el7"}},
		"zypper": {
			map[string]string{
				"var/log/zypp/history": "# head\n2026-11-21 06:12:33|install|containerd|1.6-1|x86_64||repo|sum|\n2026-11-21 06:12:34|remove |runc|1.1-1|x86_64|root@n|\n2026-11-21 06:12:35|command|root|zypper --password " + secret + "|\n2026-11-21 06:12:35|radd   |kubelet|url|\n"},
			[]string{"11-21 06:12:33 rpm: install containerd to 1.6-1", "11-21 06:12:34 rpm: remove runc from 1.1-1"}},
		"snap": {
			map[string]string{
				"var/lib/snapd/sequence/microk8s.json": `{"sequence":[{"name":"microk8s","revision":"100"},{"name":"microk8s","revision":"101"}],"current":"101"}`,
				"var/lib/snapd/sequence/kubelet.json":  `{"sequence":[{"revision":"7"}],"current":"7"}`,
				"var/lib/snapd/sequence/firefox.json":  `{"current":"1"}`, "var/lib/snapd/sequence/k3s.json": "broken"},
			[]string{"11-21 07:00:00 snap: upgrade microk8s from 100 to 101", "11-21 07:00:00 snap: install kubelet to 7"}},
		"a node without any": {map[string]string{"etc/hostname": "n1"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s, gaps, raw := collect(t, c.files)
			got := said(s)
			sortTies(got)
			want := append([]string(nil), c.want...)
			sortTies(want)
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			if len(gaps)+len(s.Gaps) != 0 {
				t.Errorf("gaps %+v %+v", gaps, s.Gaps)
			}
			if strings.Contains(raw, secret) {
				t.Errorf("kept too much: %s", raw)
			}
		})
	}
}

// sortTies orders what happened in the same second.
func sortTies(lines []string) {
	for i := 1; i < len(lines); i++ {
		for j := i; j > 0 && lines[j][:14] == lines[j-1][:14] && lines[j] < lines[j-1]; j-- {
			lines[j], lines[j-1] = lines[j-1], lines[j]
		}
	}
}

func TestFactsSayWhoChangedWhat(t *testing.T) {
	s, _, _ := collect(t, map[string]string{"var/log/dpkg.log": dpkgLog, "var/log/apt/history.log": historyLog,
		"var/log/apt/term.log": termLog})
	want := []evidence.Fact{
		evidence.PackageChanged{Manager: "dpkg", Action: "upgrade", Package: "containerd",
			From: "1.6.20~ds1-1", To: "1.6.20~ds1-2", By: "unattended-upgrade"},
		evidence.RestartAsked{By: "needrestart", Units: []string{"containerd.service", "kubelet.service"}},
		evidence.PackageChanged{Manager: "dpkg", Action: "install", Package: "kubelet", To: "1.30.1-1.1"},
		evidence.PackageChanged{Manager: "dpkg", Action: "remove", Package: "runc", From: "1.1.5"},
	}
	var got []evidence.Fact
	for _, o := range s.Observations {
		got = append(got, o.Fact)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestWhatCannotBeReadIsAGap(t *testing.T) {
	_, gaps, _ := collect(t, map[string]string{"etc/localtime": "no zone", "var/log/dpkg.log": dpkgLog})
	if len(gaps) != 1 || !strings.Contains(gaps[0].Why, "time zone") {
		t.Errorf("local times of an unknown zone: %+v", gaps)
	}
	root := plant(t, map[string]string{"var/log/dpkg.log.1": "x"})
	if err := os.Rename(filepath.Join(root, "var/log/dpkg.log.1"),
		filepath.Join(root, "var/log/dpkg.log.1.gz")); err != nil {
		t.Fatal(err)
	}
	source := New(Options{Node: "n1", Root: root, Now: func() time.Time { return now }})
	if _, gaps := source.Collect(context.Background()); len(gaps) != 1 ||
		!strings.Contains(gaps[0].Why, "dpkg.log.1.gz") {
		t.Errorf("not compressed at all: %+v", gaps)
	}
	_, gaps, _ = collect(t, map[string]string{"var/log/dpkg.log": strings.Repeat("x", 2<<20)})
	if len(gaps) != 1 || !strings.Contains(gaps[0].Why, "token too long") {
		t.Errorf("a line without end: %+v", gaps)
	}
}

func TestManyRecordsAreBounded(t *testing.T) {
	s, gaps, _ := collect(t,
		map[string]string{"var/log/dpkg.log": strings.Repeat("2026-11-21 06:12:33 upgrade runc:amd64 1 2\n", maxEntries+1) +
			"2026-11-21 06:12:34 upgrade runc:amd64 2 3\n"})
	if len(gaps) != 1 || !strings.Contains(gaps[0].Why, "the newest 5000 of 5002") ||
		!strings.Contains(said(s)[len(s.Observations)-1], "from 2 to 3") {
		t.Errorf("%d observations, gaps %+v", len(s.Observations), gaps)
	}
}

func TestABrokenFileCostsOnlyItself(t *testing.T) {
	for data, want := range map[string]struct{ facts, gaps int }{
		`{"entries":[{"time":"2026-11-21T06:00:00Z","action":"upgrade","package":"runc"},7,{},{"time":"2026-11-21T06:00:00Z"},{"time":"2026-11-21T06:00:00Z","action":"restart"}]}`: {1, 1},
		`{}`: {0, 0}, `[`: {0, 1},
	} {
		b := evidence.NewBuilder(now)
		NewPiece("n1", evidence.Bytes("nodes/n1/packages.json", []byte(data)), now).Observe(b)
		if s := b.Build(); len(s.Observations) != want.facts || len(s.Gaps) != want.gaps {
			t.Errorf("%s: %+v, gaps %+v", data, s.Observations, s.Gaps)
		}
	}
}

func FuzzLines(f *testing.F) {
	for _, s := range []string{dpkgLog, historyLog, termLog,
		"2026-11-21T06:12:33+0100 SUBDEBUG Upgrade: containerd.io-1.6.20-3.1.el8.x86_64",
		"Nov 20 06:12:33 Updated: kubelet-1.20.0-0.x86_64", "2026-11-21 06:12:33|install|containerd|1.6-1|x86_64||repo|sum|",
		`{"sequence":[{"revision":"100"},{"revision":"101"}],"current":"101"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var found []entry
		take := func(e entry, ok bool) {
			if ok {
				found = append(found, e)
			}
		}
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, "\n")
			take(dpkg(line, time.UTC))
			take(dnf(line, nil))
			take(yumLine(line, time.UTC, written))
			take(zypper(line, time.UTC))
		}
		take(snap("k3s", []byte(text), written))
		found = append(found, terminal(text, time.UTC)...)
		attribute(found, history(text, time.UTC))
		for _, e := range found {
			o, ok := e.observation()
			if ok && (!safetext.Safe(o.Text.String()) || e.Action == "" || e.Action != "restart" && !matters(e.Package)) {
				t.Fatalf("%+v from %q", e, text)
			}
		}
	})
}
