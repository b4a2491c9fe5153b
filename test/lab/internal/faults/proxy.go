package faults

import (
	"context"
	"io"
	"net"
	"net/url"
	"sync"
	"time"

	"k8s.io/client-go/tools/clientcmd"
)

// proxy is between the program and the API server, and behaves like a bad network.
type proxy struct {
	piece int // how many bytes of an answer it passes on before each pause; 0 for all
	pause time.Duration
	cut   time.Duration // how long a connection lives; 0 for no limit
	gone  time.Duration // when it stops for good; 0 for never
}

// begin routes the program's next runs through the proxy.
func (p proxy) begin(ctx context.Context, b *bench) (func(context.Context) error, error) {
	config, err := clientcmd.BuildConfigFromFlags("", b.lab.Kubeconfig())
	if err != nil {
		return nil, err
	}
	server, err := url.Parse(config.Host)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	context.AfterFunc(ctx, func() { _ = l.Close() })
	if p.gone > 0 {
		time.AfterFunc(p.gone, stop)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { p.pass(ctx, from, server.Host) })
		}
	})
	b.server = []string{"--server=https://" + l.Addr().String(), "--tls-server-name=" + server.Hostname()}
	return func(context.Context) error {
		stop()
		all.Wait()
		b.server = nil
		return nil
	}, nil
}

// pass connects a client to the server until one of them or the proxy closes the connection.
func (p proxy) pass(ctx context.Context, from net.Conn, server string) {
	defer from.Close()
	to, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	ctx, stop := context.WithCancel(ctx)
	if p.cut > 0 {
		time.AfterFunc(p.cut, stop)
	}
	defer context.AfterFunc(ctx, func() { _, _ = from.Close(), to.Close() })()
	var both sync.WaitGroup
	both.Go(func() { defer stop(); _, _ = io.Copy(to, from) })
	both.Go(func() { defer stop(); p.answer(from, to) })
	both.Wait()
}

// answer passes on the server's answer, at the proxy's pace.
func (p proxy) answer(to io.Writer, from io.Reader) {
	size := p.piece
	if size == 0 {
		size = 64 << 10
	}
	for piece := make([]byte, size); ; time.Sleep(p.pause) {
		n, err := from.Read(piece)
		if err != nil {
			return
		}
		if _, err := to.Write(piece[:n]); err != nil {
			return
		}
	}
}
