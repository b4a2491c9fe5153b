// Package webhook posts verdicts to an HTTP address, one after another, however long each takes, while its caller
// continues to watch.
package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"text/template"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Limits for a receiver: none of it delays the watch.
const (
	// waiting is how many messages may queue for a receiver that is down; more are dropped, and counted.
	waiting = 1000
	// patience limits one request including its answer.
	patience = 10 * time.Second
	// lastChance limits what is still posted after the watch has ended.
	lastChance = 5 * time.Second
	// answer is how much of an answer is read so that its connection can be reused, in bytes.
	answer = 64 << 10
)

// retries are the pauses after a failed request: five requests in all, over some 15 seconds.
var retries = wait.Backoff{Duration: time.Second, Factor: 2, Jitter: 0.2, Steps: 5}

// Options configure the address and content of messages.
type Options struct {
	// URL is http or https. It is often a secret itself, and never printed: Host is.
	URL string
	// Template is a Go template for the message; empty for the report itself.
	Template string
	// Say reports, once for each, which message was given up and why.
	Say func(text string)
}

// Hook posts messages. Its methods are for one goroutine.
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

// body is one message, and the end that it is about.
type body struct {
	about string
	text  []byte
}

// New checks the options and starts the delivery of messages. Close ends it.
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
			return http.ErrUseLastResponse // a redirect names another host, which the user did not choose
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

// Host is the printable part of the address: its path, query and user may be secrets.
func (h *Hook) Host() string { return h.to.Scheme + "://" + h.to.Host }

// Post queues every item of a report as one message, and does not wait for the receiver. A nil Hook posts nothing.
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
			if h.dropped++; h.dropped == 1 {
				h.say(fmt.Sprintf("post to %s: it does not keep up: messages are dropped", h.Host()))
			}
		}
	}
}

// Close posts what is still queued, for a few seconds.
func (h *Hook) Close() {
	if h == nil {
		return
	}
	close(h.queue)
	t := time.AfterFunc(lastChance, h.end)
	defer t.Stop()
	h.ended.Wait()
	h.end()
	if h.dropped > 0 {
		h.say(fmt.Sprintf("post to %s: it did not keep up: %d messages were dropped", h.Host(), h.dropped))
	}
}

// deliver posts one message until it is accepted, refused for good, or given up.
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

// post sends one request. again says that a retry may succeed.
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
	_, _ = io.CopyN(io.Discard, resp.Body, answer) // only the status code counts
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

// hidden returns an error of net/http without the address, and without the receiver's answer, which may echo it.
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
	case errors.As(err, &op): // dial, read, write, TLS alerts: at most addresses of hosts
		return op
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return errors.New("its certificate is not trusted")
	}
	return errors.New("it does not answer as HTTP does")
}

// message formats a report's item as JSON.
type message func(r *report.Report, item int) ([]byte, error)

// errNoJSON is returned when a template does not produce JSON.
var errNoJSON = errors.New("the template made no JSON: put texts through json, as in {{ json .verdict.summary }}")

// newMessage parses a template. The template sees one item as in -o json, with its keys, and writes a value as JSON
// with the function json; a missing key is null. Without a template the message is the report with only that item, its
// incident and its evidence, as -o json prints it (docs/report.schema.json).
func newMessage(text string) (message, error) {
	if text == "" {
		return func(r *report.Report, item int) ([]byte, error) {
			return json.Marshal(r.Narrowed(int32(item)))
		}, nil
	}
	t, err := template.New("webhook").Option("missingkey=zero").Funcs(template.FuncMap{"json": asJSON}).Parse(text)
	if err != nil {
		return nil, fmt.Errorf("read the template of a webhook: %w", err)
	}
	return func(r *report.Report, item int) ([]byte, error) {
		text, err := json.Marshal(&r.Items[item])
		if err != nil {
			return nil, err
		}
		var values map[string]any
		if err := json.Unmarshal(text, &values); err != nil {
			return nil, err
		}
		var out bytes.Buffer
		if err := t.Execute(&out, values); err != nil {
			return nil, fmt.Errorf("carry out the template: %w", err)
		}
		if !json.Valid(out.Bytes()) {
			return nil, errNoJSON
		}
		return out.Bytes(), nil
	}, nil
}

func asJSON(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), err
}
