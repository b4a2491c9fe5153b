package foreign

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

const klogLine = "I1121 07:00:00.000000      80 kubelet.go:1] \"Starting kubelet\"\n"

func TestWhatIsNothingThatIsReadIsAnError(t *testing.T) {
	const poem = "Shall I compare thee to a summer's day?\nThou art more lovely and more temperate.\n"
	for _, c := range []struct {
		name, content string
		wrong         string // "" for an input that is read
	}{
		{"a poem", poem, "neither a bundle nor a log: its content is not recognised"},
		{"a poem, compressed", string(filetest.Gzip(poem)), "its content is not recognised"},
		{"a document of another program", `{"apiVersion":"v2","name":"chart"}`, "its content is not recognised"},
		{"bytes", "\x00\x01\x02\x03\x7fELF\x01\x02\x03\x04\x05\x06\x07\x08", "neither a bundle nor a log"},
		{"a log", klogLine, ""},
		{"a log, compressed", string(filetest.Gzip(klogLine)), ""},
		{"a log behind other words", strings.Repeat("some words of a wrapper script, again and again\n", 190) +
			strings.Repeat(klogLine, 20), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "input")
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			b, _, err := Open(path, "", bundle.Options{})
			if c.wrong == "" {
				if err != nil {
					t.Fatal(err)
				}
				if len(b.Files) != 1 {
					t.Errorf("%d files, want the log", len(b.Files))
				}
				if err := b.Close(); err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, bundle.ErrNotABundle) || !strings.Contains(err.Error(), c.wrong) ||
				!strings.Contains(err.Error(), path) {
				t.Errorf("error %v, want it to name the file and say: %s", err, c.wrong)
			}
		})
	}
}

func TestAStreamThatIsNothingIsAnError(t *testing.T) {
	_, _, err := Open("-", "n1", bundle.Options{Stdin: strings.NewReader("hello\nworld\n")})
	if !errors.Is(err, bundle.ErrNotABundle) {
		t.Errorf("error %v", err)
	}
}

// An application may print pieces of objects between its own lines: in a directory its log is not evidence.
func TestTheLogOfAnApplicationIsNoExcerpt(t *testing.T) {
	const piece = "    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137\n"
	prose := strings.Repeat("reconciling shop/web-0\n", 8)
	for name, c := range map[string]struct {
		files map[string]string
		want  int
	}{
		"pasted with a sentence": {map[string]string{"a.txt": "it restarts:\n\n" + piece}, 1},
		"one of two files":       {map[string]string{"a.txt": piece, "kubelet.log": klogLine}, 1},
		"in a directory":         {map[string]string{"a.txt": prose + piece, "kubelet.log": klogLine}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range c.files {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			b, _, err := Open(dir, "", bundle.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = b.Close() }()
			pods := 0
			for _, f := range b.Files {
				if strings.HasPrefix(f.Path, "cluster/") {
					pods++
				}
			}
			if pods != c.want {
				t.Errorf("%d files of objects, want %d", pods, c.want)
			}
		})
	}
}

// What stood in a string of JSON anybody's program may have put there: its lines are read as those of a log store, and
// an object in it is no better than a description.
func TestWhatStoodInAStringProvesNothing(t *testing.T) {
	quote := func(text string) string {
		raw, err := json.Marshal(map[string]string{"title": "it restarts", "body": text})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	const pod = "apiVersion: v1\nkind: Pod\n" +
		"metadata: {name: web-0, namespace: shop, uid: 7d1f6a52-0b8e-4a57-9f0a-5e2c1b9d0001}\n" +
		"status: {phase: Running, containerStatuses: [{name: app, restartCount: 1}]}\n"
	for name, c := range map[string]struct{ text, path, content string }{
		"a log":     {strings.Repeat(klogLine, 9), "/logs/" + textlog.UnwrappedDir, "Starting kubelet"},
		"an object": {pod, "cluster/", evidence.Described},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "issue.json")
			if err := os.WriteFile(path, []byte(quote(c.text)), 0o600); err != nil {
				t.Fatal(err)
			}
			b, _, err := Open(path, "", bundle.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = b.Close() }()
			if len(b.Files) == 0 || !strings.Contains(b.Files[0].Path, c.path) ||
				!strings.Contains(string(beginning(b.Files[0], maxExcerpt)), c.content) {
				t.Errorf("%d files, the first is %s", len(b.Files), b.Files[0].Path)
			}
		})
	}
}

// What the readers of whole files find in a file, they find in a folder with that file alone.
func TestAFolderWithOneFileIsReadLikeTheFile(t *testing.T) {
	text := "# A path that is not shared\n\n" + strings.Repeat("**Version**\n\n", 6) + "```\nWarning  Failed  2m4s  kubelet  Error: failed to generate container " +
		"\"8424cf1a165a\" spec: failed to generate spec: path \"/srv/x/\" is mounted on \"/srv/x\" but it is not a shared mount\n```\n\n" +
		"**More**\n"
	dir := t.TempDir()
	name := filepath.Join(dir, "issue.md")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{name, dir} {
		b, _, err := Open(in, "", bundle.Options{})
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}
