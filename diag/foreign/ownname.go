package foreign

import (
	"bytes"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/part"
)

// ownName returns the node that a kubelet's log names as its own, "" if it names none or several.
func ownName(f evidence.File) string {
	name, read := "", 0
	_ = part.Lines(f, func(line []byte, within bool) bool {
		if within {
			return true
		}
		read += len(line)
		if bytes.Contains(line, []byte("egister")) || bytes.Contains(line, []byte("Recording event message for node")) ||
			bytes.Contains(line, []byte("--hostname-override=")) {
			if m := registered.FindSubmatch(line); m != nil {
				if name != "" && name != string(m[1]) {
					name = ""
					return false
				}
				name = string(m[1])
			}
		}
		return read < ownNameBytes
	})
	return name
}

// ownNameBytes is how far to search for a name: a kubelet logs it when it starts, and with every change of the node's
// state.
const ownNameBytes = 64 << 20
