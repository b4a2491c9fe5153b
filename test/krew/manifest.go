package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

const manifestFile = "restartwhy.yaml"

// platform is one archive of the manifest.
type platform struct{ pair, archive string }

// manifest reads the platforms of the manifest and checks each archive against its digest.
func (c check) manifest() ([]platform, error) {
	b, err := os.ReadFile(filepath.Join(c.dist, manifestFile))
	if err != nil {
		return nil, fmt.Errorf("check archives: %w (make dist writes it)", err)
	}
	var m struct {
		Spec struct {
			Platforms []struct {
				Selector struct {
					MatchLabels map[string]string `json:"matchLabels"`
				} `json:"selector"`
				URI    string `json:"uri"`
				SHA256 string `json:"sha256"`
			} `json:"platforms"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal(b, &m); err != nil {
		return nil, fmt.Errorf("read %s: %w", manifestFile, err)
	}
	var out []platform
	for _, p := range m.Spec.Platforms {
		labels := p.Selector.MatchLabels
		one := platform{pair: labels["os"] + "/" + labels["arch"], archive: path.Base(p.URI)}
		archive, err := os.ReadFile(filepath.Join(c.dist, one.archive))
		if err != nil {
			return nil, fmt.Errorf("check archives: %w", err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(archive)); got != p.SHA256 {
			return nil, fmt.Errorf("check %s: its digest is %s, the manifest promises %s", one.archive, got, p.SHA256)
		}
		out = append(out, one)
	}
	if len(out) == 0 {
		return nil, errors.New("check archives: the manifest has no platform")
	}
	return out, nil
}

// validate runs the index's own checker, which downloads and installs every platform. The archives come from the
// loopback interface; only the addresses in the manifest are changed.
func (c check) validate(ctx context.Context) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: http.FileServer(http.Dir(c.dist))}
	go server.Serve(listener) //nolint:errcheck // it ends with the run
	defer server.Close()

	b, err := os.ReadFile(filepath.Join(c.dist, manifestFile))
	if err != nil {
		return err
	}
	lines := strings.Split(string(b), "\n")
	for i, line := range lines {
		if head, uri, ok := strings.Cut(line, "uri: "); ok {
			lines[i] = head + "uri: http://" + listener.Addr().String() + "/" + path.Base(uri)
		}
	}
	local := filepath.Join(c.work, manifestFile)
	if err := os.WriteFile(local, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		return err
	}
	_, err = c.command(ctx, filepath.Join(c.work, "root-index"), nil, "validate-krew-manifest", "-manifest", local)
	return err
}
