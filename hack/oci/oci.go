// Package oci packs a static binary into a container image: an OCI image layout in a tar archive, with one image per
// platform, as registries and runtimes read it (`ctr images import`, `skopeo copy oci-archive:`, `docker load` since
// 25).
//
// It may import only the standard library, and knows nothing of the program that it packs. The same input gives the
// same bytes, so that anyone can check a release's digest.
package oci

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// Image describes what is packed.
type Image struct {
	// Name is the reference with its tag: ghcr.io/restartwhy/kubectl-restartwhy:v0.1.0.
	Name string
	// Program is the path of the binary in the image, and its entrypoint.
	Program string
	// Labels are the image's annotations, such as org.opencontainers.image.version.
	Labels map[string]string
	// Platforms are the binaries.
	Platforms []Platform
}

// Platform is the binary of one platform, in Go's spelling.
type Platform struct {
	OS, Arch string
	Binary   []byte
}

const (
	mediaIndex    = "application/vnd.oci.image.index.v1+json"
	mediaManifest = "application/vnd.oci.image.manifest.v1+json"
	mediaConfig   = "application/vnd.oci.image.config.v1+json"
	mediaLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

type index struct {
	SchemaVersion int          `json:"schemaVersion"`
	MediaType     string       `json:"mediaType"`
	Manifests     []descriptor `json:"manifests"`
}

type manifest struct {
	SchemaVersion int               `json:"schemaVersion"`
	MediaType     string            `json:"mediaType"`
	Config        descriptor        `json:"config"`
	Layers        []descriptor      `json:"layers"`
	Annotations   map[string]string `json:"annotations,omitempty"`
}

type config struct {
	Created      time.Time `json:"created"`
	Architecture string    `json:"architecture"`
	OS           string    `json:"os"`
	Config       struct {
		User       string            `json:"User"`
		Entrypoint []string          `json:"Entrypoint"`
		WorkingDir string            `json:"WorkingDir"`
		Labels     map[string]string `json:"Labels,omitempty"`
	} `json:"config"`
	RootFS struct {
		Type    string   `json:"type"`
		DiffIDs []string `json:"diff_ids"`
	} `json:"rootfs"`
}

// epoch is the time of everything, so that no clock affects a release.
var epoch = time.Unix(0, 0).UTC()

// Write writes the archive and returns the digest ("sha256:…") for pinning the image: that of its index, which names
// one manifest per platform.
func Write(w io.Writer, img Image) (digest string, err error) {
	if len(img.Platforms) == 0 || !path.IsAbs(img.Program) || !strings.Contains(path.Base(img.Name), ":") {
		return "", fmt.Errorf("pack image %q: it needs a tag, an absolute program path and a platform", img.Name)
	}
	platforms := slices.Clone(img.Platforms)
	slices.SortFunc(platforms, func(a, b Platform) int { return strings.Compare(a.OS+"/"+a.Arch, b.OS+"/"+b.Arch) })
	s := store{}
	top := index{SchemaVersion: 2, MediaType: mediaIndex}
	for _, p := range platforms {
		d, err := s.platform(img, p)
		if err != nil {
			return "", fmt.Errorf("pack image %s for %s/%s: %w", img.Name, p.OS, p.Arch, err)
		}
		top.Manifests = append(top.Manifests, d)
	}
	whole, err := s.json(mediaIndex, top)
	if err != nil {
		return "", fmt.Errorf("pack image %s: %w", img.Name, err)
	}
	// ref.name is the tag, for tools that follow the layout's own convention.
	_, tag, _ := strings.Cut(path.Base(img.Name), ":")
	whole.Annotations = map[string]string{"io.containerd.image.name": img.Name, "org.opencontainers.image.ref.name": tag}
	if err := s.archive(w, index{SchemaVersion: 2, MediaType: mediaIndex, Manifests: []descriptor{whole}}); err != nil {
		return "", fmt.Errorf("pack image %s: %w", img.Name, err)
	}
	return whole.Digest, nil
}

// store holds blobs by their digest.
type store map[string][]byte

func (s store) add(mediaType string, content []byte) descriptor {
	d := sum(content)
	s[d] = content
	return descriptor{MediaType: mediaType, Digest: d, Size: len(content)}
}

func (s store) json(mediaType string, v any) (descriptor, error) {
	content, err := json.Marshal(v)
	if err != nil {
		return descriptor{}, err
	}
	return s.add(mediaType, content), nil
}

func sum(content []byte) string {
	h := sha256.Sum256(content)
	return "sha256:" + hex.EncodeToString(h[:])
}

func (s store) platform(img Image, p Platform) (descriptor, error) {
	plain, packed, err := layer(img.Program, p.Binary)
	if err != nil {
		return descriptor{}, err
	}
	c := config{Created: epoch, Architecture: p.Arch, OS: p.OS}
	c.Config.User, c.Config.Entrypoint, c.Config.WorkingDir, c.Config.Labels = "0:0",
		[]string{img.Program}, "/", img.Labels
	c.RootFS.Type, c.RootFS.DiffIDs = "layers", []string{sum(plain)}
	d, err := s.json(mediaConfig, c)
	if err != nil {
		return descriptor{}, err
	}
	d, err = s.json(mediaManifest, manifest{SchemaVersion: 2, MediaType: mediaManifest,
		Config: d, Layers: []descriptor{s.add(mediaLayer, packed)}, Annotations: img.Labels})
	d.Platform = &platform{p.Arch, p.OS}
	return d, err
}

// layer returns the image's only layer, which contains only the binary.
func layer(program string, binary []byte) (plain, packed []byte, err error) {
	var b bytes.Buffer
	t := tar.NewWriter(&b)
	if err := entry(t, strings.TrimPrefix(program, "/"), binary, 0o755); err != nil {
		return nil, nil, err
	}
	if err := t.Close(); err != nil {
		return nil, nil, err
	}
	var z bytes.Buffer
	gz, err := gzip.NewWriterLevel(&z, gzip.BestSpeed)
	if err != nil {
		return nil, nil, err
	}
	if _, err := gz.Write(b.Bytes()); err != nil {
		return nil, nil, err
	}
	if err := gz.Close(); err != nil {
		return nil, nil, err
	}
	return b.Bytes(), z.Bytes(), nil
}

// archive writes the layout: its marker file, its index, then the blobs in the order of their digests.
func (s store) archive(w io.Writer, top index) error {
	raw, err := json.Marshal(top)
	if err != nil {
		return err
	}
	t := tar.NewWriter(w)
	if err := entry(t, "oci-layout", []byte(`{"imageLayoutVersion":"1.0.0"}`), 0o644); err != nil {
		return err
	}
	if err := entry(t, "index.json", raw, 0o644); err != nil {
		return err
	}
	for _, d := range slices.Sorted(maps.Keys(s)) {
		if err := entry(t, "blobs/sha256/"+strings.TrimPrefix(d, "sha256:"), s[d], 0o644); err != nil {
			return err
		}
	}
	return t.Close()
}

func entry(t *tar.Writer, name string, content []byte, mode int64) error {
	if err := t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name,
		Mode: mode, Size: int64(len(content)), ModTime: epoch}); err != nil {
		return err
	}
	_, err := t.Write(content)
	return err
}
