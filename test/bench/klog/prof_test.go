package main

import (
	"bytes"
	"os"
	"testing"
)

func TestProf(t *testing.T) {
	if os.Getenv("PROFLOG") == "" {
		t.Skip("x")
	}
	var b bytes.Buffer
	if err := readOnce(&b, os.Getenv("PROFLOG")); err != nil {
		t.Fatal(err)
	}
	t.Log(b.String())
}
