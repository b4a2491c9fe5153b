package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile"
	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile/journalfiletest"
)

const (
	thisMachine  = "3d1219c7c4c5404aaa1f6d2a48adfda4"
	otherMachine = "4501864c813d422e92191538b5b3c538"
)

func TestFilesAreReadWithoutJournalctl(t *testing.T) {
	pieces, gaps := fromFiles(t, map[string][]byte{system: usual().Bytes()}, never(t))
	logs := logsOf(t, pieces)
	if len(logs) != 2 || !strings.Contains(whys(gaps), "read the runtime journal: no entries") || len(gaps) != 1 {
		t.Fatalf("%q, gaps %s", logs, whys(gaps))
	}
	entries, bad, err := readAll(t, logs["nodes/n3/journal/kubelet.export"])
	boot := fmt.Sprintf("%x", journalfiletest.ID("boot"))
	want := []evidence.Entry{
		{Time: time.UnixMicro(int64(at(0))).UTC(), Host: "n3", Unit: "init.scope",
			About: "kubelet.service", PID: 1, Message: "Started kubelet.service.", Mono: time.Second, Seq: 1},
		{Time: time.UnixMicro(int64(at(1))).UTC(), Host: "n3", Unit: "kubelet.service",
			PID: 81, Message: version, Mono: 2 * time.Second, Seq: 2},
		{Time: time.UnixMicro(int64(at(4))).UTC(), Host: "n3", Unit: "kubelet.service",
			PID: 81, Message: "two\nlines", Mono: 5 * time.Second, Seq: 5},
	}
	for i := range want {
		want[i].BootID, want[i].SeqID, want[i].Writer = boot, fmt.Sprintf("%x", journalfiletest.ID("sequence")),
			evidence.Vouched
	}
	if diff := cmp.Diff(want, entries); diff != "" || bad != nil || err != nil {
		t.Errorf("%s bad %v, error %v", diff, bad, err)
	}
	if all := fmt.Sprint(logs); strings.Contains(all, "secret") || strings.Contains(all, "cron") ||
		!strings.Contains(logs["nodes/n3/journal/kernel.export"], "segfault") {
		t.Error(all)
	}
}

// The way must not matter: what is stored is the same, byte for byte.
func TestBothWaysStoreTheSame(t *testing.T) {
	b := usual().Bytes()
	direct, _ := fromFiles(t, map[string][]byte{system: b}, never(t))
	var set journalfile.Set
	if err := set.Add("f", bytes.NewReader(b), int64(len(b))); err != nil {
		t.Fatal(err)
	}
	_, asked, _ := collect(t, Options{}, func(ctx context.Context, args []string, out io.Writer) error {
		any := unitTerms([]string{"kubelet.service"})
		switch joined := strings.Join(args, " "); {
		case strings.Contains(joined, "_TRANSPORT=kernel"):
			any = kernelTerms()
		case strings.Contains(joined, "containerd"):
			any = unitTerms([]string{"containerd.service"})
		}
		for e, err := range set.Entries(ctx, journalfile.Query{Any: any}) {
			if err != nil {
				return err
			}
			if _, err := out.Write(e.AppendExport(nil)); err != nil {
				return err
			}
		}
		return nil
	})
	unnumbered := logsOf(t, direct)
	for path, text := range unnumbered { // journalctl tells numbers since systemd 254
		unnumbered[path] = regexp.MustCompile(`(?m)^__SEQNUM(_ID)?=.*\n`).ReplaceAllString(text, "")
	}
	if diff := cmp.Diff(logsOf(t, asked), unnumbered); diff != "" || len(direct) != 2 {
		t.Errorf("%d logs: %s", len(direct), diff)
	}
}

func TestOnlyThisMachinesFilesAreRead(t *testing.T) {
	one := func(text string) []byte {
		return journalOf(journalfiletest.Options{SeqnumID: text}, kubeletSays(1, text)).Bytes()
	}
	files := func() map[string][]byte {
		return map[string][]byte{
			system: one("mine"),
			"run/log/journal/" + thisMachine + "/system.journal":        one("early"),
			"var/log/journal/top.journal":                               one("top"),
			"var/log/journal/" + otherMachine + "/system.journal":       one("stranger"),
			"var/log/journal/remote/remote-x.journal":                   one("remote"),
			"var/log/journal/" + thisMachine + ".extra/system.journal":  one("namespace"),
			"var/log/journal/" + thisMachine + "/deeper/system.journal": one("deeper"),
		}
	}
	for _, c := range []struct {
		name, machineID string
		want            []string
	}{
		{"known", thisMachine + "\n", []string{"mine", "early", "top"}},
		{"not known", "uninitialized\n", []string{"mine", "early", "top", "stranger"}},
	} {
		f := files()
		f["etc/machine-id"] = []byte(c.machineID)
		pieces, _ := fromFiles(t, f, never(t))
		entries, _, _ := readAll(t, logsOf(t, pieces)["nodes/n3/journal/kubelet.export"])
		got := map[string]bool{}
		for _, e := range entries {
			got[e.Message] = true
		}
		for _, w := range c.want {
			if !got[w] {
				t.Errorf("%s: %q is missing", c.name, w)
			}
		}
		if len(entries) != len(c.want) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestTheNextWayIsGoneWhereFilesCannotBeRead(t *testing.T) {
	newer := usual().Bytes()
	newer[12] |= 1 << 6
	damaged := usual().Bytes()
	damaged[88] = 1
	missing := func(context.Context, []string, io.Writer) error {
		return fmt.Errorf("journalctl: %w", exec.ErrNotFound)
	}
	archived := "var/log/journal/" + thisMachine + "/system@1.journal"
	for _, c := range []struct {
		name   string
		files  map[string][]byte
		run    func(context.Context, []string, io.Writer) error
		pieces int
		says   []string
	}{
		{"no files: journalctl is asked", map[string][]byte{}, writes(systemdEntry + kubeletEntry), 3, nil},
		{"a newer format: journalctl is asked", map[string][]byte{system: newer},
			writes(systemdEntry + kubeletEntry), 3, nil},
		{"a newer format among others: journalctl is asked", map[string][]byte{system: newer, archived: usual().Bytes()},
			writes(systemdEntry + kubeletEntry), 3, nil},
		{"the same without journalctl: what can be read is", map[string][]byte{system: newer, archived: usual().Bytes()},
			missing, 2,
			[]string{"read the kubelet journal: open", "not known yet", "read the kernel journal: open"}},
		{"a damaged file: the others are read", map[string][]byte{system: damaged, archived: usual().Bytes()},
			nil, 2, []string{"read the kubelet journal: open", "corrupt"}},
		{"no files and no journalctl", map[string][]byte{}, missing, 0, []string{"run on the node"}},
		{"a newer format and no journalctl", map[string][]byte{system: newer},
			missing, 0, []string{"run on the node", "not known yet"}},
		{"a file of something else", map[string][]byte{system: []byte("text"), archived: usual().Bytes()},
			nil, 2, []string{"not a journal file"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := c.run
			if run == nil {
				run = never(t)
			}
			pieces, gaps := fromFiles(t, c.files, run)
			if len(pieces) != c.pieces {
				t.Errorf("%d pieces", len(pieces))
			}
			if c.says == nil && len(gaps) > 0 {
				t.Errorf("gaps %s", whys(gaps))
			}
			for _, s := range c.says {
				if !strings.Contains(whys(gaps), s) {
					t.Errorf("no gap says %q: %s", s, whys(gaps))
				}
			}
		})
	}
}

// A hole of the journal is stored, and ends the reach of the log where it is read
// back: silence across it proves nothing.
func TestAHoleIsStoredAndReadBack(t *testing.T) {
	w := journalOf(journalfiletest.Options{}, kubeletSays(0, version), kubeletSays(10, version),
		kubeletSays(20, "lost"), kubeletSays(30, version), kubeletSays(40, version))
	b := w.Bytes()
	b[w.Entries[2]] = 9
	pieces, gaps := fromFiles(t, map[string][]byte{system: b}, never(t))
	if len(pieces) != 1 || strings.Contains(whys(gaps), "kubelet") {
		t.Fatalf("%d pieces, %s", len(pieces), whys(gaps))
	}
	log := filetest.Content(t, pieces[0])
	if !strings.Contains(log, "\n\n__HOLE=system.journal: corrupt: an object of type 9") {
		t.Error(log)
	}
	builder := evidence.NewBuilder(now)
	pieces[0].Observe(builder)
	s := builder.Build()
	if len(s.Gaps) != 1 || !strings.Contains(s.Gaps[0].Why, "entries are missing: system.journal: ") {
		t.Errorf("%+v", s.Gaps)
	}
	var reach []string
	for _, c := range s.Coverage {
		if c.Source == evidence.SourceKubeletLog {
			reach = append(reach, fmt.Sprint((c.From.UnixMicro()-int64(at(0)))/1e6, "-", (c.Until.UnixMicro()-int64(at(0)))/1e6))
		}
	}
	if diff := cmp.Diff([]string{"0-10", "30-600"}, reach); diff != "" {
		t.Error(diff)
	}
}

func TestSeveralHolesAreCounted(t *testing.T) {
	var tally tally
	for _, why := range []string{"a", "a", "b", "a"} {
		tally.add(why)
	}
	var said []string
	tally.tell("f", func(s string) { said = append(said, s) })
	if diff := cmp.Diff([]string{"read f: entries are missing in 3 places, the first: a"}, said); diff != "" {
		t.Error(diff)
	}
}

// What is read slowly goes on (diag/internal/pace), but not beyond the time that the user gave.
func TestTheReadingOfFilesHasADeadline(t *testing.T) {
	root := node(t, map[string][]byte{system: usual().Bytes()})
	over, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	o := Options{Root: root, Dirs: []string{"/var/log/journal"}, Runner: &fake{run: never(t)},
		Now: func() time.Time { return now }}
	pieces, gaps := NewSource("n3", o).Collect(over)
	if len(pieces) != 0 || !strings.Contains(whys(gaps), "stopped at the entry of (none): time is over") {
		t.Errorf("%d pieces, %s", len(pieces), whys(gaps))
	}
}

func TestWhatJournaldLostIsCollectedWithWhatItLost(t *testing.T) {
	w := journalOf(journalfiletest.Options{}, kernelSays(0, "x"), journaldSays(1, idMissed, "Missed 3 kernel messages"),
		kernelSays(2, "x"),
		kubeletSays(3, version), journaldSays(4, idDropped, "Suppressed 12 messages from kubelet.service"),
		kubeletSays(5, version))
	pieces, _ := fromFiles(t, map[string][]byte{system: w.Bytes()}, never(t))
	b := evidence.NewBuilder(now)
	for _, p := range pieces {
		p.Observe(b)
	}
	said := whys(b.Build().Gaps)
	if !strings.Contains(said, "the journal missed 3 messages of the kernel") ||
		!strings.Contains(said, "the journal dropped 12 messages of kubelet.service") {
		t.Error(said)
	}
}

func TestAnUnreadableDirectoryIsAGap(t *testing.T) {
	root := node(t, map[string][]byte{"var/log/journal": []byte("a file where a directory should be")})
	_, pieces, gaps := collect(t, Options{Root: root, Dirs: []string{"/var/log/journal"}},
		func(context.Context, []string, io.Writer) error {
			return errors.Join(exec.ErrNotFound)
		})
	if len(pieces) != 0 || !strings.Contains(whys(gaps), "not a directory") {
		t.Errorf("%d pieces, %s", len(pieces), whys(gaps))
	}
}

// A name that leads nowhere, as between two steps of a rotation, is no trouble.
func TestAFileThatIsGoneIsPassedOver(t *testing.T) {
	root := node(t, map[string][]byte{system: usual().Bytes()})
	if err := os.Symlink("nowhere", filepath.Join(root, filepath.Dir(system), "system@1.journal")); err != nil {
		t.Fatal(err)
	}
	_, pieces, gaps := collect(t, Options{Root: root, Dirs: []string{"/var/log/journal"}}, never(t))
	if len(pieces) != 2 || strings.Contains(whys(gaps), "system@1") {
		t.Errorf("%d pieces, %s", len(pieces), whys(gaps))
	}
}

// What is renamed between listing and opening, while a new file takes its name, is read as well, and once.
func TestARotationWhileFilesAreOpenedLosesNothing(t *testing.T) {
	for _, late := range []int{1, 2, 3} { // the listing after which it comes
		root := node(
			t,
			map[string][]byte{system: journalOf(journalfiletest.Options{SeqnumID: "s"}, kubeletSays(1, "before")).Bytes()},
		)
		f := &files{o: &Options{Root: root, Dirs: []string{"/var/log/journal"}}, set: &journalfile.Set{}}
		rotations := 0
		bad := f.open(func() ([]string, []error) {
			paths, errs := f.paths()
			if rotations < late {
				rotations++
				name := filepath.Join(root, system)
				after := journalOf(
					journalfiletest.Options{SeqnumID: "s"},
					kubeletSays(1+rotations, fmt.Sprint("after ", rotations)),
				)
				if err := errors.Join(os.Rename(name,
					fmt.Sprintf("%s@%d.journal", strings.TrimSuffix(name, ".journal"), rotations)),
					os.WriteFile(name, after.Bytes(), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			return paths, errs
		})
		if n := len(f.set.Files()); n != 1+late || len(bad) != 0 {
			t.Errorf("%d files after %d rotations, %v", n, late, bad)
		}
		f.close()
	}
}

// Bytes that arrive after the opening belong to the next collection.
func TestTheReachEndsWhenTheFilesWereOpened(t *testing.T) {
	root := node(t, map[string][]byte{system: usual().Bytes()})
	clock := now
	f := &fake{run: never(t)}
	pieces, _ := NewSource("n3", Options{Root: root, Dirs: []string{"/var/log/journal"},
		Runner: f, Since: now.Add(-time.Hour), Now: func() time.Time {
			clock = clock.Add(time.Second)
			return clock
		}}).Collect(context.Background())
	b := evidence.NewBuilder(now)
	for _, p := range pieces {
		p.Observe(b)
	}
	for _, c := range b.Build().Coverage {
		if !c.Until.Equal(now.Add(time.Second)) { // the first look at the clock
			t.Errorf("%+v", c)
		}
	}
}

// Docker's journald driver writes a container's lines under its own unit.
func TestAKubeletInsideDockerIsOneFromFilesToo(t *testing.T) {
	e := journalfiletest.Entry{Realtime: at(0), Monotonic: 1e6, Boot: "boot", Fields: []string{
		"_HOSTNAME=n3", "_SYSTEMD_UNIT=docker.service", "CONTAINER_NAME=kubelet", "MESSAGE=" + version}}
	w := journalOf(journalfiletest.Options{}, e)
	if got := facts(observed("n3", handedFile("system.journal", w))); len(got) != 2 { // and when the boot was
		t.Errorf("handed over: %q", got)
	}
	pieces, _ := fromFiles(t, map[string][]byte{system: w.Bytes()}, never(t))
	if log := fmt.Sprint(logsOf(t, pieces)); !strings.Contains(log, "CONTAINER_NAME=kubelet") {
		t.Errorf("collected: %s", log)
	}
}
