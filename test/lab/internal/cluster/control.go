package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/ledger"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/pki"
)

// APIServerVersion is the API server of every lab.
const APIServerVersion = "v1.37.1"

const (
	apiPort  = "6443"
	etcdPort = "23790"
	peerPort = "23800"
)

// serverURL is where nodes and the host reach the API server.
var serverURL = "https://" + net.JoinHostPort(machine.HostAddress, apiPort)

// startControlPlane runs etcd and kube-apiserver and returns when the API server is ready. Files go below dir.
func startControlPlane(ctx context.Context, book *ledger.Ledger, dir, apiserver string,
	nodes []string) (*credentials, error) {
	authority, err := pki.NewAuthority(time.Now())
	if err != nil {
		return nil, err
	}
	c := &credentials{authority: authority, tokens: map[string]string{admin: pki.Token(), Outsider: pki.Token()}}
	for _, n := range nodes {
		c.tokens[nodeUser(n)] = pki.Token()
	}
	if err := c.write(dir); err != nil {
		return nil, fmt.Errorf("start control plane: %w", err)
	}

	etcd := machine.HostCommand("etcd", "--name=lab", "--data-dir="+filepath.Join(dir, "etcd"),
		"--listen-client-urls=http://127.0.0.1:"+etcdPort, "--advertise-client-urls=http://127.0.0.1:"+etcdPort,
		"--listen-peer-urls=http://127.0.0.1:"+peerPort, "--initial-advertise-peer-urls=http://127.0.0.1:"+peerPort,
		"--initial-cluster=lab=http://127.0.0.1:"+peerPort, "--log-level=warn")
	if err := startLogged(book, "etcd", filepath.Join(dir, "etcd.log"), etcd); err != nil {
		return nil, err
	}
	api := machine.HostCommand(apiserver, apiserverFlags(dir)...)
	log := filepath.Join(dir, "kube-apiserver.log")
	if err := startLogged(book, "kube-apiserver", log, api); err != nil {
		return nil, err
	}
	if err := c.waitReady(ctx, 90*time.Second); err != nil {
		return nil, fmt.Errorf("start kube-apiserver: %w (its log: %s)", err, log)
	}
	return c, nil
}

// StartControllers runs those controllers of kube-controller-manager that remove finished Jobs and what they own.
// Nothing else in the lab needs a controller.
func (l *Lab) StartControllers(ctx context.Context) error {
	program, err := l.Program(ctx, "kube-controller-manager", APIServerVersion)
	if err != nil {
		return err
	}
	cmd := machine.HostCommand(program, "--kubeconfig="+l.Kubeconfig(), "--leader-elect=false",
		"--bind-address=127.0.0.1", "--secure-port=0",
		"--controllers=job-controller,ttl-after-finished-controller,garbage-collector-controller", "--v=1")
	return startLogged(l.Book, "kube-controller-manager", filepath.Join(l.run(), "kube-controller-manager.log"), cmd)
}

func apiserverFlags(dir string) []string {
	in := func(name string) string { return filepath.Join(dir, "pki", name) }
	return []string{
		"--etcd-servers=http://127.0.0.1:" + etcdPort,
		"--bind-address=" + machine.HostAddress, "--secure-port=" + apiPort, "--advertise-address=" + machine.HostAddress,
		"--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.214.0.0/24",
		"--tls-cert-file=" + in("apiserver.crt"), "--tls-private-key-file=" + in("apiserver.key"),
		"--client-ca-file=" + in("ca.crt"), "--token-auth-file=" + in("tokens.csv"),
		"--anonymous-auth=false", "--authorization-mode=Node,RBAC",
		"--kubelet-client-certificate=" + in("kubelet-client.crt"), "--kubelet-client-key=" + in("kubelet-client.key"),
		"--kubelet-preferred-address-types=InternalIP",
		"--service-account-issuer=https://lab.local", "--service-account-key-file=" + in("ca.key"),
		"--service-account-signing-key-file=" + in("ca.key"),
		// Nothing would create the accounts that the plugin requires.
		"--disable-admission-plugins=ServiceAccount", "--allow-privileged=true", "--v=1",
	}
}

func (c *credentials) waitReady(ctx context.Context, limit time.Duration) error {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(c.authority.Cert)
	client := &http.Client{Timeout: 5 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	defer client.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var last error
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, serverURL+"/readyz", nil)
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+c.tokens[admin])
		resp, err := client.Do(req)
		if err == nil {
			body, _ := io.ReadAll(io.LimitReader(resp.Body, 1000))
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
			err = fmt.Errorf("readyz says %s: %s", resp.Status, strings.TrimSpace(string(body)))
		}
		if ctx.Err() == nil {
			last = err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("not ready after %v: %w", limit, last)
		case <-time.After(300 * time.Millisecond):
		}
	}
}

// startLogged starts a process in its own session, so that it outlives this program, with its output in a file.
func startLogged(book *ledger.Ledger, name, logPath string, cmd *exec.Cmd) error {
	log, err := os.Create(logPath)
	if err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	defer log.Close() // the child has its own copy
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return machine.Start(book, name, cmd)
}
