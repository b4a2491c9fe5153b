package foreign

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/part"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

const (
	// sampled is how much of a log is read to see whether it has several hosts.
	sampled = 1 << 20
	// maxHosts is how many hosts are distinguished in one file.
	maxHosts = 1000
)

// hostOf returns the host in a line of syslog ("Nov 21 07:21:31.823345 n1 kubelet[80]: …") or of its ISO form
// ("2026-11-21T07:21:31+0000 n1 kubelet[80]: …"). A line without one continues the previous line.
func hostOf(line []byte) []byte {
	skip := 1
	switch {
	case len(line) < 20:
		return nil
	case line[3] == ' ' && line[6] == ' ' && line[9] == ':':
		skip = 3
	case line[4] != '-' || line[7] != '-' || line[10] != 'T':
		return nil
	}
	for range skip {
		_, rest, ok := bytes.Cut(line, []byte(" "))
		if !ok {
			return nil
		}
		line = bytes.TrimLeft(rest, " ")
	}
	host, rest, ok := bytes.Cut(line, []byte(" "))
	ident, _, _ := bytes.Cut(rest, []byte(" "))
	if !ok || len(host) == 0 || len(host) > 253 || host[len(host)-1] == ':' || !bytes.HasSuffix(ident, []byte(":")) {
		return nil // or the writer is in its place: people cut out the host
	}
	return host[bytes.LastIndexByte(host, '/')+1:] // no host has a slash: "node/worker-1" has the kind before it
}

// share is the part of a log that one host wrote.
type share struct {
	host  string
	also  []string // later names of the machine
	bytes int64
}

// named reports whether a line's host is this one.
func (s *share) named(host []byte) bool {
	return s.host == string(host) || slices.Contains(s.also, string(host))
}

// now returns its last name.
func (s *share) now() string {
	if n := len(s.also); n > 0 {
		return s.also[n-1]
	}
	return s.host
}

// goesOnAs reports whether a machine got another name, for instance from DHCP: the same process that wrote the previous
// line, in the same hour of the same day. Lines of several machines have different processes, or go back in time.
func goesOnAs(before, line []byte) bool {
	old, next := writerOfLine(before), writerOfLine(line)
	return old != nil && bytes.IndexByte(old, '[') > 0 && bytes.Equal(old, next) &&
		len(before) > 13 && bytes.Equal(before[:len(sameHour)], line[:len(sameHour)])
}

// sameHour is the part of two lines' times that must agree: "Nov 21 07:" or "2026-11-21".
const sameHour = "Nov 21 07:"

// writerOfLine returns what follows the host: "kubelet[80]:".
func writerOfLine(line []byte) []byte {
	host := hostOf(line)
	if host == nil {
		return nil
	}
	_, rest, _ := bytes.Cut(line, append(slices.Clone(host), ' '))
	ident, _, _ := bytes.Cut(rest, []byte(" "))
	return ident
}

// hostsIn lists the hosts of a log in the order of their first lines: of its beginning or, if that has several or all
// is set, of all of it. Only then are their sizes complete.
func hostsIn(f evidence.File, all bool) ([]share, error) {
	shares, mixed, err := hosts(f, all, true)
	if mixed { // two machines after all
		shares, _, err = hosts(f, all, false)
	}
	return shares, err
}

func hosts(f evidence.File, all, rename bool) (shares []share, mixed bool, err error) {
	if format := textlog.Sniff(beginning(f, 32<<10)); format != textlog.FormatSyslog && format != textlog.FormatISO {
		return nil, false, nil
	}
	var before []byte // the last line with a host, as far as it identifies a writer
	at, read := -1, 0
	err = part.Lines(f, func(line []byte, within bool) bool {
		if host := hostOf(line); host != nil && !within {
			if at < 0 || shares[at].now() != string(host) {
				was := at
				at = slices.IndexFunc(shares, func(s share) bool { return s.named(host) })
				switch {
				case at >= 0 && (at == was || shares[at].also != nil):
					mixed = true
					return false // it has its former name again
				case at >= 0:
				case rename && was >= 0 && goesOnAs(before, line):
					at = was
					shares[at].also = append(shares[at].also, string(host))
				case len(shares) < maxHosts:
					shares = append(shares, share{host: string(host)})
					at = len(shares) - 1
				}
			}
			before = append(before[:0], line[:min(len(line), 512)]...)
		}
		if at >= 0 {
			shares[at].bytes += int64(len(line))
		}
		read += len(line)
		return all || read < sampled || len(shares) > 1
	})
	return shares, mixed, err
}

// of returns the part of a log that one of its hosts wrote.
func (s share) of(f evidence.File) evidence.File {
	out := f
	out.Size = s.bytes
	out.Open = func() (io.ReadCloser, error) {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		return &hostReader{in: r, br: bufio.NewReaderSize(r, 256<<10), mine: s}, nil
	}
	return out
}

// hostReader returns the lines of one host, each with its continuation lines.
type hostReader struct {
	in     io.Closer
	br     *bufio.Reader
	mine   share
	is     bool // of the line
	within bool // a line that did not fit the buffer
	rest   []byte
}

// Read implements io.Reader.
func (h *hostReader) Read(p []byte) (int, error) {
	for len(h.rest) == 0 {
		line, err := h.br.ReadSlice('\n')
		if !h.within {
			if host := hostOf(line); host != nil {
				h.is = h.mine.named(host)
			}
		}
		h.within = errors.Is(err, bufio.ErrBufferFull)
		if h.is {
			h.rest = line
		}
		if err != nil && !h.within && len(h.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, h.rest)
	h.rest = h.rest[n:]
	return n, nil
}

// Close implements io.Closer.
func (h *hostReader) Close() error { return h.in.Close() }
