package oci

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

func image() Image {
	return Image{Name: "ghcr.io/x/y:v1", Program: "/y",
		Labels:    map[string]string{"org.opencontainers.image.version": "v1"},
		Platforms: []Platform{{"linux", "arm64", []byte("an arm program")}, {"linux", "amd64", []byte("an amd program")}}}
}

// files reads an archive back.
func files(t *testing.T, r io.Reader) (names []string, content map[string][]byte) {
	t.Helper()
	content = map[string][]byte{}
	for tr := tar.NewReader(r); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return names, content
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		names, content[h.Name] = append(names, h.Name), b
	}
}

func decode[T any](t *testing.T, b []byte) (v T) {
	t.Helper()
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("%v in %.80s", err, b)
	}
	return v
}

func TestEveryPlatformIsReachedFromTheIndex(t *testing.T) {
	var out bytes.Buffer
	digest, err := Write(&out, image())
	if err != nil {
		t.Fatal(err)
	}
	names, all := files(t, &out)
	if names[0] != "oci-layout" || names[1] != "index.json" {
		t.Errorf("begins with %v", names[:2])
	}
	blob := func(d descriptor) []byte {
		t.Helper()
		b := all["blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:")]
		if len(b) != d.Size || sum(b) != d.Digest {
			t.Fatalf("blob %s has %d bytes and digest %s", d.Digest, len(b), sum(b))
		}
		return b
	}
	top := decode[index](t, all["index.json"])
	if len(top.Manifests) != 1 || top.Manifests[0].Digest != digest ||
		top.Manifests[0].Annotations["io.containerd.image.name"] != "ghcr.io/x/y:v1" ||
		top.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != "v1" {
		t.Fatalf("%+v", top)
	}
	seen := map[string]string{}
	for _, d := range decode[index](t, blob(top.Manifests[0])).Manifests {
		m := decode[manifest](t, blob(d))
		c := decode[config](t, blob(m.Config))
		if c.Architecture != d.Platform.Architecture || c.OS != d.Platform.OS ||
			c.Config.Entrypoint[0] != "/y" || c.Config.User != "0:0" ||
			c.Config.Labels["org.opencontainers.image.version"] != "v1" {
			t.Errorf("config %+v", c)
		}
		gz, err := gzip.NewReader(bytes.NewReader(blob(m.Layers[0])))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := io.ReadAll(gz)
		if err != nil {
			t.Fatal(err)
		}
		if sum(plain) != c.RootFS.DiffIDs[0] {
			t.Errorf("the layer is %s, its id %s", sum(plain), c.RootFS.DiffIDs[0])
		}
		inside, content := files(t, bytes.NewReader(plain))
		if len(inside) != 1 || inside[0] != "y" {
			t.Errorf("the layer holds %v", inside)
		}
		seen[d.Platform.OS+"/"+d.Platform.Architecture] = string(content["y"])
	}
	if len(seen) != 2 || seen["linux/arm64"] != "an arm program" || seen["linux/amd64"] != "an amd program" {
		t.Errorf("platforms %v", seen)
	}
}

func TestTheSameInputGivesTheSameBytes(t *testing.T) {
	var a, b bytes.Buffer
	first, err := Write(&a, image())
	if err != nil {
		t.Fatal(err)
	}
	other := image()
	other.Platforms[0], other.Platforms[1] = other.Platforms[1], other.Platforms[0]
	second, err := Write(&b, other)
	if err != nil {
		t.Fatal(err)
	}
	if first != second || !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("the order of the platforms shows in the archive")
	}
	other.Platforms[0].Binary = []byte("another program")
	if third, _ := Write(io.Discard, other); third == first {
		t.Error("another program has the same digest")
	}
}

func TestAnIncompleteImageIsRefused(t *testing.T) {
	for name, spoil := range map[string]func(*Image){
		"no tag":          func(i *Image) { i.Name = "ghcr.io/x/y" },
		"a port only":     func(i *Image) { i.Name = "localhost:5000/y" },
		"no platform":     func(i *Image) { i.Platforms = nil },
		"a relative path": func(i *Image) { i.Program = "y" },
	} {
		i := image()
		spoil(&i)
		if _, err := Write(io.Discard, i); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
