package cluster

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/pki"
)

// credentials are those of one run of the lab.
type credentials struct {
	authority *pki.Authority
	tokens    map[string]string // user → token
}

// The users of the lab. Outsider is authenticated and has no rights, for tests of what such a reader sees.
const (
	admin    = "lab-admin"
	Outsider = "lab-outsider"
)

func nodeUser(name string) string { return "system:node:" + name }

// write puts keys, certificates and tokens where the API server reads them.
func (c *credentials) write(dir string) error {
	server, err := c.authority.Issue("kube-apiserver", nil, net.ParseIP(machine.HostAddress), net.ParseIP("127.0.0.1"))
	if err != nil {
		return err
	}
	toKubelets, err := c.authority.Issue("kube-apiserver-kubelet-client", []string{"system:masters"})
	if err != nil {
		return err
	}
	var tokens strings.Builder
	for user, token := range c.tokens {
		group := "system:nodes"
		switch user {
		case admin:
			group = "system:masters"
		case Outsider:
			group = "lab:outsiders"
		}
		fmt.Fprintf(&tokens, "%s,%s,%s,%q\n", token, user, user, group)
	}
	if err := os.MkdirAll(filepath.Join(dir, "pki"), 0o700); err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"ca.crt": c.authority.Cert, "ca.key": c.authority.Key,
		"apiserver.crt": server.Cert, "apiserver.key": server.Key,
		"kubelet-client.crt": toKubelets.Cert, "kubelet-client.key": toKubelets.Key,
		"tokens.csv": []byte(tokens.String()),
	} {
		if err := os.WriteFile(filepath.Join(dir, "pki", name), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (c *credentials) kubeconfig(user string) ([]byte, error) {
	return yaml.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Config", "current-context": "lab",
		"clusters": []any{map[string]any{"name": "lab", "cluster": map[string]any{
			"server": serverURL, "certificate-authority-data": c.authority.Cert}}},
		"users":    []any{map[string]any{"name": user, "user": map[string]any{"token": c.tokens[user]}}},
		"contexts": []any{map[string]any{"name": "lab", "context": map[string]any{"cluster": "lab", "user": user}}},
	})
}
