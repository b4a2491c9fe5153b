package filetest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// Entry is one entry of an archive, also one that no honest program would make. Without a kind (tar.TypeSymlink) it is
// a regular file; the body of a link is its target.
type Entry struct {
	Name, Body string
	Kind       byte
}

// Entries are files below a directory, sorted: their content by their path.
func Entries(top string, files map[string]string) (out []Entry) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		out = append(out, Entry{Name: top + name, Body: files[name]})
	}
	return out
}

// Tar packs entries that were last written at a time.
func Tar(at time.Time, entries ...Entry) []byte {
	return packed(func(out io.Writer) (io.Closer, error) {
		w := tar.NewWriter(out)
		for _, e := range entries {
			h := &tar.Header{Name: e.Name, Typeflag: e.Kind, Mode: 0o644, ModTime: at}
			switch e.Kind {
			case 0:
				h.Typeflag, h.Size = tar.TypeReg, int64(len(e.Body))
			case tar.TypeSymlink, tar.TypeLink:
				h.Linkname = e.Body
			}
			if err := w.WriteHeader(h); err != nil {
				return nil, err
			}
			if h.Size > 0 {
				if _, err := io.WriteString(w, e.Body); err != nil {
					return nil, err
				}
			}
		}
		return w, nil
	})
}

// Zip is Tar as a zip.
func Zip(at time.Time, entries ...Entry) []byte {
	return packed(func(out io.Writer) (io.Closer, error) {
		w := zip.NewWriter(out)
		for _, e := range entries {
			h := &zip.FileHeader{Name: e.Name, Method: zip.Deflate, Modified: at}
			if e.Kind == tar.TypeSymlink {
				h.SetMode(0o777 | fs.ModeSymlink)
			}
			f, err := w.CreateHeader(h)
			if err != nil {
				return nil, err
			}
			if _, err := io.WriteString(f, e.Body); err != nil {
				return nil, err
			}
		}
		return w, nil
	})
}

// Gzip compresses.
func Gzip[T string | []byte](data T) []byte {
	return packed(func(out io.Writer) (io.Closer, error) {
		w := gzip.NewWriter(out)
		_, err := w.Write([]byte(data))
		return w, err
	})
}

// XZ compresses.
func XZ[T string | []byte](data T) []byte {
	return packed(func(out io.Writer) (io.Closer, error) {
		w, err := xz.NewWriter(out)
		if err == nil {
			_, err = w.Write([]byte(data))
		}
		return w, err
	})
}

// Zstd compresses.
func Zstd[T string | []byte](data T) []byte {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err)
	}
	return w.EncodeAll([]byte(data), nil)
}

// packed returns what is written and closed. Nothing fails in memory but what a test asks wrongly.
func packed(write func(io.Writer) (io.Closer, error)) []byte {
	var b bytes.Buffer
	w, err := write(&b)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return b.Bytes()
}
