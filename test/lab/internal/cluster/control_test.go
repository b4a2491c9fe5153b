package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/pki"
)

func someCredentials(t *testing.T) *credentials {
	t.Helper()
	ca, err := pki.NewAuthority(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return &credentials{authority: ca, tokens: map[string]string{admin: "a-token",
		Outsider: "o-token", nodeUser("n1"): "n-token"}}
}

func TestTheOutsiderIsInNoGroupWithRights(t *testing.T) {
	dir := t.TempDir()
	if err := someCredentials(t).write(dir); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "pki", "tokens.csv"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"a-token": `a-token,lab-admin,lab-admin,"system:masters"`,
		"o-token": `o-token,lab-outsider,lab-outsider,"lab:outsiders"`,
		"n-token": `n-token,system:node:n1,system:node:n1,"system:nodes"`,
	}
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		token, _, _ := strings.Cut(line, ",")
		if line != want[token] {
			t.Errorf("line %q, want %q", line, want[token])
		}
		delete(want, token)
	}
	if len(want) > 0 {
		t.Errorf("no line for %v", want)
	}
}

func TestKeysAreReadableByTheirOwnerOnly(t *testing.T) {
	dir := t.TempDir()
	if err := someCredentials(t).write(dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Join(dir, "pki"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v", e.Name(), info.Mode(), err)
		}
	}
}

func TestKubeconfigIsOneThatClientGoReads(t *testing.T) {
	raw, err := someCredentials(t).kubeconfig(admin)
	if err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.RESTConfigFromKubeConfig(raw)
	if err != nil {
		t.Fatal(err)
	}
	if config.Host != serverURL || config.BearerToken != "a-token" || config.Insecure || len(config.CAData) == 0 {
		t.Errorf("host %s, token %q, insecure %v, %d bytes of CA", config.Host,
			config.BearerToken, config.Insecure, len(config.CAData))
	}
}

func TestTheAPIServerListensOnTheLabsBridgeAloneAndKnowsNoStrangers(t *testing.T) {
	flags := strings.Join(apiserverFlags("/lab"), " ")
	for _, want := range []string{"--bind-address=" + machine.HostAddress,
		"--anonymous-auth=false", "--authorization-mode=Node,RBAC",
		"--etcd-servers=http://127.0.0.1:"} {
		if !strings.Contains(flags, want) {
			t.Errorf("flags lack %s: %s", want, flags)
		}
	}
}
