package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/hashcmd"
)

// hashData reads the lines of a file of recorded hashes.
func hashData(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "analyzer", "kubelet", "hash", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimRight(string(data), "\n"), "\n")
}

// TestHashOfAFileEqualsWhatKubeletsStore sends the recorded containers through the whole command, as one list of pods,
// and compares with the hashes that each minor's own types gave.
func TestHashOfAFileEqualsWhatKubeletsStore(t *testing.T) {
	corpus := hashData(t, "corpus.jsonl")
	want := map[string][]string{} // minor → hash per container
	var minors []string
	for _, table := range []string{"structvectors.tsv", "vectors.tsv"} {
		rows := hashData(t, table)
		for column, heading := range strings.Split(rows[0], "\t") {
			if strings.HasSuffix(heading, "/without-resources") {
				continue
			}
			version := "v" + heading
			switch heading {
			case "1.27", "1.28", "1.29":
				version += ".0" // their last patches write some strings in another way
			case "1.29/late":
				version = "v1.29.14"
			}
			for _, row := range rows[1:] {
				want[version] = append(want[version], strings.Split(row, "\t")[column])
			}
			minors = append(minors, version)
		}
	}
	if len(minors) < 28 {
		t.Fatalf("only %d minors recorded: %v", len(minors), minors)
	}
	const pod = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p%d"},"spec":{"containers":[%s]}}`
	var items []string
	for i, line := range corpus {
		var c corev1.Container
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		// A file must name its containers, and may not hold an amount that the API would silently cap.
		if c.Name != "" && !strings.Contains(line, "12345678901234567890123") {
			items = append(items, fmt.Sprintf(pod, i, line))
		}
	}
	code, out, errOut := hashed(t, `{"apiVersion":"v1","kind":"List","items":[`+strings.Join(items, ",")+"]}",
		"-o", "json", "--kubelet", strings.Join(minors, ","))
	if code != command.ExitDone {
		t.Fatal(errOut)
	}
	compared := 0
	for _, item := range itemsOf(t, out) {
		var at int
		if _, err := fmt.Sscanf(item.Pod, "p%d", &at); err != nil {
			t.Fatal(err)
		}
		compared++
		if item.Hash != want[item.Kubelet][at] {
			t.Errorf("container %d for %s: %s, want %s", at, item.Kubelet, item.Hash, want[item.Kubelet][at])
		}
	}
	if compared != len(items)*len(minors) || compared < 3000 {
		t.Errorf("%d hashes compared of %d containers and %d minors", compared, len(items), len(minors))
	}
}

func TestRunsJoinNeighbouringMinorsOnly(t *testing.T) {
	item := func(version, hash string, place int) hashcmd.Item {
		v, err := kubelet.ParseVersion(version)
		if err != nil {
			t.Fatal(err)
		}
		return hashcmd.Item{Kubelet: v.String(), Hash: hash, Version: v, Place: place, Algorithm: "x"}
	}
	for name, test := range map[string]struct {
		items []hashcmd.Item
		want  []string
	}{
		"three minors agree": {[]hashcmd.Item{item("v1.30", "a", 1),
			item("v1.31", "a", 1), item("v1.32", "a", 1)}, []string{"1.30–1.32 a"}},
		"a change parts them": {[]hashcmd.Item{item("v1.29", "a", 1),
			item("v1.30", "a", 1), item("v1.31", "b", 1)}, []string{"1.29–1.30 a", "1.31 b"}},
		"what was not asked for is no part": {[]hashcmd.Item{item("v1.29", "a", 1), item("v1.31", "a", 1)},
			[]string{"1.29 a", "1.31 a"}},
		"patches stay apart": {[]hashcmd.Item{item("v1.30.1", "a", 1), item("v1.31.2", "a", 1)},
			[]string{"1.30.1 a", "1.31.2 a"}},
		"so do vendors' builds": {[]hashcmd.Item{item("v1.30", "a", 1), item("v1.31-eks-1", "a", 1)},
			[]string{"1.30 a", "1.31-eks-1 a"}},
		"containers of one hash stay apart": {[]hashcmd.Item{item("v1.30", "a", 1), item("v1.31", "a", 2)},
			[]string{"1.30 a", "1.31 a"}},
		"an order of one's own is kept": {[]hashcmd.Item{item("v1.31", "a", 1), item("v1.30", "a", 1)},
			[]string{"1.31 a", "1.30 a"}},
		"a hash that comes back is two runs": {[]hashcmd.Item{item("v1.29", "a", 1),
			item("v1.30", "b", 1), item("v1.31", "a", 1)}, []string{"1.29 a", "1.30 b", "1.31 a"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, r := range (&hashcmd.Listing{Items: test.items}).Rows() {
				got = append(got, r.Kubelets+" "+r.Hash)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestStaticRowsJoinWhatMayShareAUID(t *testing.T) {
	row := func(version string, run ...string) hashcmd.StaticPodItem {
		return hashcmd.StaticPodItem{Pod: "web-n", Namespace: "default", Kubelet: version,
			Algorithm: "md5-pod", UIDRun: run, Why: "because"}
	}
	got := (&hashcmd.Listing{StaticPods: []hashcmd.StaticPodItem{
		row("v1.16", "v1.16", "v1.17"), row("v1.17", "v1.16", "v1.17"), row("v1.18", "v1.18", "v1.18"),
		{Pod: "web-n", Namespace: "default", Kubelet: "v1.19", Algorithm: "manifest", UID: "u"},
	}}).StaticRows()
	want := []report.StaticPodRow{
		{Pod: "default/web-n", Kubelets: "1.16–1.17", UIDFrom: "md5-pod", Why: "because"},
		{Pod: "default/web-n", Kubelets: "1.18", UIDFrom: "md5-pod", Why: "because"},
		{Pod: "default/web-n", Kubelets: "1.19", UIDFrom: "manifest (u)"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if rows := (&hashcmd.Listing{}).StaticRows(); len(rows) > 0 {
		t.Errorf("without static pods: %v", rows)
	}
}

func TestStepsBetweenVersionsAreCompared(t *testing.T) {
	item := func(container, version, hash string, place int) hashcmd.Item {
		v, err := kubelet.ParseVersion(version)
		if err != nil {
			t.Fatal(err)
		}
		return hashcmd.Item{Container: container, Kubelet: v.String(), Hash: hash, Version: v, Place: place, Algorithm: "x"}
	}
	for name, test := range map[string]struct {
		items    []hashcmd.Item
		want     []report.HashStep
		compared bool
	}{
		"one version":     {[]hashcmd.Item{item("a", "v1.30", "1", 1)}, nil, false},
		"nothing changes": {[]hashcmd.Item{item("a", "v1.30", "1", 1), item("a", "v1.31", "1", 1)}, nil, true},
		"all change": {[]hashcmd.Item{item("a", "v1.30", "1", 1), item("a", "v1.31", "2", 1),
			item("b", "v1.30", "3", 2), item("b", "v1.31", "4", 2)},
			[]report.HashStep{{From: "v1.30", To: "v1.31", Containers: []string{"a", "b"}, All: true}}, true},
		"one of two": {[]hashcmd.Item{item("a", "v1.30", "1", 1), item("a", "v1.31", "2", 1),
			item("b", "v1.30", "3", 2), item("b", "v1.31", "3", 2)},
			[]report.HashStep{{From: "v1.30", To: "v1.31", Containers: []string{"a"}}}, true},
		"versions in order": {[]hashcmd.Item{item("a", "v1.30", "1", 1), item("a", "v1.31", "2", 1),
			item("b", "v1.15", "3", 2), item("b", "v1.16", "4", 2)},
			[]report.HashStep{{From: "v1.15", To: "v1.16", Containers: []string{"b"}},
				{From: "v1.30", To: "v1.31", Containers: []string{"a"}}}, true},
	} {
		got, compared := (&hashcmd.Listing{Items: test.items}).Steps()
		if diff := cmp.Diff(test.want, got); diff != "" || compared != test.compared {
			t.Errorf("%s: compared %v\n%s", name, compared, diff)
		}
	}
}

func TestWhatAFileSaysIsShownSafely(t *testing.T) {
	hostile := "apiVersion: v1\nkind: Pod\nmetadata: {name: \"we\\e[31mb\"}\nspec:\n  containers: [{name: \"a\\u202e\\e]0;x\\a\", image: i}]\n"
	for _, args := range [][]string{nil, {"-o", "wide"}, {"-o", "json"}, {"-o", "yaml"},
		{"-c", "none"}, {"--static-pod", "--node", "n\x1b[1m", "--path", "/x\x1b[2m"}} {
		_, out, errOut := hashed(t, hostile, args...)
		if text := out + errOut; strings.ContainsAny(text, "\x1b\a\u202e") || text == "" {
			t.Errorf("%v prints %q", args, text)
		}
	}
	_, _, errOut := hashed(t, "apiVersion: v1\nkind: \"P\\e[31mod\"\n")
	if strings.Contains(errOut, "\x1b") || errOut == "" {
		t.Errorf("the error is %q", errOut)
	}
}
