package foreign

import (
	"bytes"
	"fmt"
	"io"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/part"
)

// maxPrologue is how far to search for a log after other output of its writer.
const maxPrologue = 64 << 20

// behindPrologue returns a file from where known content begins: a script may have traced itself for long before it
// started the kubelet. A file without known content is returned unchanged.
func (p *places) behindPrologue(f evidence.File) evidence.File {
	if f.Size <= longHead || contentOf(beginning(f, longHead)) != contentOther {
		return f
	}
	r, err := f.Open()
	if err != nil {
		return f // its own reader reports that
	}
	defer func() { _ = r.Close() }() // read only
	buf := make([]byte, longHead)
	var at int64
	for rest := 0; at < maxPrologue; {
		n, err := io.ReadFull(r, buf[rest:])
		window := buf[:rest+n]
		if contentOf(window) == contentLog {
			if at > 0 {
				p.gaps = append(p.gaps, gap("", fmt.Sprintf("read %s: its first %d KiB are not recognised", f.Path, at>>10),
					""))
				return part.Of(f, f.Path, [2]int64{at, f.Size})
			}
			return f
		}
		end := bytes.LastIndexByte(window, '\n') + 1
		if err != nil || end == 0 {
			return f
		}
		rest = copy(buf, window[end:])
		at += int64(end)
	}
	return f
}
