// Package image packs Debian's static busybox into container images, in the docker-archive layout that `ctr images
// import` reads.
//
// It may import only the standard library. It uses no registry: what a node runs was made on this machine.
package image

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// The images of the lab. Two tags of busybox differ in a label, so that they are two images with two digests, like two
// releases of an application.
const (
	Busybox      = "lab.local/busybox:1"
	BusyboxNext  = "lab.local/busybox:2"
	Pause        = "lab.local/pause:1"
	pauseCommand = "trap 'exit 0' TERM INT; while :; do sleep 3600 & wait $!; done"
)

type runConfig struct {
	Cmd    []string          `json:"Cmd"`
	Env    []string          `json:"Env"`
	Labels map[string]string `json:"Labels"`
}

type imageConfig struct {
	Created      time.Time `json:"created"`
	Architecture string    `json:"architecture"`
	OS           string    `json:"os"`
	Config       runConfig `json:"config"`
	RootFS       rootFS    `json:"rootfs"`
}

type rootFS struct {
	Type    string   `json:"type"`
	DiffIDs []string `json:"diff_ids"`
}

type manifestEntry struct {
	Config   string   `json:"Config"`
	RepoTags []string `json:"RepoTags"`
	Layers   []string `json:"Layers"`
}

// Archive writes all images of the lab as one docker-archive. busybox is the program, applets are its command names
// (`busybox --list`), arch the image architecture in Go's spelling. The same input gives the same bytes.
func Archive(w io.Writer, busybox []byte, applets []string, arch string) error {
	layer, err := layer(busybox, applets)
	if err != nil {
		return fmt.Errorf("pack busybox layer: %w", err)
	}
	layerSum := sha256.Sum256(layer)
	const layerName = "layer.tar"

	tw := tar.NewWriter(w)
	if err := addFile(tw, layerName, layer, 0o644); err != nil {
		return fmt.Errorf("pack images: %w", err)
	}
	var manifest []manifestEntry
	for _, img := range []struct {
		tag string
		cmd []string
	}{
		{Busybox, []string{"sh"}},
		{BusyboxNext, []string{"sh"}},
		{Pause, []string{"/bin/sh", "-c", pauseCommand}},
	} {
		config, err := json.Marshal(imageConfig{
			Created:      time.Unix(0, 0).UTC(),
			Architecture: arch,
			OS:           "linux",
			Config: runConfig{Cmd: img.cmd, Env: []string{"PATH=/bin"},
				Labels: map[string]string{"lab.local/tag": img.tag}},
			RootFS: rootFS{Type: "layers", DiffIDs: []string{"sha256:" + hex.EncodeToString(layerSum[:])}},
		})
		if err != nil {
			return fmt.Errorf("pack image %s: %w", img.tag, err)
		}
		sum := sha256.Sum256(config)
		name := hex.EncodeToString(sum[:]) + ".json"
		if err := addFile(tw, name, config, 0o644); err != nil {
			return fmt.Errorf("pack image %s: %w", img.tag, err)
		}
		manifest = append(manifest, manifestEntry{Config: name, RepoTags: []string{img.tag}, Layers: []string{layerName}})
	}
	raw, err := json.Marshal(manifest)
	if err != nil {
		return fmt.Errorf("pack images: %w", err)
	}
	if err := addFile(tw, "manifest.json", raw, 0o644); err != nil {
		return fmt.Errorf("pack images: %w", err)
	}
	if err := tw.Close(); err != nil {
		return fmt.Errorf("pack images: %w", err)
	}
	return nil
}

// layer returns the one file system of all images: busybox, a link for each applet and the few directories that
// programs expect.
func layer(busybox []byte, applets []string) ([]byte, error) {
	var b bytes.Buffer
	tw := tar.NewWriter(&b)
	for _, dir := range []string{"bin/", "etc/", "tmp/", "proc/", "sys/", "dev/", "var/"} {
		h := &tar.Header{Typeflag: tar.TypeDir, Name: dir, Mode: 0o755, ModTime: time.Unix(0, 0)}
		if dir == "tmp/" {
			h.Mode = 0o1777
		}
		if err := tw.WriteHeader(h); err != nil {
			return nil, err
		}
	}
	if err := addFile(tw, "bin/busybox", busybox, 0o755); err != nil {
		return nil, err
	}
	for _, a := range applets {
		if a == "" || a == "busybox" || strings.Contains(a, "/") {
			continue
		}
		h := &tar.Header{Typeflag: tar.TypeSymlink, Name: "bin/" + a, Linkname: "busybox",
			Mode: 0o777, ModTime: time.Unix(0, 0)}
		if err := tw.WriteHeader(h); err != nil {
			return nil, err
		}
	}
	if err := addFile(tw, "etc/passwd", []byte("root:x:0:0:root:/:/bin/sh\n"), 0o644); err != nil {
		return nil, err
	}
	if err := tw.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func addFile(tw *tar.Writer, name string, content []byte, mode int64) error {
	h := &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: mode, Size: int64(len(content)), ModTime: time.Unix(0, 0)}
	if err := tw.WriteHeader(h); err != nil {
		return err
	}
	_, err := tw.Write(content)
	return err
}
