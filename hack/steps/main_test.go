package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestAStepThatFailsEndsNoneOfTheOthers(t *testing.T) {
	var out bytes.Buffer
	if run(&out, "all", []string{"echo a; echo 1 case", "false", "echo b"}) {
		t.Error("a step failed, and nobody is told")
	}
	if !strings.HasSuffix(out.String(), "all: 1 case; false: exit status 1; b\n") {
		t.Errorf("the last line is that of the steps: %q", out.String())
	}
	if !run(&out, "all", []string{"true", "echo b"}) {
		t.Error("all steps succeeded")
	}
}
