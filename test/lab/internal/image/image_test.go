package image

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// entries reads a tar into name → content; links read as "-> target".
func entries(t *testing.T, raw []byte) map[string]string {
	t.Helper()
	out := map[string]string{}
	tr := tar.NewReader(bytes.NewReader(raw))
	for {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeSymlink {
			content = []byte("-> " + h.Linkname)
		}
		out[h.Name] = string(content)
	}
}

func archive(t *testing.T, applets ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Archive(&b, []byte("ELF"), applets, "amd64"); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestArchiveNamesEveryImageByTheDigestOfItsConfig(t *testing.T) {
	files := entries(t, archive(t, "sh", "sleep"))
	var manifest []manifestEntry
	if err := json.Unmarshal([]byte(files["manifest.json"]), &manifest); err != nil {
		t.Fatal(err)
	}
	var tags []string
	configs := map[string]bool{}
	for _, m := range manifest {
		tags = append(tags, m.RepoTags...)
		configs[m.Config] = true
		sum := sha256.Sum256([]byte(files[m.Config]))
		if want := hex.EncodeToString(sum[:]) + ".json"; m.Config != want {
			t.Errorf("%v: config is called %s, its digest says %s", m.RepoTags, m.Config, want)
		}
		var c imageConfig
		if err := json.Unmarshal([]byte(files[m.Config]), &c); err != nil {
			t.Fatal(err)
		}
		layerSum := sha256.Sum256([]byte(files[m.Layers[0]]))
		if want := "sha256:" + hex.EncodeToString(layerSum[:]); c.RootFS.DiffIDs[0] != want {
			t.Errorf("%v: diff id %s, the layer has %s", m.RepoTags, c.RootFS.DiffIDs[0], want)
		}
	}
	if diff := cmp.Diff([]string{Busybox, BusyboxNext, Pause}, tags); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
	if len(configs) != 3 {
		t.Errorf("%d distinct images, want 3: an image change must change the image ID", len(configs))
	}
}

func TestLayerLinksEveryAppletToBusybox(t *testing.T) {
	files := entries(t, []byte(entries(t, archive(t, "sh", "sleep", "busybox", "", "../evil"))["layer.tar"]))
	want := map[string]string{
		"bin/": "", "etc/": "", "tmp/": "", "proc/": "", "sys/": "", "dev/": "", "var/": "",
		"bin/busybox": "ELF", "bin/sh": "-> busybox", "bin/sleep": "-> busybox",
		"etc/passwd": "root:x:0:0:root:/:/bin/sh\n",
	}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("layer (-want +got):\n%s", diff)
	}
}

func TestArchiveIsReproducible(t *testing.T) {
	if !bytes.Equal(archive(t, "sh"), archive(t, "sh")) {
		t.Error("the same input gave different bytes")
	}
}
