package finding

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// StoppedOnWindows tells the code of a Windows process that did not end by itself.
func (e Exit) StoppedOnWindows() bool { return e.ofProcess() && stoppedOnWindows[e.Code] }

// Exception tells the code of a Windows process that failed with an exception: an NTSTATUS of severity error, or of
// a runtime (MS-ERREF 2.3; .NET has 0xE0434352).
func (e Exit) Exception() bool {
	return e.ofProcess() && uint32(e.Code)>>30 == 3 && !stoppedOnWindows[e.Code] && !unclearOnWindows[e.Code]
}

// windows tells that the container ran on Windows: by its node, its pod, or a code that no Linux process has. What the
// node says of itself goes before the code.
func (f *Findings) windows() bool {
	if f.Node != nil {
		switch n := &f.Node.Info; {
		case n.OS != "":
			return n.OS == "windows"
		case n.OSImage != "":
			return strings.HasPrefix(n.OSImage, "Windows")
		}
	}
	strange := func(c *int32) bool { return c != nil && (*c < 0 || *c > highestCode) }
	if c := f.R.From.ExitCode; strange(c) || c == nil && f.R.To != nil && strange(f.R.To.ExitCode) {
		return true
	}
	return f.R.Pod != nil && f.R.Pod.OS == "windows"
}

// onLinux takes Linux for granted again where something says what only Linux has: whatever else is said of the
// machine then rules nothing out.
func (f *Findings) onLinux() {
	if !f.Exit.Windows {
		return
	}
	o := &f.OOM
	if o.Label || o.Killer != "" || o.Shortage.Answer == Yes || f.R.From.HasAny(timeline.HasMemory) ||
		f.Node.Has(evidence.SourceKernelLog) || f.Node.Has(evidence.SourceCgroup) || f.Node.Has(evidence.SourceSystemd) {
		f.Exit.Windows = false
	}
}
