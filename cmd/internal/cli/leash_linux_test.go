package cli

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

// mountedNode is the file system of a node with nothing but cgroups.
func mountedNode(t *testing.T) string {
	t.Helper()
	root := filetest.Plant(t, map[string]string{
		"sys/fs/cgroup/cgroup.controllers":                                                    "cpu memory\n",
		"sys/fs/cgroup/kubepods/burstable/pod11111111-2222-3333-4444-555555555555/memory.max": "1048576\n",
	})
	return root
}

func inPod(root string) []string {
	return []string{"kubectl-restartwhy", "collect", "--local", "--leash",
		"--root=" + root, "--node=n1", "--since=48h0m0s", "--sources=cgroup", "--output=-"}
}

// started runs the program as a collector pod does.
func started(t *testing.T, in io.Reader, args []string) (out, errOut *bytes.Buffer, code chan int) {
	t.Helper()
	env, out, errOut := testEnv()
	env.Streams.In = in
	code = make(chan int, 1)
	go func() { code <- Run(t.Context(), env, args) }()
	return out, errOut, code
}

func ends(t *testing.T, code chan int) int {
	t.Helper()
	select {
	case c := <-code:
		return c
	case <-time.After(20 * time.Second):
		t.Fatal("it goes on")
		return 0
	}
}

func TestOnItsLeashItWaitsForALineAndSendsABundle(t *testing.T) {
	in, leash := io.Pipe()
	defer leash.Close()
	out, errOut, code := started(t, in, inPod(mountedNode(t)))
	select {
	case <-code:
		t.Fatalf("it did not wait: %s", errOut)
	case <-time.After(50 * time.Millisecond):
	}
	if _, err := io.WriteString(leash, "go\n"); err != nil {
		t.Fatal(err)
	}
	if c := ends(t, code); c != 0 || errOut.Len() > 0 {
		t.Fatalf("exit code %d: %s", c, errOut)
	}
	b, err := bundle.Read("x.tar.zst", out, bundle.Options{Now: t0})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if len(b.Files) != 1 || b.Files[0].Path != "nodes/n1/cgroup.json" || b.Manifest.Incomplete {
		t.Errorf("files %v, manifest %+v", b.Files, b.Manifest)
	}
}

func TestWithoutItsHolderItEnds(t *testing.T) {
	out, errOut, code := started(t, strings.NewReader(""), inPod(mountedNode(t)))
	if c := ends(t, code); c != 1 || !strings.Contains(errOut.String(), "no one is waiting for the bundle") ||
		out.Len() > 0 {
		t.Errorf("exit code %d, %d bytes: %s", c, out.Len(), errOut)
	}
}

func TestWhenItsHolderGoesItEnds(t *testing.T) {
	in, leash := io.Pipe()
	ctx, err := leashed(t.Context(), io.MultiReader(strings.NewReader("go\n"), in))
	if err != nil || ctx.Err() != nil {
		t.Fatalf("error %v, context %v", err, ctx.Err())
	}
	leash.Close()
	select {
	case <-ctx.Done():
	case <-time.After(5 * time.Second):
		t.Fatal("it goes on")
	}
	if cause := context.Cause(ctx); !strings.Contains(cause.Error(), "standard input ended") {
		t.Errorf("cause %v", cause)
	}
}

func TestAMountedNodeNeedsAName(t *testing.T) {
	env, _, errOut := testEnv()
	code := Run(t.Context(), env, []string{"kubectl-restartwhy", "collect",
		"--local", "--root=" + mountedNode(t), "--sources=cgroup", "-o", filepath.Join(t.TempDir(), "x.tar.zst")})
	if code != 1 || !strings.Contains(errOut.String(), "--node NAME") {
		t.Errorf("exit code %d: %s", code, errOut)
	}
}
