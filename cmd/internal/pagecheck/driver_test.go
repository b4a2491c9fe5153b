package pagecheck

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// actAs makes this test binary a browser that plays a part, on descriptors 3 and 4.
const actAs = "PAGECHECK_ACT_AS"

func TestMain(m *testing.M) {
	if part := os.Getenv(actAs); part != "" {
		play(part)
		return
	}
	os.Exit(m.Run())
}

func play(part string) {
	if part == "dies at once" {
		_, _ = os.Stderr.WriteString("first line\nno sandbox to be had\n")
		os.Exit(21)
	}
	out := os.NewFile(4, "answers")
	say := func(m message) {
		text, _ := json.Marshal(m)
		_, _ = out.Write(append(text, 0))
	}
	for in := bufio.NewReader(os.NewFile(3, "questions")); ; {
		text, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			return
		}
		answer := message{ID: m.ID, Result: json.RawMessage(`{}`)}
		switch m.Method {
		case "Target.createTarget":
			answer.Result = json.RawMessage(`{"targetId":"T1"}`)
		case "Target.attachToTarget":
			answer.Result = json.RawMessage(`{"sessionId":"S1"}`)
		case "Page.navigate":
			say(message{Method: "Page.loadEventFired", Session: "S1", Params: json.RawMessage(`{"timestamp":1}`)})
			say(message{Method: "Page.loadEventFired", Session: "of nobody"})
			_, _ = out.WriteString("no JSON\x00")
		case "Fail.always":
			answer = message{ID: m.ID, Error: &struct {
				Message string `json:"message"`
			}{"not found"}}
		case "Say.params":
			answer.Result = m.Params
		case "Say.nothing":
			continue
		case "Die.now":
			os.Exit(3)
		case "Browser.close":
			if part == "does not close" {
				continue
			}
			say(answer)
			return
		}
		say(answer)
	}
}

func started(t *testing.T, part string) (*browser, context.Context) {
	t.Helper()
	t.Setenv(actAs, part)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(stop)
	b, err := start(ctx, self, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return b, ctx
}

func TestAnswersAndeventsComeToThoseWhoWait(t *testing.T) {
	b, ctx := started(t, "a browser")
	events := make(chan event, 8)
	session, err := b.Tab(ctx, func(e event) { events <- e })
	if err != nil || session != "S1" {
		t.Fatalf("session %q, %v", session, err)
	}
	if err := b.Call(ctx, session, "Page.navigate", map[string]any{"url": "file:///x"}, nil); err != nil {
		t.Fatal(err)
	}
	if e := <-events; e.Method != "Page.loadEventFired" || e.Session != "S1" ||
		!strings.Contains(string(e.Params), "timestamp") {
		t.Errorf("%+v", e)
	}
	var got struct{ A []int }
	if err := b.Call(ctx, session, "Say.params", map[string]any{"a": []int{1, 2}}, &got); err != nil ||
		!slices.Equal(got.A, []int{1, 2}) {
		t.Errorf("%+v, %v", got, err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if len(events) != 0 {
		t.Errorf("%d events of nobody arrived", len(events))
	}
}

func TestTroubleNamesTheMethod(t *testing.T) {
	b, ctx := started(t, "a browser")
	for method, want := range map[string]string{"Fail.always": "Fail.always: not found",
		"Say.params": "Say.params: json: cannot unmarshal"} {
		var number int
		if err := b.Call(ctx, "", method, struct{}{}, &number); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", method, err)
		}
	}
	if err := b.Call(ctx, "", "Say.params", func() {}, nil); err == nil {
		t.Error("what is no JSON was sent")
	}
	short, stop := context.WithTimeout(ctx, 20*time.Millisecond)
	defer stop()
	if err := b.Call(short, "", "Say.nothing", struct{}{}, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("an answer that never comes: %v", err)
	}
	if err := b.Call(ctx, "", "Die.now", struct{}{}, nil); !errors.Is(err, errEnded) {
		t.Errorf("a browser that dies: %v", err)
	}
	if err := b.Close(); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("closing a browser that died: %v", err)
	}
}

func TestABrowserThatDoesNotStartSaysWhy(t *testing.T) {
	if _, err := start(context.Background(), filepath.Join(t.TempDir(), "none"), t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "none") {
		t.Errorf("a program that is not there: %v", err)
	}
	b, ctx := started(t, "dies at once")
	if _, err := b.Tab(ctx, func(event) {}); err == nil {
		t.Error("a browser that died opened a tab")
	}
	if err := b.Close(); err == nil || !strings.Contains(err.Error(), "exit status 21: no sandbox to be had") {
		t.Errorf("%v", err)
	}
}

func TestABrowserEndsWithItsContext(t *testing.T) {
	t.Setenv(actAs, "does not close")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	b, err := start(ctx, self, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	stop()
	if err := b.Close(); err == nil {
		t.Error("it was killed, and closed well")
	}
}
