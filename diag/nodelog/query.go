package nodelog

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
	"github.com/restartwhy/kubectl-restartwhy/diag/spool"
)

// Getter opens a path of the API server. An answer that is not 2xx is an error,
// a StatusError where the server sent one.
type Getter interface {
	Get(ctx context.Context, path string, query url.Values) (io.ReadCloser, error)
}

// REST makes a Getter of a client.
func REST(c rest.Interface) Getter { return restGetter{c} }

type restGetter struct{ c rest.Interface }

func (g restGetter) Get(ctx context.Context, path string, query url.Values) (io.ReadCloser, error) {
	// A client that prefers protobuf would get 406: the node answers in plain text.
	r := g.c.Get().AbsPath(path).SetHeader("Accept", "text/plain, */*")
	for key, list := range query {
		for _, v := range list {
			r = r.Param(key, v)
		}
	}
	return r.Stream(ctx)
}

const (
	// tailLines is the most that the kubelet grants (KEP-2258). sinceTime is not
	// used: on nodes that are not in UTC it silently drops what was asked for.
	tailLines = 100000
	// serverLimit is when the kubelet cuts the answer off, silently.
	serverLimit = 30 * time.Second
)

// QueryOptions bound a node log query. Zero fields have defaults.
type QueryOptions struct {
	// Services are the units to ask for: kubelet and containerd.
	Services []string
	// Since drops older lines; zero keeps all that the node returns.
	Since time.Time
	// Budget is the number of bytes of text kept per service, the newest; 128 MiB.
	Budget int64
	// Timeout is for one service; a little more than the kubelet's own limit.
	Timeout time.Duration
	// Now is the clock; time.Now.
	Now func() time.Time
}

// Source asks a node's kubelet for the logs of services, through the API server.
type Source struct {
	get  Getter
	node string
	o    QueryOptions
}

// NewSource returns the source of one node.
func NewSource(get Getter, node string, o QueryOptions) *Source {
	if o.Services == nil {
		o.Services = []string{"kubelet", "containerd"}
	}
	o.Budget = cmp.Or(o.Budget, 128<<20)
	o.Timeout = cmp.Or(o.Timeout, serverLimit+5*time.Second)
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Source{get, node, o}
}

// Name names the source.
func (s *Source) Name() string { return "nodelog" }

// Collect asks for each service in turn. When the first answer shows that the
// node cannot be asked at all, the others are not tried.
func (s *Source) Collect(ctx context.Context) ([]evidence.Piece, []evidence.Gap) {
	var pieces []evidence.Piece
	var gaps []evidence.Gap
	for _, service := range s.o.Services {
		p, why := s.query(ctx, service)
		if p != nil {
			pieces = append(pieces, p)
		}
		for _, err := range why {
			gaps = append(gaps, evidence.Gap{Source: kindOf(service), Node: s.node, Why: fmt.Sprintf("query the log of %s: %v", service, err), Hint: hint(err)})
		}
		if err := errors.Join(why...); errors.Is(err, errOff) || apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) || errors.Is(err, errGone) || errors.Is(err, errUnreachable) {
			break
		}
	}
	return pieces, gaps
}

func kindOf(service string) evidence.SourceKind {
	switch service {
	case "kubelet", "k3s", "k3s-agent", "rke2-server", "rke2-agent":
		return evidence.SourceKubeletLog
	case "kernel":
		return evidence.SourceKernelLog
	}
	return evidence.SourceRuntimeLog
}

var (
	errOff         = errors.New("the node log query is switched off on this node")
	errGone        = errors.New("no such node")
	errUnreachable = errors.New("the API server cannot reach the kubelet")
	errNoEntries   = errors.New("the node has no entries of it")
	errLimit       = errors.New("the kubelet ends an answer after 30 s: the newest lines are missing")
	errBudget      = errors.New("longer than the budget: the oldest lines were left out")
)

// query asks for one service.
func (s *Source) query(ctx context.Context, service string) (evidence.Piece, []error) {
	ctx, cancel := context.WithTimeout(ctx, s.o.Timeout)
	defer cancel()
	began := s.o.Now().UTC().Round(0)
	body, err := s.get.Get(ctx, "/api/v1/nodes/"+url.PathEscape(s.node)+"/proxy/logs/",
		url.Values{"query": {service}, "tailLines": {strconv.Itoa(tailLines)}})
	if err != nil {
		return nil, []error{classify(err)}
	}
	defer body.Close()
	buf := spool.New(s.o.Budget)
	var why []error
	if err := s.copy(body, buf); err != nil {
		why = append(why, classify(err))
	}
	until := s.o.Now().UTC().Round(0)
	// What the kubelet cut off looks like an end: the clock is all there is to tell.
	if until.Sub(began) >= serverLimit-time.Second && len(why) == 0 {
		why = append(why, errLimit)
	}
	if len(why) > 0 {
		until = time.Time{}
	}
	file := buf.File(QueryPath(s.node, service))
	if buf.Dropped() > 0 {
		why = append(why, errBudget)
	}
	if file.Size == 0 {
		if len(why) == 0 {
			why = append(why, errNoEntries)
		}
		return nil, why
	}
	return NewPiece(s.node, file, Options{Until: until, Reference: s.o.Now(), Zone: time.UTC}), why
}

// inBand are errors that the kubelet writes into the body of a 200
// (kubelet_server_journal.go, kubelet_server_journal_linux.go).
var inBand = []string{
	"error: journal output not available", "log not found for ", "options present and query resolved to log files for ",
	"failed to get logging cmd: ", "failed to run journalctl",
}

// copy keeps the lines of an answer that are young enough, without secrets.
func (s *Source) copy(body io.Reader, buf *spool.Buffer) error {
	br := bufio.NewReaderSize(body, 256<<10)
	head, _ := br.Peek(512)
	text := strings.ToLower(strings.TrimSpace(string(head)))
	// With the feature off the same address is a file server: a listing, with 200.
	if strings.HasPrefix(text, "<!doctype html") || strings.HasPrefix(text, "<pre>") || strings.HasPrefix(text, "<html") {
		return errOff
	}
	young := s.o.Since.IsZero()
	for first := true; ; first = false {
		line, err := readLine(br)
		if first {
			for _, known := range inBand {
				if strings.HasPrefix(line, known) {
					return errors.New(strings.TrimSpace(line))
				}
			}
		}
		if _, boot := bootMark(line); boot || line != "" && !strings.HasPrefix(line, "-- ") { // not "-- No entries --"
			if !young {
				at, _, ok := syslogStamp(line)
				young = ok && !at.time(Times{Reference: s.o.Now()}).Before(s.o.Since)
			}
			if young {
				// A line without its end stays without one: the reader must see the cut.
				if !errors.Is(err, io.ErrUnexpectedEOF) {
					line += "\n"
				}
				buf.Add([]byte(redact.Text(line)))
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// classify words what went wrong between us and the kubelet.
func classify(err error) error {
	switch {
	case apierrors.IsNotFound(err) && strings.Contains(err.Error(), `nodes "`):
		return fmt.Errorf("%w: %w", errGone, err)
	case apierrors.IsNotFound(err), apierrors.IsMethodNotSupported(err):
		return fmt.Errorf("%w: %w", errOff, err) // the kubelet serves no logs at all
	case apierrors.IsServiceUnavailable(err), apierrors.IsInternalError(err), apierrors.IsTimeout(err), apierrors.IsServerTimeout(err), apierrors.IsTooManyRequests(err),
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
		return "set enableSystemLogQuery: true in the kubelet's configuration (and the gate NodeLogQuery before v1.36; enableSystemLogHandler must not be false), or collect on the node"
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		return "needs the right to get nodes/proxy"
	case errors.Is(err, errGone):
		return "the node was removed: only a bundle or its log files can tell"
	case errors.Is(err, errUnreachable):
		return "the node may be down; ask again when it is ready, or hand over its log files"
	case errors.Is(err, errNoEntries), strings.HasPrefix(err.Error(), "log not found for "):
		return "the unit may have another name there (k3s, rke2-agent, crio)"
	case errors.Is(err, errLimit), errors.Is(err, context.DeadlineExceeded):
		return "collect on the node to have the rest"
	}
	return ""
}
