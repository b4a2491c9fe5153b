package cli

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func rendered(t *testing.T, name string, lines []line) string {
	t.Helper()
	for _, e := range encodings() {
		if e.name == name {
			return e.render(lines)
		}
	}
	t.Fatalf("no encoding %q", name)
	return ""
}

// Whoever keeps his logs in a store exports many, of several nodes, more than once.
func TestStoresAsPeopleHaveThem(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is the race detector's run: this has one goroutine, and make test runs it whole")
	}
	lines := kubeletsOwn(t, upgrades)
	want := analysed(t, each(plainKlog)(lines), "-", "--node", "n3").counts
	jsonl, csv := rendered(t, "logcli -o jsonl, the newest first", lines), rendered(t, "Splunk, CSV", lines)
	half := len(lines) / 2
	fifth := kubeletsOwn(t, "kubelet-1.20")
	mixed := slices.Concat(lines, fifth)
	slices.SortStableFunc(mixed, func(a, b line) int { return a.at.Compare(b.at) })
	both := analysed(t, each(plainKlog)(fifth), "-", "--node", "n5").counts
	maps.Copy(both, want)
	for name, c := range map[string]struct {
		stdin string
		path  string
		want  map[string]int
		says  string
	}{
		"in a directory":     {path: tree{"logs/a.jsonl": jsonl, "logs/notes.txt": "hello\n"}.dir(t), want: want},
		"in a zip":           {path: file(t, "x.zip", tree{"a.csv": csv}.zip()), want: want},
		"on standard input":  {stdin: jsonl, want: want},
		"every record twice": {stdin: jsonl + jsonl, want: want, says: "appear twice"},
		"in two halves": {path: tree{"b.csv": rendered(t, "Splunk, CSV", lines[half:]),
			"a.csv": rendered(t, "Splunk, CSV", lines[:half])}.dir(t), want: nil},
		"of two hosts":       {stdin: rendered(t, "Cloud Logging, JSON lines", mixed), want: both},
		"with a half record": {stdin: jsonl + jsonl[:100], want: want, says: "in the middle of a record"},
		"with lines of others": {stdin: `{"line":"hello","labels":{"app":"x"},"timestamp":"2026-11-21T08:00:00Z"}` +
			"\n" + jsonl, want: want},
		"with containers' records": {stdin: strings.ReplaceAll(objects(func(l line) any {
			return m{"labels": m{"pod": "p", "container": "c"}, "line": l.text, "timestamp": rfc(l)}
		})(lines), "liveness-exec", "forged") + jsonl, want: want, says: "are a container's output"},
		"behind much else": {stdin: strings.Repeat("something else that is no log\n", 20_000) + each(plainKlog)(lines),
			want: want, says: "are not recognised"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.path == "" {
				c.path = "-"
			}
			v := analysed(t, c.stdin, c.path)
			if c.want != nil {
				if diff := cmp.Diff(c.want, v.counts); diff != "" {
					t.Errorf("%s\ngaps: %q", diff, v.gaps)
				}
			}
			if v.pods["forged"] {
				t.Error("a container's words are believed")
			}
			if c.says != "" {
				v.says(t, c.says)
			}
		})
	}
}

// A container's output may stand in a directory under any name; its lines look like a kubelet's if it
// wants.
func TestOutputOfContainersInADirectoryIsNotBelieved(t *testing.T) {
	lines := kubeletsOwn(t, upgrades)
	wrapped := rendered(t, "docker logs -t", lines)
	v := analysed(t, "", tree{"app.log": strings.ReplaceAll(wrapped, "liveness-exec", "forged"),
		"node.log": printed(recorded(t, upgrades), iso)}.dir(t))
	v.agrees(t, truth("n3"))
	v.says(t, "app.log: it is the output of a container")
	if own := analysed(t, "", tree{"kubelet-n3.log": wrapped,
		"other.log": printed(recorded(t, "kubelet-1.20"),
			iso)}.dir(t)); own.counts["n3 liveness-exec liveness-probe-failed"] == 0 {
		t.Errorf("a kubelet's own container: %v, %q", own.counts, own.gaps)
	}
}

func TestMinikubeLogs(t *testing.T) {
	lines := recorded(t, upgrades)
	forgery := strings.ReplaceAll(forged, "2026-11-21T08:33:00.5Z stderr F ", "")
	for name, mark := range map[string]string{"with marks": "* ", "without": ""} {
		section := func(name, text string) string {
			return mark + "==> " + name + " <==\n" + mark + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+mark) +
				"\n"
		}
		var kubelet []line
		for _, l := range lines {
			if l.ident == "kubelet" {
				kubelet = append(kubelet, l)
			}
		}
		node := section("kubelet", "-- Logs begin at Sat 2026-11-21 07:00:00 UTC. --\n"+printed(kubelet, short))
		t.Run(name, func(t *testing.T) {
			v := analysed(t, section("coredns [abc]", forgery)+section("describe nodes", "Name: n3\n")+
				node+section("storage-provisioner [x]", forgery), "-")
			if v.pods["forged"] || v.counts["n3 liveness-exec liveness-probe-failed"] != 9 {
				t.Errorf("%v %q", v.counts, v.gaps)
			}
		})
		t.Run(name+", a container prints the head of a section", func(t *testing.T) {
			v := analysed(t, section("coredns [abc]", "x\n"+mark+"==> kubelet <==\n"+forgery)+node, "-")
			if v.pods["forged"] {
				t.Error("the words of a container are taken for a kubelet's")
			}
			if mark == "" {
				v.says(t, "none is trusted")
			}
		})
	}
}

func TestObjectsAsPeopleHaveThem(t *testing.T) {
	want := map[string]int{"n1 web-0 liveness-probe-failed": 1}
	pod := strings.TrimSuffix(strings.TrimPrefix(apiPods("n1"), `{"apiVersion":"v1","kind":"PodList","items":[`), `]}`)
	event := strings.TrimSuffix(strings.TrimPrefix(apiEvents, `{"apiVersion":"v1","kind":"EventList","items":[`), `]}`)
	older := strings.Replace(strings.Replace(pod, `"restartCount":1`, `"restartCount":0`, 1),
		`"uid":"u1"`, `"uid":"u1","resourceVersion":"5"`, 1)
	newer := strings.Replace(pod, `"uid":"u1"`, `"uid":"u1","resourceVersion":"12"`, 1)
	for name, text := range map[string]string{
		"a list without a kind":        `{"metadata":{},"items":[` + pod + `,` + event + `]}`,
		"a bare list":                  `[` + pod + `,` + event + `]`,
		"objects one behind the other": pod + "\n" + event + "\n",
		"a watch": `{"type":"ADDED","object":` + older +
			"}\n" + `{"type":"MODIFIED","object":` + newer + "}\n" + `{"type":"ADDED","object":` + event + "}\n",
		"a watch, the newest first": newer + "\n" + older + "\n" + event + "\n",
		"an exporter's lines":       `{"verb":"ADDED","event":` + event + "}\n" + pod + "\n",
		"behind what kubectl said":  "W1121 10:00:00.000000   12 loader.go:221] Config not found\nFlag --x has been deprecated\n" + `{"items":[` + pod + "," + event + "]}\n",
		"UTF-16":                    wide(apiPods("n1")+"\n"+apiEvents, true),
		"a record of a store for each": `{"timestamp":"2026-11-21T09:00:00Z","jsonPayload":{"message":` +
			asJSON(event) + "}}\n" + pod + "\n",
		"events in an Insights archive": `{"items":[` + event + `]}` + "\n" + pod,
	} {
		t.Run(name, func(t *testing.T) { analysed(t, text, "-").agrees(t, want) })
	}
	t.Run("what kubectl describe prints", func(t *testing.T) {
		now := time.Date(2026, 11, 21, 9, 5, 42, 0, time.UTC)
		text := "Name:         web-0\nNamespace:    shop\nNode:         n1/10.0.0.1\nStatus:       Running\nContainers:\n  app:\n    Container ID:   containerd://bbbb\n    Image:          busybox:1.36\n    State:          Running\n      Started:      " +
			now.Add(-322*time.Second).Format(time.RFC1123Z) +
			"\n    Last State:     Terminated\n      Reason:       Error\n      Exit Code:    137\n      Started:      Sat, 21 Nov 2026 08:59:00 +0000\n      Finished:     Sat, 21 Nov 2026 09:00:10 +0000\n    Ready:          True\n    Restart Count:  1\n" +
			"    Liveness:       exec [cat /x] delay=0s timeout=1s period=10s #success=1 #failure=3\nEvents:\n  Type     Reason     Age                   From     Message\n  ----     ------     ----                  ----     -------\n" +
			"  Normal   Started    5m22s (x2 over 6m)    kubelet  Started container app\n  Warning  Unhealthy  5m42s (x3 over 6m2s)  kubelet  Liveness probe failed: cat: /x: No such file\n  Normal   Killing    5m42s                 kubelet  Container app failed liveness probe, will be restarted\n"
		v := analysed(t, text, "-")
		v.agrees(t, want)
		if len(v.proven) > 0 {
			t.Errorf("proven by a description: %v", v.proven)
		}
	})
}
