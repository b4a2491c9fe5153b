package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const decided = "example.org/analyzer/kubelet/decide/"

func TestOnlyAFullRunMustReachEveryBlock(t *testing.T) {
	both := "mode: set\n" + decided + "actions.go:1.2,3.4 2 1\n" + decided + "trace.go:5.6,7.8 1 0\n"
	for name, test := range map[string]struct {
		cases, unit string
		part        bool
		well        bool
		says, left  string
	}{
		"a block by nothing": {both, "mode: set\n", false, false,
			"1 of 2 blocks of our computePodActions reached by cases\noracle-decision: by nothing: trace.go:5.6,7.8",
			"trace.go:5.6,7.8 nothing\n"},
		"a part of the cases": {both, "mode: set\n", true, true, "1 of 2 blocks", "trace.go:5.6,7.8 nothing\n"},
		"a block by a unit test": {both, decided + "trace.go:5.6,7.8 1 3\n",
			false, true, "by unit tests alone, for minors that cannot be built and words of a caller: trace.go:5.6,7.8",
			"trace.go:5.6,7.8 unit test\n"},
		"a block that stands twice": {both + decided + "trace.go:5.6,7.8 1 1\n",
			"mode: set\n", false, true, "2 of 2 blocks", ""},
		"a file that is not judged": {decided + "actions.go:1.2,3.4 2 1\n" + decided + "backoff.go:1.2,3.4 2 0\n",
			"", false, true, "1 of 1 blocks", ""},
		"a package that is not judged": {decided + "actions.go:1.2,3.4 2 1\nexample.org/other/x.go:1.2,3.4 2 0\n",
			"", false, true, "1 of 1 blocks", ""},
		"a block without a statement": {decided + "actions.go:1.2,3.4 2 1\n" + decided + "actions.go:4.2,4.4 0 0\n",
			"", false, true, "1 of 1 blocks", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			cases, unit, left := filepath.Join(dir, "cases"), filepath.Join(dir, "unit"), filepath.Join(dir, "left")
			write(t, cases, test.cases)
			write(t, unit, test.unit)
			var out bytes.Buffer
			well, err := run(&out, cases, unit, left, test.part)
			if err != nil || well != test.well || !strings.Contains(out.String(), test.says) {
				t.Errorf("well %v, error %v, said %s", well, err, &out)
			}
			if got, _ := os.ReadFile(left); string(got) != test.left {
				t.Errorf("left %q, want %q", got, test.left)
			}
		})
	}
}

func TestAProfileThatTellsNothingIsAnError(t *testing.T) {
	for _, text := range []string{"", "mode: set\n", decided + "actions.go:1.2,3.4 two\n"} {
		file := filepath.Join(t.TempDir(), "cases")
		write(t, file, text)
		if well, err := run(&bytes.Buffer{}, file, file, filepath.Join(t.TempDir(), "left"), true); well || err == nil {
			t.Errorf("%q: well %v, error %v", text, well, err)
		}
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
