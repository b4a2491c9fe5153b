package nodelog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

const (
	// tailLines is the maximum that the kubelet allows (KEP-2258).
	tailLines = 100000
	// serverLimit is when the kubelet silently cuts the answer.
	serverLimit = 30 * time.Second
)

// QueryOptions limit a node log query. Zero fields have defaults.
type QueryOptions struct {
	// Services are the units to query. The default is kubelet and containerd, or on a node without these names, the
	// units that do the same there.
	Services []string
	// Reach is how far back to page; if zero, only the newest page is read.
	Reach time.Time
	// Budget is how many bytes of text are kept per service, the newest. The default is 128 MiB.
	Budget int64
	// Timeout is for all pages of one service. The default is 75 s; the kubelet has 30 s for each page.
	Timeout time.Duration
	// Now is the clock. The default is clock.Now.
	Now func() time.Time

	// tail is the number of lines of a page.
	tail int
}

// Source reads the logs of services from a node's kubelet, through the API server.
type Source struct {
	get  kube.Getter
	node string
	o    QueryOptions
}

// NewSource returns the source of one node.
func NewSource(get kube.Getter, node string, o QueryOptions) *Source {
	if o.Services == nil {
		o.Services = []string{"kubelet", "containerd"}
	}
	o.Budget = cmp.Or(o.Budget, 128<<20)
	o.tail = cmp.Or(o.tail, tailLines)
	o.Timeout = cmp.Or(o.Timeout, 2*serverLimit+15*time.Second)
	o.Now = clock.Or(o.Now)
	return &Source{get, node, o}
}

// Name returns the name of the source.
func (s *Source) Name() string { return "nodelog" }

// elsewhere returns the units that do a service's work on other distributions.
func elsewhere(service string) []string {
	switch service {
	case "kubelet":
		return evidence.KubeletUnits()
	case "containerd":
		return evidence.RuntimeUnits()
	}
	return nil
}

// Collect queries each service in turn. If the first answer shows that the node cannot be reached at all, it does not
// try the others; if only the query is disabled, it reads the node's log files.
func (s *Source) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	var pieces []evidence.RawEvidence
	var gaps []evidence.Gap
	for _, service := range s.o.Services {
		p, why := s.query(ctx, service)
		for _, unit := range elsewhere(service) {
			if p != nil || !absent(why) || ctx.Err() != nil {
				break
			}
			other := strings.TrimSuffix(unit, ".service")
			if other == service {
				continue
			}
			if found, also := s.query(ctx, other); found != nil {
				p, why = found, also
			}
		}
		if p != nil {
			pieces = append(pieces, p)
		}
		for _, err := range why {
			gaps = append(gaps, evidence.Gap{Source: evidence.UnitOf(service).ItsLog(), Node: s.node,
				Why: fmt.Sprintf("query the log of %s: %v", service, err), Hint: hint(err)})
		}
		var off *listed
		if err := errors.Join(why...); errors.As(err, &off) {
			return s.files(ctx, off.names, gaps)
		} else if errors.Is(err, errOff) || apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) ||
			errors.Is(err, errGone) || errors.Is(err, errUnreachable) {
			break
		}
	}
	return pieces, gaps
}

// absent reports whether a node has no log of a service.
func absent(why []error) bool {
	err := errors.Join(why...)
	return errors.Is(err, errNoEntries) || err != nil && strings.HasPrefix(err.Error(), "log not found for ")
}

var (
	errOff         = errors.New("the node log query is switched off on this node")
	errGone        = errors.New("no such node")
	errUnreachable = errors.New("the API server cannot reach the kubelet")
	errNoEntries   = errors.New("the node has no entries of it")
	errLimit       = errors.New("the kubelet ends an answer after 30 s: the newest lines are missing")
	errBudget      = errors.New("longer than the budget: the oldest lines were left out")
	errHole        = errors.New("two pages of it do not overlap: everything before the newer one was left out")
)

// query reads the log of one service, page by page.
func (s *Source) query(ctx context.Context, service string) (evidence.RawEvidence, []error) {
	ctx, cancel := context.WithTimeout(ctx, s.o.Timeout)
	defer cancel()
	l := s.read(ctx, service)
	file := l.file(textlog.QueryPath(s.node, service))
	if file.Size == 0 {
		if len(l.why) == 0 {
			l.why = append(l.why, errNoEntries)
		}
		return nil, l.why
	}
	return textlog.NewPiece(s.node, file, textlog.Options{Until: l.until, Reference: s.o.Now(), Zone: time.UTC}), l.why
}

// inBand are errors that the kubelet writes into the body of a 200 response (kubelet_server_journal.go,
// kubelet_server_journal_linux.go).
var inBand = []string{
	"error: journal output not available", "log not found for ", "options present and query resolved to log files for ",
	"failed to get logging cmd: ", "failed to run journalctl",
}

// classify names what failed between us and the kubelet.
func classify(err error) error {
	switch {
	case apierrors.IsNotFound(err) && strings.Contains(err.Error(), `nodes "`):
		return fmt.Errorf("%w: %w", errGone, err)
	case apierrors.IsNotFound(err), apierrors.IsMethodNotSupported(err):
		return fmt.Errorf("%w: %w", errOff, err) // the kubelet serves no logs at all
	case apierrors.IsServiceUnavailable(err), apierrors.IsInternalError(err),
		apierrors.IsTimeout(err), apierrors.IsServerTimeout(err), apierrors.IsTooManyRequests(err),
		strings.Contains(err.Error(), "dial tcp"), strings.Contains(err.Error(), "error trying to reach service"):
		return fmt.Errorf("%w: %w", errUnreachable, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the answer broke off")
	}
	return err
}

func hint(err error) string {
	switch {
	case errors.Is(err, errOff):
		return "set enableSystemLogQuery: true in the kubelet's configuration (and the gate NodeLogQuery before v1.36; " +
			"enableSystemLogHandler must not be false), or collect on the node"
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		return "needs the right to get nodes/proxy"
	case errors.Is(err, errGone):
		return "the node was removed: only a bundle or its log files can help"
	case errors.Is(err, errUnreachable):
		return "the node may be down; try again when it is ready, or pass its log files"
	case errors.Is(err, errNoEntries), strings.HasPrefix(err.Error(), "log not found for "):
		return "the unit may have another name there (k3s, rke2-agent, crio)"
	case errors.Is(err, errLimit), errors.Is(err, context.DeadlineExceeded):
		return "collect on the node to have the rest"
	}
	return ""
}
