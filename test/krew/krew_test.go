package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// released writes a folder as make dist does, with one archive.
func released(t *testing.T, archive, promised string) check {
	t.Helper()
	dir := t.TempDir()
	manifest := "spec:\n  platforms:\n  - selector:\n      matchLabels:\n        os: linux\n        arch: arm\n" +
		"    uri: https://example.org/v1/plugin_linux_arm.tar.gz\n    sha256: \"" + promised + "\"\n"
	for name, text := range map[string]string{manifestFile: manifest, "plugin_linux_arm.tar.gz": archive} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return check{dist: dir}
}

func TestTheManifestIsReadWithItsDigests(t *testing.T) {
	got, err := released(t, "bytes", fmt.Sprintf("%x", sha256.Sum256([]byte("bytes")))).manifest()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]platform{{"linux/arm", "plugin_linux_arm.tar.gz"}}, got, cmp.AllowUnexported(platform{})); d != "" {
		t.Errorf("platforms (-want +got):\n%s", d)
	}
}

func TestAnArchiveWithAnotherDigestIsRefused(t *testing.T) {
	_, err := released(t, "other bytes", strings.Repeat("0", 64)).manifest()
	if err == nil || !strings.Contains(err.Error(), "the manifest promises 0000") {
		t.Errorf("got %v", err)
	}
}

func TestWhatIsNotThereIsNamed(t *testing.T) {
	if _, err := (check{dist: t.TempDir()}).manifest(); err == nil ||
		!strings.Contains(err.Error(), "make dist writes it") {
		t.Errorf("no manifest: %v", err)
	}
	c := released(t, "", "")
	if err := os.Remove(filepath.Join(c.dist, "plugin_linux_arm.tar.gz")); err != nil {
		t.Fatal(err)
	}
	if _, err := c.manifest(); err == nil || !strings.Contains(err.Error(), "plugin_linux_arm.tar.gz") {
		t.Errorf("no archive: %v", err)
	}
	c.work, c.path = t.TempDir(), filepath.Join(t.TempDir(), "path")
	if err := c.programs(t.Context(), t.TempDir(), "/bin/sh"); err == nil || !strings.Contains(err.Error(), "krew") {
		t.Errorf("no krew: %v", err)
	}
}
