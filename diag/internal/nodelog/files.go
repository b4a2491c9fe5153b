package nodelog

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/spool"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// listed means that a node answered with a listing of /var/log: the query is off, and the same address is a file server
// (kubelet v1.0–v1.36 kubelet.go Run).
type listed struct{ names []string }

func (l *listed) Error() string { return errOff.Error() }
func (l *listed) Unwrap() error { return errOff }

// isListing reports whether an answer is a listing: HTML, with status 200.
func isListing(head []byte) bool {
	text := strings.ToLower(strings.TrimSpace(string(head[:min(len(head), 512)])))
	return strings.HasPrefix(text, "<!doctype html") || strings.HasPrefix(text, "<pre>") ||
		strings.HasPrefix(text, "<html")
}

var link = regexp.MustCompile(`<a href="([^"/?]{1,255})">`)

// names returns the files in a listing.
func names(listing []byte) (out []string) {
	for _, m := range link.FindAllSubmatch(listing, 1000) {
		if name, err := url.PathUnescape(string(m[1])); err == nil {
			out = append(out, name)
		}
	}
	return out
}

// worth are the files below /var/log that kubelets, runtimes and kernels write to if they do not use journald, with the
// kind of evidence in them. The general ones have lines of all programs; only the relevant lines are kept.
var worth = []struct {
	name    string
	kind    evidence.SourceKind
	general bool
}{
	{"kubelet.log", evidence.SourceKubeletLog, false}, {"containerd.log", evidence.SourceRuntimeLog, false},
	{"crio.log", evidence.SourceRuntimeLog, false}, {"docker.log", evidence.SourceRuntimeLog, false},
	{"kern.log", evidence.SourceKernelLog, true}, {"syslog", evidence.SourceKubeletLog, true},
	{"messages", evidence.SourceKubeletLog, true}, {"daemon.log", evidence.SourceKubeletLog, true},
}

// fileTail is how many bytes are read from the end of a file.
const fileTail = 32 << 20

// Tailer opens the end of a file that the API server passes on. Getters without it read whole files.
type Tailer interface {
	Tail(ctx context.Context, path string, bytes int64) (io.ReadCloser, error)
}

// files reads a node's text logs from the file server that answers if the query is off. gaps says why the query could
// not be used.
func (s *Source) files(ctx context.Context, listing []string, gaps []evidence.Gap) (pieces []evidence.RawEvidence,
	_ []evidence.Gap) {
	for _, w := range worth {
		if !slices.Contains(listing, w.name) || ctx.Err() != nil {
			continue
		}
		f, err := s.file(ctx, w.name, w.general)
		if err != nil {
			gaps = append(gaps, evidence.Gap{Source: w.kind, Node: s.node,
				Why: fmt.Sprintf("read /var/log/%s through the kubelet: %v", w.name, classify(err))})
		}
		if f.Size > 0 {
			pieces = append(pieces, textlog.NewPiece(s.node, f, textlog.Options{Reference: s.o.Now()}))
		}
	}
	return pieces, gaps
}

// file reads the end of one file.
func (s *Source) file(ctx context.Context, name string, general bool) (evidence.File, error) {
	ctx, cancel := context.WithTimeout(ctx, s.o.Timeout)
	defer cancel()
	path := "/api/v1/nodes/" + url.PathEscape(s.node) + "/proxy/logs/" + url.PathEscape(name)
	tail := min(cmp.Or(s.o.Budget, fileTail), fileTail)
	var body io.ReadCloser
	var err error
	if t, ok := s.get.(Tailer); ok {
		body, err = t.Tail(ctx, path, tail)
	} else {
		body, err = s.get.Get(ctx, path, nil)
	}
	if err != nil {
		return evidence.File{}, err
	}
	defer body.Close()
	buf := spool.New(tail)
	br := bufio.NewReaderSize(body, 256<<10)
	if head, _ := br.Peek(512); bytes.ContainsRune(head, 0) {
		return evidence.File{}, errors.New("it is no text")
	}
	var read int64
	first, hide := "", textlog.Hider()
	for n := 0; ; n++ {
		line, err := textlog.ReadLine(br)
		read += int64(len(line)) + 1
		if line != "" && (err == nil || errors.Is(err, io.EOF)) && (!general || ofInterest(line)) {
			if n == 0 {
				first = line // maybe not a whole line: known when all is read
			} else if clear, keep := hide(line); keep {
				buf.Add([]byte(clear + "\n"))
			}
		}
		if errors.Is(err, io.ErrUnexpectedEOF) { // still being written
			err = io.EOF
		}
		if err != nil {
			f := buf.File(textlog.ForeignPath(s.node, name))
			if first != "" && read < tail {
				f = textlog.Behind(secrets.Text(first)+"\n", f)
			}
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return f, err
		}
	}
}

// ofInterest reports whether a line of a general log is from a kubelet, a runtime, the kernel or systemd. We keep no
// lines of other programs.
func ofInterest(line string) bool {
	_, rest, ok := textlog.SyslogStamp(line)
	if !ok {
		if _, rest, ok = textlog.ISOStamp(line); !ok {
			return false
		}
	}
	var e textlog.Envelope
	return e.Identify(rest) && slices.Contains(statement.Identifiers(), e.Unit)
}
