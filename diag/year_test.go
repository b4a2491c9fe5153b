package diag

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/foreign"
)

// yearCase is a collection that was analysed on 2026-11-22 and of which nobody knows when it was made.
type yearCase struct {
	files map[string]string
	name  string         // of the directory
	years map[string]int // by the first word of what the lines say
	guess string         // "" where a date tells it
}

const (
	bareKubelet = "I1231 23:59:58.000000      80 server.go:486] \"Kubelet version\" kubeletVersion=\"v1.31.1\"\n" +
		"I0101 00:00:03.000000      80 server.go:488] \"Golang settings\" GOGC=\"\"\n" +
		"I0102 07:00:05.000000      81 server.go:486] \"Kubelet version\" kubeletVersion=\"v1.31.2\"\n"
	bareSyslog = "Dec 30 07:00:05 n1 kubelet[70]: I1230 07:00:05.100000      70 server.go:486] \"Kubelet version\" kubeletVersion=\"v1.31.3\"\n" +
		"Dec 30 07:00:06 n1 kubelet[70]: I1230 07:00:06.100000      70 server.go:488] \"Golang settings\" GOGC=\"\"\n"
)

func podOf(date string) string {
	return `{"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"web-0","namespace":"shop","uid":"u1","creationTimestamp":"` + date + `"},"spec":{"nodeName":"n1","containers":[{"name":"a","image":"x:1"}]}}]}`
}

func TestOneYearForAllFilesOfACollection(t *testing.T) {
	begins := "-- Logs begin at Fri 2022-11-04 08:46:02 UTC, end at Mon 2023-01-02 10:01:02 UTC. --\n"
	base := map[string]int{"v1.31.1": 2022, "v1.31.2": 2023, "v1.31.3": 2022}
	for name, c := range map[string]yearCase{
		"nothing tells": {files: map[string]string{},
			years: map[string]int{"v1.31.1": 2025, "v1.31.2": 2026, "v1.31.3": 2025}, guess: "nothing but the files' own times"},
		"journalctl tells": {files: map[string]string{"other.log": begins + bareSyslog}, years: base},
		"another log": {
			files: map[string]string{
				"iso.log": "2023-01-02T08:00:00+0000 n1 kubelet[80]: x\n2023-01-02T08:00:01+0000 n1 kubelet[80]: y\n"},
			years: base},
		"pods of these days": {files: map[string]string{"pods.json": podOf("2022-12-30T10:00:00Z")},
			years: base},
		"older pods": {files: map[string]string{"pods.json": podOf("2021-06-30T10:00:00Z")},
			years: map[string]int{"v1.31.1": 2025, "v1.31.2": 2026, "v1.31.3": 2025}, guess: "nothing but the files' own times"},
		"a date in a name":           {files: map[string]string{"messages-20230103": bareSyslog}, years: base},
		"a date in the input's name": {files: map[string]string{}, name: "report-2023-01-03-abcdefg", years: base},
		"a date that is still to come": {files: map[string]string{"messages-20390103": bareSyslog},
			years: map[string]int{"v1.31.1": 2025, "v1.31.2": 2026, "v1.31.3": 2025}, guess: "nothing but the files' own times"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "x"+c.name)
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			c.files["kubelet.log"] = bareKubelet
			if len(c.files) == 1 || c.files["other.log"] == "" {
				c.files["syslog"] = bareSyslog
			}
			for file, text := range c.files {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s := together(t, dir)
			seen := map[string]int{}
			for _, o := range s.Observations {
				if k, ok := o.Fact.(evidence.KubeletStarted); ok && k.Version != "" {
					seen[k.Version] = o.Time.Year()
				}
			}
			for version, year := range c.years {
				if seen[version] != year {
					t.Errorf("%s of %d, want %d", version, seen[version], year)
				}
			}
			var said []string
			for _, g := range s.Gaps {
				if strings.Contains(g.Why, "have no year") {
					said = append(said, g.Why)
				}
			}
			if c.guess == "" && said != nil || c.guess != "" && (len(said) != 1 || !strings.Contains(said[0], c.guess)) {
				t.Errorf("the year is said as %q", said)
			}
		})
	}
}

// What one input knows of the year counts for the others: they are of one story.
func TestOneYearForAllInputs(t *testing.T) {
	dir := t.TempDir()
	log, pods := filepath.Join(dir, "kubelet.log"), filepath.Join(dir, "pods.json")
	for file, text := range map[string]string{log: bareKubelet, pods: podOf("2022-12-30T10:00:00Z")} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, o := range together(t, log, pods).Observations {
		if k, ok := o.Fact.(evidence.KubeletStarted); ok && k.Version == "v1.31.2" && o.Time.Year() != 2023 {
			t.Errorf("%s at %s", k.Version, o.Time)
		}
	}
}

// A log whose lines tell no zone is in the one that another log of its node shows; where two show different ones, it is
// not known.
func TestOneZoneForAllLogsOfANode(t *testing.T) {
	runtimes := func(node, zone string) string {
		return "Dec 30 07:00:01 " + node + ` containerd[60]: time="2022-12-30T` + zone +
			`" level=info msg="containerd successfully booted"` + "\n"
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"none":           {nil, "07:00"},
		"its runtime's":  {map[string]string{"containerd.log": runtimes("n1", "06:00:01Z")}, "06:00"},
		"another node's": {map[string]string{"containerd.log": runtimes("n2", "06:00:01Z")}, "07:00"},
		"two that differ": {map[string]string{"a.log": runtimes("n1", "06:00:01Z"),
			"b.log": runtimes("n1", "05:00:01Z")}, "07:00"},
		"two that are alike": {map[string]string{"a.log": runtimes("n1", "06:00:01Z"),
			"b.log": runtimes("n1", "06:00:01Z")}, "06:00"},
	} {
		dir := t.TempDir()
		for file, text := range c.files {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "kubelet.log"), []byte(bareSyslog), 0o600); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, o := range together(t, dir).Observations {
			if _, ok := o.Fact.(evidence.KubeletStarted); ok {
				got = o.Time.UTC().Format("15:04")
			}
		}
		if got != c.want {
			t.Errorf("%s: the kubelet started at %s, want %s", name, got, c.want)
		}
	}
}

// together reads inputs as analyze does.
func together(t *testing.T, names ...string) *evidence.Snapshot {
	t.Helper()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	var all []*bundle.Bundle
	for _, name := range names {
		b, _, err := foreign.Open(name, "", bundle.Options{Now: now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = b.Close() })
		all = append(all, b)
	}
	return Observe(LoadAll(all, apiobject.Hasher{}), now)
}
