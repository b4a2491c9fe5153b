package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// packed writes two binaries and packs them as a release does.
func packed(t *testing.T, args ...string) string {
	t.Helper()
	in, out := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"a": "ELF", "b.exe": "MZ", "LICENSE": "Apache"} {
		if err := os.WriteFile(filepath.Join(in, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all := append([]string{"-version", "v1.2.3", "-time", "1700000000", "-o",
		out, "-license", filepath.Join(in, "LICENSE")}, args...)
	all = append(all, "linux/amd64="+filepath.Join(in, "a"), "windows/arm64="+filepath.Join(in, "b.exe"))
	if err := run(all); err != nil {
		t.Fatal(err)
	}
	return out
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAnArchiveHoldsTheBinaryAndTheLicence(t *testing.T) {
	dir := packed(t)
	z, err := gzip.NewReader(bytes.NewReader(read(t, dir, "kubectl-restartwhy_v1.2.3_linux_amd64.tar.gz")))
	if err != nil {
		t.Fatal(err)
	}
	if z.Name != "" || !z.ModTime.IsZero() {
		t.Errorf("the gzip header says name %q, time %v", z.Name, z.ModTime)
	}
	type file struct {
		Name, Text string
		Mode       int64
	}
	var got []file
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if h.Uid != 0 || h.Uname != "" || !h.ModTime.Equal(time.Unix(1700000000, 0)) {
			t.Errorf("%s belongs to %d %q and is of %v", h.Name, h.Uid, h.Uname, h.ModTime)
		}
		got = append(got, file{h.Name, string(text), h.Mode})
	}
	if d := cmp.Diff([]file{{"LICENSE", "Apache", 0o644}, {"kubectl-restartwhy", "ELF", 0o755}}, got); d != "" {
		t.Errorf("archive (-want +got):\n%s", d)
	}
}

func TestWindowsGetsAZipWithAnExe(t *testing.T) {
	b := read(t, packed(t), "kubectl-restartwhy_v1.2.3_windows_arm64.zip")
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range z.File {
		got = append(got, f.Name+" "+f.Mode().String()+" "+f.Modified.UTC().Format(time.RFC3339))
	}
	want := []string{"LICENSE -rw-r--r-- 2023-11-14T22:13:20Z", "kubectl-restartwhy.exe -rwxr-xr-x 2023-11-14T22:13:20Z"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("archive (-want +got):\n%s", d)
	}
}

func TestTheSameFilesGiveTheSameBytes(t *testing.T) {
	a, b := packed(t), packed(t)
	if d := cmp.Diff(string(read(t, a, "checksums.txt")), string(read(t, b, "checksums.txt"))); d != "" {
		t.Errorf("packed twice (-first +second):\n%s", d)
	}
	if n := strings.Count(string(read(t, a, "checksums.txt")), "\n"); n != 2 {
		t.Errorf("checksums.txt has %d lines, want 2", n)
	}
}

func TestTheManifestNamesTheArchivesAtHand(t *testing.T) {
	template := filepath.Join(t.TempDir(), "restartwhy.yaml")
	text := "version: {{ .TagName }}\n    {{ addURIAndSha \"https://example.org/{{ .TagName }}/kubectl-restartwhy_{{ .TagName }}_linux_amd64.tar.gz\" .TagName }}\n"
	if err := os.WriteFile(template, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := packed(t, "-manifest", template)
	digest, _, _ := strings.Cut(string(read(t, dir, "checksums.txt")), " ")
	want := "version: v1.2.3\n    uri: https://example.org/v1.2.3/kubectl-restartwhy_v1.2.3_linux_amd64.tar.gz\n    sha256: " + digest + "\n"
	if d := cmp.Diff(want, string(read(t, dir, "restartwhy.yaml"))); d != "" {
		t.Errorf("manifest (-want +got):\n%s", d)
	}
}

func TestTheTemplateOfThePluginIsFilledCompletely(t *testing.T) {
	text, err := os.ReadFile("../../krew/restartwhy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for _, p := range []string{"linux_amd64.tar.gz", "linux_arm64.tar.gz",
		"linux_arm.tar.gz", "darwin_amd64.tar.gz", "darwin_arm64.tar.gz", "windows_amd64.zip", "windows_arm64.zip"} {
		sums["kubectl-restartwhy_v0.1.0_"+p] = strings.Repeat("a", 64)
	}
	out, err := fill(string(text), "v0.1.0", sums)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out, "sha256: "+strings.Repeat("a", 64)+"\n"); n != len(sums) {
		t.Errorf("%d digests are in the manifest, want %d", n, len(sums))
	}
	delete(sums, "kubectl-restartwhy_v0.1.0_linux_arm.tar.gz")
	out, err = fill(only(string(text), "v0.1.0", sums), "v0.1.0", sums)
	if err != nil || strings.Count(out, "- selector:") != len(sums) || strings.Contains(out, "linux_arm.tar.gz") ||
		!strings.Contains(out, "linux_arm64.tar.gz") {
		t.Errorf("without one archive: %v\n%s", err, out)
	}
	if _, err := fill(string(text), "v0.1.0", sums); err == nil || !strings.Contains(err.Error(), "linux_arm.tar.gz") {
		t.Errorf("an archive that is missing: %v", err)
	}
}

func TestTheFormulaIsFilledCompletely(t *testing.T) {
	text, err := os.ReadFile("../../contrib/homebrew/restartwhy.rb")
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for _, p := range []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"} {
		sums["kubectl-restartwhy_v0.1.0_"+p+".tar.gz"] = strings.Repeat("a", 64)
	}
	out, err := fill(string(text), "v0.1.0", sums)
	if err != nil || !strings.Contains(out, `version "0.1.0"`) ||
		strings.Count(out, `sha256 "`+strings.Repeat("a", 64)+`"`) != len(sums) || strings.Contains(out, "{{") {
		t.Errorf("%v\n%s", err, out)
	}
	delete(sums, "kubectl-restartwhy_v0.1.0_linux_arm64.tar.gz")
	if _, err := fill(string(text), "v0.1.0", sums); err == nil || !strings.Contains(err.Error(), "linux_arm64") {
		t.Errorf("an archive that is missing: %v", err)
	}
}

func TestWhatCannotBePackedIsSaid(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"a bare version": {[]string{"-version", "1.2.3", "linux/amd64=x"}, `pack release "1.2.3"`},
		"no platform":    {[]string{"-version", "v1.2.3", "-license", "main.go", "x"}, `"x" is not OS/ARCH`},
		"no such binary": {[]string{"-version", "v1.2.3", "-license", "main.go", "linux/amd64=none"}, "no such file"},
		"no licence":     {[]string{"-version", "v1.2.3", "-license", "none", "linux/amd64=main.go"}, "no such file"},
	} {
		err := run(append([]string{"-o", t.TempDir()}, tt.args...))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}
