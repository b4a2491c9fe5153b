package textlog

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestAChunkHasFewLines(t *testing.T) {
	for name, text := range map[string]string{
		"empty lines":   strings.Repeat("\n", 3*chunkBytes),
		"short lines":   strings.Repeat("\tx\n", chunkBytes),
		"common lines":  strings.Repeat(klogLine+"\n", 30_000),
		"short, common": strings.Repeat("x\n", chunkLines+7) + strings.Repeat(klogLine+"\n", 9_000),
	} {
		s, read := splitter{r: strings.NewReader(text), size: chunkBytes}, bytes.Buffer{}
		for {
			chunk, err := s.next(nil)
			if n := bytes.Count(chunk, newline); n > chunkLines {
				t.Errorf("%s: a chunk of %d lines", name, n)
			}
			read.Write(chunk)
			if err != nil {
				if !errors.Is(err, io.EOF) {
					t.Errorf("%s: %v", name, err)
				}
				break
			}
		}
		if read.String() != text {
			t.Errorf("%s: %d bytes of %d were read, or others", name, read.Len(), len(text))
		}
	}
}
