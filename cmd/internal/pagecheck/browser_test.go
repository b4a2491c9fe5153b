package pagecheck

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// arguments let it run as root and in a container, without prompts, and without leaving anything behind but its profile
// directory.
var arguments = []string{
	"--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
	"--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
	"--disable-background-networking", "--disable-component-update", "--disable-sync",
	"--disable-extensions", "--hide-scrollbars", "--force-device-scale-factor=1",
}

// event is an event from the browser.
type event struct {
	Method  string          `json:"method"`
	Session string          `json:"sessionId"`
	Params  json.RawMessage `json:"params"`
}

// message is a message on the pipes, in either direction.
type message struct {
	ID      int             `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// browser is a headless Chromium, controlled with the DevTools protocol over a pair of pipes: JSON messages, each
// terminated by a zero byte (chromium content/browser/devtools/devtools_pipe_handler.cc). It is safe for concurrent
// use.
type browser struct {
	cmd  *exec.Cmd
	to   *os.File
	said *bytes.Buffer

	mu      sync.Mutex
	last    int
	waiting map[int]chan message
	events  map[string]func(event)
	ended   chan struct{}
}

// start runs the program at path with a profile in a new directory dir. The browser ends with ctx, or by Close.
func start(ctx context.Context, path, dir string) (*browser, error) {
	theirIn, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	from, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirIn.Close(), to.Close())
	}
	b := &browser{to: to, said: &bytes.Buffer{}, waiting: map[int]chan message{},
		events: map[string]func(event){}, ended: make(chan struct{})}
	b.cmd = exec.CommandContext(ctx, path, append(arguments, "--user-data-dir="+dir)...)
	b.cmd.ExtraFiles = []*os.File{theirIn, theirOut} // descriptors 3 and 4
	b.cmd.Stderr = b.said
	b.cmd.WaitDelay = 5 * time.Second // its helpers hold its output open
	err = b.cmd.Start()
	_, _ = theirIn.Close(), theirOut.Close() // the browser has its own copies
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", path, err), to.Close(), from.Close())
	}
	go b.read(from)
	return b, nil
}

// read dispatches answers and events until the browser has closed its side.
func (b *browser) read(from io.ReadCloser) {
	defer close(b.ended)
	defer from.Close()
	for in := bufio.NewReader(from); ; {
		text, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		answer, use := b.waiting[m.ID], b.events[m.Session]
		delete(b.waiting, m.ID)
		b.mu.Unlock()
		switch {
		case m.ID == 0 && use != nil:
			use(event{m.Method, m.Session, m.Params})
		case answer != nil:
			answer <- m
		}
	}
}

// errEnded: the browser has exited.
var errEnded = errors.New("the browser has ended")

// Call calls one method of the protocol, in a session or, for "", of the browser, and decodes its result into out
// unless that is nil.
func (b *browser) Call(ctx context.Context, session, method string, params, out any) error {
	text, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	answer := make(chan message, 1)
	b.mu.Lock()
	b.last++
	m := message{ID: b.last, Method: method, Session: session, Params: text}
	b.waiting[m.ID] = answer
	text, err = json.Marshal(m)
	if err == nil {
		_, err = b.to.Write(append(text, 0))
	}
	b.mu.Unlock()
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case m = <-answer:
	case <-b.ended:
		return fmt.Errorf("%s: %w", method, errEnded)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
	if m.Error != nil {
		return fmt.Errorf("%s: %s", method, m.Error.Message)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(m.Result, out); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

// Tab opens an empty tab and returns its session. Its events are passed to use, one after another, until it is closed.
func (b *browser) Tab(ctx context.Context, use func(event)) (session string, err error) {
	var tab struct {
		ID string `json:"targetId"`
	}
	if err := b.Call(ctx, "", "Target.createTarget", map[string]any{"url": "about:blank"}, &tab); err != nil {
		return "", err
	}
	var got struct {
		ID string `json:"sessionId"`
	}
	if err := b.Call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": tab.ID, "flatten": true},
		&got); err != nil {
		return "", err
	}
	b.mu.Lock()
	b.events[got.ID] = use
	b.mu.Unlock()
	return got.ID, nil
}

// Evaluate runs a script in a tab, waits if its result is a promise, and decodes its value into out unless that is nil.
// If the script fails, the error has its message.
func (b *browser) Evaluate(ctx context.Context, session, script string, out any) error {
	var got struct {
		Result    struct{ Value json.RawMessage }
		Exception *struct {
			Exception struct{ Description string }
		} `json:"exceptionDetails"`
	}
	params := map[string]any{"expression": script, "returnByValue": true, "awaitPromise": true}
	if err := b.Call(ctx, session, "Runtime.evaluate", params, &got); err != nil {
		return err
	}
	if got.Exception != nil {
		return fmt.Errorf("look at the page: %s", got.Exception.Exception.Description)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(got.Result.Value, out)
}

// Close ends the browser and returns once it is gone. If it did not exit cleanly, the error has its output.
func (b *browser) Close() error {
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	asked := b.Call(ctx, "", "Browser.close", struct{}{}, nil)
	if asked != nil && !errors.Is(asked, errEnded) {
		_ = b.cmd.Process.Kill()
	}
	_ = b.to.Close()
	err := b.cmd.Wait()
	if asked == nil || err == nil {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(b.said.String()), "\n")
	return fmt.Errorf("close the browser: %w: %s", err, lines[len(lines)-1])
}
