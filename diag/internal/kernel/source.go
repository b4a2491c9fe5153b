package kernel

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets"
)

// Options say where to read. The zero value is for the machine we run on.
type Options struct {
	// Kmsg is the kernel's log device. The default is /dev/kmsg.
	Kmsg string
	// Root is where the machine's file system is mounted. The default is "/".
	Root string
	// Budget is the maximum number of bytes to read. The default is 64 MiB; the kernel's buffer seldom has more than a
	// few MiB.
	Budget int
	// Timeout is how long to wait without a record. The default is 10 seconds.
	Timeout time.Duration
	// Now is the clock. The default is clock.Now.
	Now func() time.Time
}

// Source reads the kernel log of this machine.
type Source struct {
	node string
	o    Options
}

// NewSource returns the source of the node that it runs on.
func NewSource(node string, o Options) *Source {
	o.Kmsg = cmp.Or(o.Kmsg, "/dev/kmsg")
	o.Root = cmp.Or(o.Root, "/")
	o.Budget = cmp.Or(o.Budget, 64<<20)
	o.Timeout = cmp.Or(o.Timeout, 10*time.Second)
	o.Now = clock.Or(o.Now)
	return &Source{node, o}
}

// Name returns the name of the source.
func (s *Source) Name() string { return "kernel" }

// Collect copies what the kernel's buffer holds now. It never waits for more.
func (s *Source) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	ctx, cancel := pace.Within(ctx, s.o.Timeout)
	defer cancel()
	gap := func(err error) evidence.Gap {
		return evidence.Gap{Source: evidence.SourceKernelLog, Node: s.node, Why: err.Error(), Hint: hint(err)}
	}
	now := s.o.Now().UTC().Round(0)
	since, err := uptime()
	if err != nil {
		return nil, []evidence.Gap{gap(fmt.Errorf("read the boot time: %w", err))}
	}
	id, err := os.ReadFile(filepath.Join(s.o.Root, "proc/sys/kernel/random/boot_id"))
	if err != nil {
		id = nil // the log is worth reading without it
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "# kmsg boottime=%s bootid=%s\n", now.Add(-since).Format(time.RFC3339Nano),
		strings.TrimSpace(string(id)))
	begin := out.Len()
	var gaps []evidence.Gap
	until := now
	if err := readKmsg(ctx, s.o.Kmsg, s.o.Budget, &out); err != nil {
		gaps, until = append(gaps, gap(fmt.Errorf("read %s: %w", s.o.Kmsg, err))), time.Time{}
	}
	if out.Len() == begin {
		return nil, gaps
	}
	var clear strings.Builder
	clear.Grow(out.Len())
	for line := range strings.Lines(out.String()) {
		if err := ctx.Err(); err != nil { // keep nothing that was not searched for secrets
			gaps, until = append(gaps, gap(fmt.Errorf("read %s: %w", s.o.Kmsg, err))), time.Time{}
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
