package kernel

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets"
)

const (
	// budget is the maximum number of bytes to read: the kernel's buffer seldom has more than a few MiB.
	budget = 64 << 20
	// quiet is how long to wait without a record.
	quiet = 10 * time.Second
)

// Source reads the kernel log of this machine.
type Source struct {
	node, kmsg string
}

// NewSource returns the source of the node that it runs on.
func NewSource(node string) *Source { return &Source{node, "/dev/kmsg"} }

// Name returns the name of the source.
func (s *Source) Name() string { return "kernel" }

// Collect copies what the kernel's buffer holds now. It never waits for more.
func (s *Source) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	ctx, cancel := pace.Within(ctx, quiet)
	defer cancel()
	gap := func(err error) evidence.Gap {
		return evidence.Gap{Source: evidence.SourceKernelLog, Node: s.node, Why: err.Error(), Hint: hint(err)}
	}
	now := clock.Now().UTC().Round(0)
	since, err := uptime()
	if err != nil {
		return nil, []evidence.Gap{gap(fmt.Errorf("read the boot time: %w", err))}
	}
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		id = nil // the log is worth reading without it
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "# kmsg boottime=%s bootid=%s\n", now.Add(-since).Format(time.RFC3339Nano),
		strings.TrimSpace(string(id)))
	begin := out.Len()
	var gaps []evidence.Gap
	until := now
	if err := readKmsg(ctx, s.kmsg, budget, &out); err != nil {
		gaps, until = append(gaps, gap(fmt.Errorf("read %s: %w", s.kmsg, err))), time.Time{}
	}
	if out.Len() == begin {
		return nil, gaps
	}
	var clear strings.Builder
	clear.Grow(out.Len())
	for line := range strings.Lines(out.String()) {
		if err := ctx.Err(); err != nil { // keep nothing that was not searched for secrets
			gaps, until = append(gaps, gap(fmt.Errorf("read %s: %w", s.kmsg, err))), time.Time{}
			break
		}
		pace.Step(ctx)
		text, ended := strings.CutSuffix(line, "\n")
		// Any program may write to the kernel's log. A secret that begins there and never ends must not hide the
		// kernel's own lines after it, so each record is searched alone.
		clear.WriteString(secrets.Text(text))
		if ended {
			clear.WriteByte('\n')
		}
	}
	return []evidence.RawEvidence{NewPiece(s.node, evidence.Bytes(Path(s.node), []byte(clear.String())), until)}, gaps
}

var errBudget = errors.New("longer than the budget: the newest part was left out")

// records copies whole records from a reader, one record per Read, until next reports that there are no more.
func records(ctx context.Context, next func([]byte) (int, error), budget int, out io.Writer) error {
	buf := make([]byte, 16<<10)
	for total := 0; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := next(buf)
		if err != nil || n == 0 {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		pace.Step(ctx)
		if total += n; total > budget {
			return errBudget
		}
		if _, err := out.Write(buf[:n]); err != nil {
			return err
		}
	}
}

func hint(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "run as root, or with the capability CAP_SYSLOG"
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errors.ErrUnsupported):
		return "run on the node itself, or pass the output of dmesg"
	}
	return ""
}
