package diag

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/foreign"
	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile"
	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile/journalfiletest"
)

// Real lines of a kubelet, in the envelopes that files of a bundle have.
const (
	precise = "Nov 21 07:00:05.100000 n1 kubelet[80]: I1121 07:00:05.100000      80 server.go:486] \"Kubelet version\" kubeletVersion=\"v1.31.0\"\n" +
		"Nov 21 07:00:06.100000 n1 kubelet[80]: I1121 07:00:06.100000      80 server.go:488] \"Golang settings\" GOGC=\"\"\n"
	export = "__REALTIME_TIMESTAMP=1795244405100000\n_HOSTNAME=n1\n_SYSTEMD_UNIT=kubelet.service\nSYSLOG_IDENTIFIER=kubelet\n_PID=80\n" +
		"MESSAGE=I1121 07:00:05.100000      80 server.go:486] \"Kubelet version\" kubeletVersion=\"v1.31.0\"\n\n"
	pods = `{"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"web-0","namespace":"shop","uid":"u1"},"spec":{"nodeName":"n1","containers":[{"name":"a","image":"x:1"}]}}]}`
)

// intake writes the files into a directory, reads it as a bundle and observes it.
func intake(t *testing.T, manifest string, files map[string]string) *evidence.Snapshot {
	t.Helper()
	if manifest != "" {
		files["bundle.json"] = manifest
	}
	dir := filetest.Plant(t, files)
	b, _, err := foreign.Open(dir, "", bundle.Options{Now: t0.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	hash := func(c *corev1.Container) []evidence.SpecHash {
		return []evidence.SpecHash{{FromMinor: 31, ToMinor: 36, Hex: "abc", Image: c.Image}}
	}
	return Observe(Load(b, apiobject.Hasher{Present: hash}), b.Manifest.CollectedAt)
}

const collected = `{"formatVersion":1,"collectedAt":"2026-11-21T07:30:00Z"}`

func started(s *evidence.Snapshot) (nodes []string) {
	for _, o := range s.Observations {
		if k, ok := o.Fact.(evidence.KubeletStarted); ok && k.Version == "v1.31.0" {
			nodes = append(nodes, o.Subject.Node)
		}
	}
	return nodes
}

func TestEveryFileOfABundleFindsItsReader(t *testing.T) {
	logs := map[string]string{
		"nodes/n1/journal/kubelet.export": export,
		"nodes/n1/logquery/kubelet.log":   precise,
		"nodes/n1/logs/messages":          precise,
		"nodes/_/logs/messages":           precise, // the line names the host
	}
	for name, data := range logs {
		t.Run(name, func(t *testing.T) {
			s := intake(t, collected, map[string]string{name: data})
			if got := started(s); len(got) != 1 || got[0] != "n1" {
				t.Errorf("kubelets started on %q, gaps %q", got, whys(s.Gaps))
			}
			for _, o := range s.Observations {
				if o.Time.Year() != 2026 {
					t.Errorf("%s at %s: the year comes from the collection", o.Text, o.Time)
				}
			}
		})
	}
	small := map[string]string{
		"nodes/n1/cri.json":          `{"runtime":"containerd","runtimeVersion":"2.1"}`,
		"nodes/n1/cgroup.json":       `{"version":2}`,
		"nodes/n1/units.json":        `{"units":[]}`,
		"nodes/n1/host.json":         `{"nodeName":"n1","bootID":"b1","bootTime":"2026-11-21T06:00:00Z"}`,
		"nodes/n1/runtime-disk.json": `{"containers":[]}`,
		"nodes/n1/kubelet.json":      `{"checkpoints":[]}`,
		"nodes/n1/packages.json":     `{"entries":[]}`,
		"nodes/n1/kmsg.txt":          "# kmsg boottime=2026-11-21T06:00:00Z bootid=b1\n6,1,2000000,-;hello\n",
	}
	for name, data := range small {
		t.Run(name, func(t *testing.T) {
			s := intake(t, collected, map[string]string{name: data})
			if len(s.Gaps) != 0 {
				t.Errorf("gaps: %s", whys(s.Gaps))
			}
			s = intake(t, collected, map[string]string{name: "\x00garbage"})
			if len(s.Gaps) == 0 {
				t.Error("garbage is no gap: nobody read the file")
			}
		})
	}
}

func TestObjectsAreReadAndHashed(t *testing.T) {
	for _, name := range []string{"cluster/pods.json", "mypods.json"} {
		s := intake(t, "", map[string]string{name: pods})
		if len(s.Pods) != 1 || s.Pods[0].Name != "web-0" {
			t.Fatalf("%s: pods %+v, gaps %q", name, s.Pods, whys(s.Gaps))
		}
		if h := s.Pods[0].Containers[0].Hashes; len(h) != 1 || h[0].Hex != "abc" {
			t.Errorf("%s: hashes %+v", name, h)
		}
	}
}

func TestAFileThatNobodyKnowsIsSaid(t *testing.T) {
	s := intake(t, collected, map[string]string{"nodes/n1/core.dump": "x", "notes.txt": "x"})
	for _, want := range []string{"nodes/n1/core.dump is no file of a bundle", "notes.txt is no file of a bundle"} {
		if !strings.Contains(whys(s.Gaps), want) {
			t.Errorf("gaps %q do not say %q", whys(s.Gaps), want)
		}
	}
}

func TestALogReachesNoFurtherThanItsCollectionSays(t *testing.T) {
	zoned := regexp.MustCompile(`(?m)^Nov 21 (\S+)`).ReplaceAllString(precise, "2026-11-21T$1+00:00")
	end := func(manifest, name string) time.Time {
		text := precise
		if strings.Contains(name, "/logs/") {
			text = zoned // without a zone of its own such a file reaches nowhere
		}
		s := intake(t, manifest, map[string]string{name: text})
		for _, c := range s.Coverage {
			if c.Source == evidence.SourceKubeletLog {
				return c.Until
			}
		}
		t.Errorf("no coverage, gaps %q", whys(s.Gaps))
		return time.Time{}
	}
	const query = "nodes/n1/logquery/kubelet.log"
	cut := strings.TrimSuffix(collected, "}") + `,"gaps":[{"source":"kubelet-log","node":"n1","why":"cut"}]}`
	other := strings.ReplaceAll(cut, "n1", "n2")
	last := time.Date(2026, 11, 21, 7, 0, 6, 100e6, time.UTC)
	at := time.Date(2026, 11, 21, 7, 30, 0, 0, time.UTC)
	cases := map[string]struct {
		manifest, name string
		want           time.Time
	}{
		"a whole answer reaches to the collection":    {collected, query, at},
		"one with a gap reaches to its last line":     {cut, query, last},
		"a gap of a kubelet within another unit too":  {cut, "nodes/n1/logquery/k3s-agent.log", last},
		"a gap of another node does not count":        {other, query, at},
		"a handed-over file reaches to its last line": {collected, "nodes/n1/logs/kubelet.log", last},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := end(c.manifest, c.name); !got.Equal(c.want) {
				t.Errorf("reaches to %s, want %s", got, c.want)
			}
		})
	}
}

// A log that is cut at the end of a line looks whole: only who cut it knows.
func TestALogThatWasCutReachesToItsLastLine(t *testing.T) {
	dir := filetest.Plant(t, map[string]string{"nodes/n1/logquery/kubelet.log": precise + precise,
		"bundle.json": collected})
	b, _, err := foreign.Open(dir, "", bundle.Options{Now: t0.Add(time.Hour),
		Limits: bundle.Limits{LogBytes: int64(len(precise))}})
	if err != nil {
		t.Fatal(err)
	}
	s := Observe(Load(b, apiobject.Hasher{}), b.Manifest.CollectedAt)
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	last := time.Date(2026, 11, 21, 7, 0, 6, 100e6, time.UTC)
	if len(s.Coverage) != 1 || !s.Coverage[0].Until.Equal(last) {
		t.Errorf("coverage %+v, want one until %s; gaps %q", s.Coverage, last, whys(s.Gaps))
	}
}

// A journal as systemd keeps it: of a compact file with the kubelet's one entry.
func journalFile(t *testing.T, sequence string, second int) []byte {
	t.Helper()
	w := journalfiletest.New(journalfiletest.Options{Compact: true, Hash: journalfile.Hash,
		MachineID: "machine", SeqnumID: sequence})
	w.Add(journalfiletest.Entry{Realtime: uint64(t0.Add(time.Duration(second) * time.Second).UnixMicro()),
		Monotonic: 1, Boot: "boot", Fields: []string{
			"_HOSTNAME=n1", "_SYSTEMD_UNIT=kubelet.service", "SYSLOG_IDENTIFIER=kubelet", "_PID=80",
			"MESSAGE=I1121 07:00:05.100000      80 server.go:486] \"Kubelet version\" kubeletVersion=\"v1.31.0\""}})
	return w.Bytes()
}

func TestJournalFilesAreTakenFromWhereverTheyAre(t *testing.T) {
	system := journalFile(t, "a", 5)
	archive := filetest.Tar(t0, filetest.Entry{Name: "sos/var/log/journal/1/system.journal", Body: string(system)},
		filetest.Entry{Name: "sos/var/log/journal/1/system@1.journal", Body: string(journalFile(t, "b", 1))})
	for _, c := range []struct {
		name   string
		files  map[string][]byte
		open   string
		starts int
	}{
		{"a file by itself", map[string][]byte{"system.journal": system}, "system.journal", 1},
		{"a file that was set aside", map[string][]byte{"system@1-2.journal~": system}, "system@1-2.journal~", 1},
		{"a file under another name", map[string][]byte{"thing.bin": system}, "thing.bin", 1},
		{"a compressed file", map[string][]byte{"system.journal.gz": filetest.Gzip(system)}, "system.journal.gz", 1},
		{"a directory like /var/log/journal", map[string][]byte{"1/system.journal": system,
			"1/system@1.journal": journalFile(t, "b", 1), "1/user-1000.journal": journalFile(t, "c", 2)}, "", 1},
		{"a directory with other logs beside it", map[string][]byte{"journal/1/system.journal": system,
			"messages": []byte("Nov 21 07:00:00 n1 cron[1]: x\n")}, "", 1},
		{"a directory with a compressed file", map[string][]byte{"system.journal.gz": filetest.Gzip(system)}, "", 1},
		{"an archive", map[string][]byte{"sos.tar": archive}, "sos.tar", 1},
		{"a bundle's place for them", map[string][]byte{"bundle.json": []byte(collected),
			"nodes/n1/journal/system.journal": system}, "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filetest.Plant(t, c.files)
			// Neither size nor memory limits may turn a journal into a stream.
			b, _, err := foreign.Open(filepath.Join(dir, c.open), "",
				bundle.Options{Now: t0.Add(time.Hour), Limits: bundle.Limits{MemoryBytes: 512}})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := b.Close(); err != nil {
					t.Error(err)
				}
			}()
			s := Observe(Load(b, apiobject.Hasher{}), b.Manifest.CollectedAt)
			if got := started(s); len(got) != c.starts || got[0] != "n1" {
				t.Errorf("kubelets started on %q, gaps %q", got, whys(s.Gaps))
			}
			for _, g := range s.Gaps {
				if !strings.Contains(g.Why, "messages") { // a log without a year
					t.Errorf("a gap: %+v", g)
				}
			}
		})
	}
}

func TestTwoJournalFilesOfOneNameAreBothRead(t *testing.T) {
	dir := filetest.Plant(t, map[string][]byte{
		"a/b.journal": journalFile(t, "a", 1), "a_b.journal": journalFile(t, "b", 2)})
	b, _, err := foreign.Open(dir, "n9", bundle.Options{Now: t0.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	y := Load(b, apiobject.Hasher{})
	if len(y.Pieces) != 1 || len(y.Pieces[0].Files()) != 2 {
		t.Fatalf("%d pieces", len(y.Pieces))
	}
	for _, f := range y.Pieces[0].Files() {
		if !strings.HasPrefix(f.Path, "nodes/n9/journal/") || !strings.HasSuffix(f.Path, "a_b.journal") {
			t.Error(f.Path)
		}
	}
}

// A journal in a directory is read in place: its size is no matter.
func TestALargeJournalInADirectoryIsNotCut(t *testing.T) {
	dir := filetest.Plant(t, map[string][]byte{
		"system.journal": append(journalFile(t, "a", 1), make([]byte, 1<<20)...),
		"messages":       bytes.Repeat([]byte("Nov 21 07:00:00 n1 cron[1]: x\n"), 100),
	})
	b, _, err := foreign.Open(dir, "", bundle.Options{Now: t0.Add(time.Hour),
		Limits: bundle.Limits{LogBytes: 1000, TotalBytes: 10_000}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	if len(b.Files) != 2 || b.Cut("system.journal") || len(started(Observe(Load(b, apiobject.Hasher{}), t0))) != 1 {
		t.Errorf("%d files, gaps %q", len(b.Files), whys(b.Gaps))
	}
}
