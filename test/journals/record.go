package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// record writes one small file of each variant, as <name>.journal.zst, and journalctl's output for it, as
// <name>.export.zst.
func record(ctx context.Context, all []*systemd, dir string) error {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "journals-record-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }() // temporary
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	files, size := 0, 0
	for _, t := range all {
		for i, v := range [][3]string{{"0", "0", "LZ4"}, {"0", "1", "ZSTD"},
			{"1", "0", "0"}, {"1", "1", "XZ"}, {"1", "1", "ZSTD"}} {
			if t.suite == "bullseye" && i > 1 {
				continue // it has no compact files, and only one compression
			}
			env := []string{"SYSTEMD_JOURNAL_COMPACT=" + v[0], "SYSTEMD_JOURNAL_KEYED_HASH=" + v[1],
				"SYSTEMD_JOURNAL_COMPRESS=" + v[2]}
			name := fmt.Sprintf("%s-compact%s-keyed%s-%s", t.suite, v[0], v[1], v[2])
			path := filepath.Join(temp, name+".journal")
			if err := t.write(ctx, env, path, bytes.NewReader(awkward(uint64(i+6), 40))); err != nil {
				return err
			}
			journal, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			export, err := judge(all).read(ctx, path, "--output=export")
			if err != nil {
				return err
			}
			for ext, data := range map[string][]byte{".journal.zst": journal,
				".export.zst": numbers.ReplaceAll(export, []byte("$1"))} {
				data = enc.EncodeAll(data, nil)
				if err := os.WriteFile(filepath.Join(dir, name+ext), data, 0o644); err != nil {
					return err
				}
				files, size = files+1, size+len(data)
			}
		}
	}
	fmt.Printf("record: %d files of %d KiB in %s\n", files, size>>10, dir)
	return nil
}
