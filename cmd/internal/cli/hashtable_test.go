package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
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

func TestWhatAFileSaysIsShownSafely(t *testing.T) {
	hostile := "apiVersion: v1\nkind: Pod\nmetadata: {name: \"we\\e[31mb\"}\nspec:\n  containers: [{name: \"a\\u202e\\e]0;x\\a\", image: i}]\n"
	for _, args := range [][]string{nil, {"-o", "wide"}, {"-o", "json"}, {"-o", "yaml"},
		{"-c", "none"}} {
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
