package collectorpod

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"k8s.io/client-go/rest"

	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube/kubetest"
)

// The channels of v5.channel.k8s.io: the first byte of each message.
const (
	chanIn, chanOut, chanErr, chanStatus = 0, 1, 2, 3
)

// apiServer speaks as an API server speaks to who attaches.
func apiServer(t *testing.T, talk func(t *testing.T, r *http.Request, c *websocket.Conn)) (Attacher, *rest.Config) {
	t.Helper()
	done := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(done)
		c, err := (&websocket.Upgrader{Subprotocols: []string{"v5.channel.k8s.io"}}).Upgrade(w, r, nil)
		if err != nil {
			t.Errorf("upgrade: %v", err)
			return
		}
		defer c.Close()
		talk(t, r, c)
		// Without its close frame an end looks like a break.
		_ = c.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""),
			time.Time{})
	}))
	t.Cleanup(func() {
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Error("the server still talks")
		}
		srv.Close()
	})
	config := &rest.Config{Host: srv.URL}
	client, err := kube.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return REST(client.Core(), config), config
}

func say(t *testing.T, c *websocket.Conn, channel byte, text string) {
	t.Helper()
	if err := c.WriteMessage(websocket.BinaryMessage, append([]byte{channel}, text...)); err != nil {
		t.Errorf("say on %d: %v", channel, err)
	}
}

// hear returns what comes on the input, "" when the connection ends.
func hear(c *websocket.Conn) string {
	for {
		_, m, err := c.ReadMessage()
		if err != nil {
			return ""
		}
		if len(m) > 1 && m[0] == chanIn {
			return string(m[1:])
		}
	}
}

func TestAttachingCarriesAllThreeStreams(t *testing.T) {
	a, _ := apiServer(t, func(t *testing.T, r *http.Request, c *websocket.Conn) {
		if got := r.Method + " " + r.URL.Path; got != "GET /api/v1/namespaces/restartwhy/pods/p/attach" {
			t.Errorf("asked %s", got)
		}
		if q := r.URL.Query(); q.Get("container") != "collector" || q.Get("stdin") != "true" ||
			q.Get("stdout") != "true" || q.Get("stderr") != "true" || q.Has("tty") {
			t.Errorf("asked for %s", r.URL.RawQuery)
		}
		if got := hear(c); got != "go\n" {
			t.Errorf("heard %q", got)
		}
		say(t, c, chanErr, "a word\n")
		say(t, c, chanOut, "bun")
		say(t, c, chanOut, "dle")
		say(t, c, chanStatus, `{"status":"Success"}`)
	})
	in, hand := io.Pipe()
	defer hand.Close()
	go func() { _, _ = io.WriteString(hand, "go\n") }()
	var out, errOut bytes.Buffer
	if err := a.Attach(t.Context(), "restartwhy", "p", "collector", in, &out, &errOut); err != nil {
		t.Fatal(err)
	}
	if out.String() != "bundle" || errOut.String() != "a word\n" {
		t.Errorf("out %q, error %q", &out, &errOut)
	}
}

// The leash: when we let go, the other end sees it.
func TestLettingGoEndsTheConnection(t *testing.T) {
	ended := make(chan struct{})
	a, _ := apiServer(t, func(_ *testing.T, _ *http.Request, c *websocket.Conn) {
		hear(c)
		hear(c)
		close(ended)
	})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	in, hand := io.Pipe()
	defer hand.Close()
	go func() { _, _ = io.WriteString(hand, "go\n") }()
	if err := a.Attach(ctx, "restartwhy", "p", "collector", in, io.Discard, io.Discard); err == nil {
		t.Error("no error although nothing came to an end")
	}
	select {
	case <-ended:
	case <-time.After(5 * time.Second):
		t.Error("the other end was not told")
	}
}

// A whole collection over a real connection: the fake cluster has the pod, and
// the server its streams.
func TestABundleComesOverARealConnection(t *testing.T) {
	a, _ := apiServer(t, func(t *testing.T, _ *http.Request, c *websocket.Conn) {
		if hear(c) != "go\n" {
			t.Error("not told to go")
		}
		var b bytes.Buffer
		if err := sendBundle(&b, "nodes/n1/kmsg.txt"); err != nil {
			t.Error(err)
		}
		for chunk := b.Bytes(); len(chunk) > 0; {
			n := min(7, len(chunk))
			say(t, c, chanOut, string(chunk[:n]))
			chunk = chunk[n:]
		}
		say(t, c, chanStatus, `{"status":"Success"}`)
	})
	c := newCluster(t)
	s := New(kubetest.Client(c), a, "n1", Options{Image: "x:1", Grants: Grants(), poll: time.Millisecond})
	defer s.Close()
	pieces, gaps := s.Collect(t.Context())
	if len(pieces) != 1 || !s.Read() || strings.Contains(whys(gaps), "collector-pod") {
		t.Errorf("%d pieces, gaps %s", len(pieces), whys(gaps))
	}
	if left := c.left(); left != nil {
		t.Errorf("left behind: %v", left)
	}
}
