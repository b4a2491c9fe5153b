package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"time"
)

// entry is one regular file of an archive. Krew rejects everything else.
type entry struct {
	name string
	mode fs.FileMode
	data []byte
}

// tarred returns a gzipped tar of the files, in order, without owner and with one time.
func tarred(files []entry, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(z)
	for _, f := range files {
		head := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: int64(f.mode.Perm()),
			Size: int64(len(f.data)), ModTime: at, Format: tar.FormatUSTAR}
		if err := t.WriteHeader(head); err != nil {
			return nil, fmt.Errorf("pack %s: %w", f.name, err)
		}
		if _, err := t.Write(f.data); err != nil {
			return nil, fmt.Errorf("pack %s: %w", f.name, err)
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// zipped returns a zip of the files. A zip cannot store times before 1980.
func zipped(files []entry, at time.Time) ([]byte, error) {
	if first := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC); at.Before(first) {
		at = first
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range files {
		head := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		head.SetMode(f.mode)
		w, err := z.CreateHeader(head)
		if err != nil {
			return nil, fmt.Errorf("pack %s: %w", f.name, err)
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, fmt.Errorf("pack %s: %w", f.name, err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
