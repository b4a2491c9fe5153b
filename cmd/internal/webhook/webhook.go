// Package webhook posts verdicts to an HTTP address, one after another and each as long as it takes, while its caller
// goes on watching.
package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// What a receiver may cost: none of it holds up the watch.
const (
	// waiting is how many messages may wait for a receiver that is down; more are dropped, and counted.
	waiting = 1000
	// patience bounds one request with its answer.
	patience = 10 * time.Second
	// lastChance bounds what is still posted once the watch has ended.
	lastChance = 5 * time.Second
	// answer is how much of an answer is read so that its connection can be used again, in bytes.
	answer = 64 << 10
)

// retries are the pauses after a request that failed: five requests in all, over some 15 seconds.
var retries = wait.Backoff{Duration: time.Second, Factor: 2, Jitter: 0.2, Steps: 5}

// Options say where messages go to and what they are.
type Options struct {
	// URL is http or https. It often is itself a secret, and never printed: Host is.
	URL string
	// Template is the text of a Go template of the message; empty for the report itself.
	Template string
	// Say tells the reader, once for each, which message was given up and why.
	Say func(text string)
}

// Hook posts. Its methods are for one goroutine.
type Hook struct {
	to      *url.URL
	message message
	say     func(string)
	client  *http.Client
	retries wait.Backoff

	queue   chan body
	end     context.CancelFunc
	ended   sync.WaitGroup
	dropped int
}

// body is one message, and the end that it tells of.
type body struct {
	about string
	text  []byte
}

// New checks the options and starts to wait for messages. Close ends it.
func New(o Options) (*Hook, error) {
	to, err := url.Parse(o.URL)
	if err != nil || to.Host == "" || to.Scheme != "http" && to.Scheme != "https" {
		return nil, errors.New("read the address of a webhook: want http://HOST/PATH or https://HOST/PATH")
	}
	m, err := newMessage(o.Template)
	if err != nil {
		return nil, err
	}
	h := &Hook{to: to, message: m, say: o.Say, retries: retries, queue: make(chan body, waiting),
		client: &http.Client{Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // the answer names another host, which nobody chose
		}}}
	ctx, end := context.WithCancel(context.Background())
	h.end = end
	h.ended.Add(1)
	go func() {
		defer h.ended.Done()
		for b := range h.queue {
			if err := h.deliver(ctx, b.text); err != nil {
				h.say(fmt.Sprintf("post %s to %s: %v", b.about, h.Host(), err))
			}
		}
	}()
	return h, nil
}

// Host is what may be printed of the address: its path, query and user may be secrets.
func (h *Hook) Host() string { return h.to.Scheme + "://" + h.to.Host }

// Post hands over every item of a report as one message, and does not wait for the receiver. A nil Hook posts nothing.
func (h *Hook) Post(r *report.Report) {
	if h == nil {
		return
	}
	for i := range r.Items {
		it := &r.Items[i]
		about := it.Namespace + "/" + it.Pod
		text, err := h.message(r, i)
		if err != nil {
			h.say(fmt.Sprintf("post %s to %s: %v", about, h.Host(), err))
			continue
		}
		select {
		case h.queue <- body{about, text}:
		default:
			h.dropped++
			h.say(fmt.Sprintf("post to %s: it does not keep up: %d messages were dropped", h.Host(), h.dropped))
		}
	}
}

// Close posts what still waits, for a few seconds.
func (h *Hook) Close() {
	if h == nil {
		return
	}
	close(h.queue)
	t := time.AfterFunc(lastChance, h.end)
	defer t.Stop()
	h.ended.Wait()
	h.end()
}

// deliver posts one message until it is taken, refused for good, or given up.
func (h *Hook) deliver(ctx context.Context, text []byte) error {
	left := h.retries
	for tries := 1; ; tries++ {
		again, err := h.post(ctx, text)
		switch {
		case err == nil:
			return nil
		case !again:
			return err
		case left.Steps <= 1 || ctx.Err() != nil:
			return fmt.Errorf("gave up after %d tries: %w", tries, err)
		}
		t := time.NewTimer(left.Step())
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
		}
	}
}

// post sends one request. Again tells that another one may be answered better.
func (h *Hook) post(ctx context.Context, text []byte) (again bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.to.String(), bytes.NewReader(text))
	if err != nil {
		return false, hidden(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "kubectl-restartwhy")
	resp, err := h.client.Do(req)
	if err != nil {
		return true, hidden(err)
	}
	defer resp.Body.Close()
	_, _ = io.CopyN(io.Discard, resp.Body, answer) // only its code counts
	switch code := resp.StatusCode; {
	case code < 300:
		return false, nil
	case code < 400:
		return false, fmt.Errorf("it answers %d, a redirect, which is not followed: give the address it leads to", code)
	default:
		again = code >= 500 || code == http.StatusTooManyRequests || code == http.StatusRequestTimeout
		return again, fmt.Errorf("it answers %d %s", code, http.StatusText(code))
	}
}

// hidden says an error of net/http without the address, and without what the receiver sent: that may echo it.
func hidden(err error) error {
	var (
		u  *url.Error
		op *net.OpError
	)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		if errors.As(err, &u) {
			return u.Err
		}
		return err
	case errors.As(err, &u) && u.Timeout():
		return errors.New("it did not answer in time")
	case errors.As(err, &op): // dial, read, write, TLS alerts: addresses of hosts at most
		return op
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return errors.New("its certificate is not trusted")
	}
	return errors.New("it does not answer as HTTP does")
}
