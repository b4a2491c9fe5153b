package foreign

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/nodelog"
)

const (
	// sampled is how much of a log tells whether it is of several hosts.
	sampled = 1 << 20
	// maxHosts is how many hosts are told apart in one file.
	maxHosts = 1000
)

// hostOf reads the host out of a line of syslog ("Nov 21 07:21:31.823345 n1
// kubelet[80]: …") or of its ISO form ("2026-11-21T07:21:31+0000 n1 kubelet[80]:
// …"). A line without one goes on the line before.
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
	if !ok || len(host) == 0 || len(host) > 253 || !bytes.HasSuffix(ident, []byte(":")) {
		return nil
	}
	return host
}

// share is the part of a log that one host wrote.
type share struct {
	host  string
	bytes int64
}

// hostsIn lists the hosts of a log in the order of their first lines: of its
// beginning, or, if that has several or all is asked for, of all of it. Only then
// are their sizes whole.
func hostsIn(f evidence.File, all bool) ([]share, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // read only
	br := bufio.NewReaderSize(r, 256<<10)
	head, _ := br.Peek(32 << 10)
	if format := nodelog.Sniff(head); format != nodelog.FormatSyslog && format != nodelog.FormatISO {
		return nil, nil
	}
	var shares []share
	at, within := -1, false
	for read := 0; all || read < sampled || len(shares) > 1; {
		line, err := br.ReadSlice('\n')
		if host := hostOf(line); host != nil && !within && (at < 0 || shares[at].host != string(host)) {
			at = slices.IndexFunc(shares, func(s share) bool { return s.host == string(host) })
			if at < 0 && len(shares) < maxHosts {
				shares = append(shares, share{host: string(host)})
				at = len(shares) - 1
			}
		}
		if at >= 0 {
			shares[at].bytes += int64(len(line))
		}
		read += len(line)
		within = errors.Is(err, bufio.ErrBufferFull)
		switch {
		case err == nil || within:
		case errors.Is(err, io.EOF):
			return shares, nil
		default:
			return shares, err
		}
	}
	return shares, nil
}

// eachLine hands on the lines of a reader, of a very long one only its beginning.
func eachLine(br *bufio.Reader, yield func(line []byte) bool) error {
	within := false // a line whose beginning was handed on
	for {
		line, err := br.ReadSlice('\n')
		if len(line) > 0 && !within && !yield(line) {
			return nil
		}
		within = errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !within {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

// of is the part of a log that one of its hosts wrote.
func (s share) of(f evidence.File) evidence.File {
	out := f
	out.Size = s.bytes
	out.Open = func() (io.ReadCloser, error) {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		return &hostReader{in: r, br: bufio.NewReaderSize(r, 256<<10), host: []byte(s.host)}, nil
	}
	return out
}

// hostReader hands on the lines of one host, each with those that go on it.
type hostReader struct {
	in     io.Closer
	br     *bufio.Reader
	host   []byte
	mine   bool // whose line it is
	within bool // a line that did not fit the buffer
	rest   []byte
}

// Read implements io.Reader.
func (h *hostReader) Read(p []byte) (int, error) {
	for len(h.rest) == 0 {
		line, err := h.br.ReadSlice('\n')
		if !h.within {
			if host := hostOf(line); host != nil {
				h.mine = bytes.Equal(host, h.host)
			}
		}
		h.within = errors.Is(err, bufio.ErrBufferFull)
		if h.mine {
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
