package kube

import (
	"context"
	"fmt"
	"io"
	"net/url"

	"k8s.io/client-go/rest"
)

// Getter opens a path of the API server that is not an object: a node's logs, its kubelet's endpoints, a container's
// log. A status other than 2xx is an error, a StatusError if the server sent one.
type Getter interface {
	Get(ctx context.Context, path string, query url.Values) (io.ReadCloser, error)
}

// Raw makes a Getter from a client.
func Raw(c rest.Interface) Getter { return raw{c} }

type raw struct{ c rest.Interface }

// open begins a request. A client that prefers protobuf would get 406: the node answers in plain text.
func (g raw) open(path string) *rest.Request {
	return g.c.Get().AbsPath(path).SetHeader("Accept", "text/plain, */*")
}

func (g raw) Get(ctx context.Context, path string, query url.Values) (io.ReadCloser, error) {
	r := g.open(path)
	for key, list := range query {
		for _, v := range list {
			r = r.Param(key, v)
		}
	}
	return r.Stream(ctx)
}

// Tail requests only the last bytes. A server without range support sends everything.
func (g raw) Tail(ctx context.Context, path string, bytes int64) (io.ReadCloser, error) {
	return g.open(path).SetHeader("Range", fmt.Sprintf("bytes=-%d", bytes)).Stream(ctx)
}
