package kubeletdir

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

const maxManifests = 1000

// staticPodPaths are where static pods are on kubeadm's and RKE2's nodes.
var staticPodPaths = []string{"/etc/kubernetes/manifests", "/var/lib/rancher/rke2/agent/pod-manifests"}

// manifest is one file of static pods, without its content.
type manifest struct {
	Path      string    `json:"path"`
	Changed   time.Time `json:"changed,omitzero"`
	SHA256    string    `json:"sha256,omitempty"`
	Namespace string    `json:"namespace,omitempty"`
	Name      string    `json:"name,omitempty"`
	UID       string    `json:"uid,omitempty"`
	Images    []string  `json:"images,omitempty"`
	Problem   string    `json:"problem,omitempty"`
}

// manifests reads the same files as the kubelet: in a directory all files that do not begin with a dot, without
// subdirectories (kubelet v1.36 config/file.go listConfig, extractFromDir).
func (r *reader) manifests() []manifest {
	dirs := staticPodPaths
	if r.o.StaticPodPath != "" {
		dirs = []string{r.o.StaticPodPath}
	}
	var out []manifest
	for _, dir := range dirs {
		info, err := os.Stat(r.below(dir))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // a node may have none
		case err != nil:
			r.gap(fmt.Errorf("read the manifests of static pods: %w", err))
			continue
		case !info.IsDir():
			out = append(out, r.manifest(dir))
			continue
		}
		entries, err := os.ReadDir(r.below(dir))
		if err != nil {
			r.gap(fmt.Errorf("read the manifests of static pods: %w", err))
			continue
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), ".") || e.IsDir() {
				continue
			}
			if len(out) >= maxManifests {
				r.gap(fmt.Errorf("read the manifests of static pods: more than %d", maxManifests))
				return out
			}
			out = append(out, r.manifest(path.Join(dir, e.Name())))
		}
	}
	return out
}

func (r *reader) manifest(name string) manifest {
	m := manifest{Path: name}
	data, changed, err := r.read(r.below(name))
	m.Changed = changed
	if err != nil {
		m.Problem = reason(err)
		return m
	}
	digest := sha256.Sum256(data)
	m.SHA256 = hex.EncodeToString(digest[:])
	if err := m.parse(data); err != nil {
		m.Problem = err.Error()
	}
	return m
}

// reason returns an error without the path, which would be a path on our side.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// parse reads names and images. The kubelet expects one pod per file.
func (m *manifest) parse(data []byte) error {
	var pod struct {
		Kind     string `json:"kind"`
		Metadata struct {
			Name, Namespace, UID string
		} `json:"metadata"`
		Spec struct {
			InitContainers []struct{ Image string } `json:"initContainers"`
			Containers     []struct{ Image string } `json:"containers"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal(data, &pod); err != nil {
		// YAML errors quote the content.
		return errors.New("not a YAML object of the expected types")
	}
	m.Name, m.Namespace, m.UID = pod.Metadata.Name, pod.Metadata.Namespace, pod.Metadata.UID
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		m.Images = append(m.Images, c.Image)
	}
	if pod.Kind != "Pod" {
		return errors.New("not a Pod")
	}
	return nil
}

// observe emits a manifest's fact. The pod's name gets the node's name as a suffix (kubelet v1.36 config/common.go
// generatePodName).
func (m manifest) observe(node string, emit func(evidence.Observation)) {
	if m.Path == "" {
		return
	}
	f := evidence.StaticManifest{Path: safetext.Ident(m.Path), Changed: m.Changed.UTC(),
		UID: safetext.Ident(m.UID), Problem: safetext.Clean(m.Problem)}
	for _, image := range m.Images {
		f.Images = append(f.Images, safetext.Ident(image))
	}
	s := evidence.Subject{}
	if m.Name != "" {
		s.Pod, s.Namespace = m.Name+"-"+strings.ToLower(node), m.Namespace
		if s.Namespace == "" {
			s.Namespace = "default"
		}
	}
	text := "static pod manifest " + m.Path
	if !m.Changed.IsZero() {
		text += " changed " + m.Changed.UTC().Format(time.RFC3339)
	}
	if len(m.SHA256) >= 12 {
		text += ", sha256 " + m.SHA256[:12]
	}
	if m.Problem != "" {
		text += ": " + m.Problem
	}
	emit(evidence.Observation{Subject: s, Fact: f, Text: safetext.Clean(text)})
}
