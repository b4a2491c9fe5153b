package collectorpod

import (
	"context"
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/streaming/pkg/httpstream"

	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// Attacher connects to the standard streams of a running container, until the container or ctx ends. Closing in ends
// the container's standard input.
type Attacher interface {
	Attach(ctx context.Context, namespace, pod, container string, in io.Reader, out, errOut io.Writer) error
}

// REST makes an Attacher from a client and its configuration.
func REST(client rest.Interface, config *rest.Config) Attacher { return restAttacher{client, config} }

type restAttacher struct {
	client rest.Interface
	config *rest.Config
}

// Attach uses WebSocket, with a fallback to SPDY for API servers (before v1.30) and proxies without it, as kubectl
// does.
func (a restAttacher) Attach(ctx context.Context, namespace, pod, container string,
	in io.Reader, out, errOut io.Writer) error {
	url := a.client.Get().Resource("pods").Namespace(namespace).Name(pod).SubResource("attach").
		VersionedParams(&corev1.PodAttachOptions{Container: container, Stdin: true, Stdout: true, Stderr: true},
			kube.Parameters).URL()
	ws, err := remotecommand.NewWebSocketExecutor(a.config, "GET", url.String())
	if err != nil {
		return fmt.Errorf("prepare to attach: %w", err)
	}
	spdy, err := remotecommand.NewSPDYExecutor(a.config, "POST", url)
	if err != nil {
		return fmt.Errorf("prepare to attach: %w", err)
	}
	either, err := remotecommand.NewFallbackExecutor(ws, spdy, func(err error) bool {
		return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
	})
	if err != nil {
		return fmt.Errorf("prepare to attach: %w", err)
	}
	return either.StreamWithContext(ctx, remotecommand.StreamOptions{Stdin: in, Stdout: out, Stderr: errOut})
}
