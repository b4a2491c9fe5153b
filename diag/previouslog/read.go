package previouslog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Kind is the source kind of the gaps.
const Kind evidence.SourceKind = "container-log"

const (
	// asked is how many lines are requested: a secret that begins before the lines that are shown is found only with
	// the preceding lines.
	asked = 100
	// most is the limit of the kubelet's answer, in bytes. It cuts at the end (kubelet v1.30
	// pkg/kubelet/kuberuntime/logs ReadLogs), where the last lines are, so the limit exceeds what so many lines can
	// take: a runtime breaks lines at 16 KiB.
	most = 2 << 20
	// patience is the limit for one container: a dead kubelet must not delay the others.
	patience = 10 * time.Second
)

// Instance identifies one container to the runtime. ID has no scheme ("containerd://").
type Instance struct{ Namespace, Pod, Container, ID string }

// Reader reads logs.
type Reader struct {
	// Pods is used to find out which instance ended last.
	Pods kube.Client
	// Logs opens logs.
	Logs kube.Getter
}

// Read returns the last lines of an instance that exited. The log is nil if it is unavailable or may be another
// instance's; the gap says why. Both are set if the log was only partly read.
func (r Reader) Read(ctx context.Context, in Instance) (*Log, *evidence.Gap) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	previous, node, gap := r.find(ctx, in)
	if gap != nil {
		return nil, gap
	}
	query := url.Values{"container": {in.Container}, "previous": {strconv.FormatBool(previous)}, "timestamps": {"true"},
		"tailLines": {strconv.Itoa(asked)}, "limitBytes": {strconv.Itoa(most)}}
	path := "/api/v1/namespaces/" + url.PathEscape(in.Namespace) + "/pods/" + url.PathEscape(in.Pod) + "/log"
	body, err := r.Logs.Get(ctx, path, query)
	if err != nil {
		return nil, in.refused(err, node)
	}
	raw, err := io.ReadAll(io.LimitReader(body, most))
	_ = body.Close() // what was read is what counts
	log, said := parse(string(raw))
	switch {
	case err != nil && len(log.Lines) == 0:
		return nil, in.refused(err, node)
	case said != "" && len(log.Lines) == 0:
		return nil, in.gap(node, "the kubelet says: "+said, "")
	}
	// It may have exited again meanwhile: then the lines are from another instance.
	if _, _, gap := r.find(ctx, in); gap != nil {
		return nil, gap
	}
	switch {
	case err != nil:
		gap = in.refused(err, node)
	case said != "":
		gap = in.gap(node, "the kubelet says: "+said, "")
	}
	return &log, gap
}

// find determines of which instance of the container the API server has a log: previous says that it is the last
// state's, not the current one's.
func (r Reader) find(ctx context.Context, in Instance) (previous bool, node string, gap *evidence.Gap) {
	pod, err := kube.Get[corev1.Pod](ctx, r.Pods, kube.Pods, in.Namespace, in.Pod)
	switch {
	case apierrors.IsNotFound(err):
		return false, "", in.gap("", "the pod is gone, and its logs with it", "")
	case err != nil:
		return false, "", in.refused(err, "")
	}
	node = safetext.Ident(pod.Spec.NodeName)
	for s := range apiobject.Statuses(&pod.Status) {
		if s.Name != in.Container {
			continue
		}
		now, last := s.State.Terminated, s.LastTerminationState.Terminated
		switch {
		case now != nil && evidence.BareID(now.ContainerID) == in.ID:
			return false, node, nil
		case last != nil && evidence.BareID(last.ContainerID) == in.ID:
			return true, node, nil
		case last != nil && evidence.BareID(last.ContainerID) != "" || now != nil && evidence.BareID(now.ContainerID) != "":
			return false, node, in.gap(node, "it ended again, and only the log of the last end is kept",
				"run it again for the newer end")
		}
	}
	return false, node, in.gap(node, "the API server does not name the instance that ended, so no log is surely its own", "")
}

func (in Instance) gap(node, why, hint string) *evidence.Gap {
	name := safetext.Ident(in.Namespace + "/" + in.Pod + "/" + in.Container)
	why = safetext.Clean("last lines of " + name + ": " + why).String()
	return &evidence.Gap{Source: Kind, Node: node, Why: why, Hint: hint}
}

// refused says in plain words why a request failed.
func (in Instance) refused(err error, node string) *evidence.Gap {
	text := err.Error()
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		text = status.Status().Message
	}
	on := "its node"
	if node != "" {
		on = "node " + node
	}
	switch {
	case apierrors.IsForbidden(err):
		return in.gap(node, "this user may not read the logs of containers: "+text,
			"needs get pods/log; docs/rbac/previous-logs.yaml is the role")
	case apierrors.IsNotFound(err):
		return in.gap(node, "the pod is gone, and its logs with it", "")
	case errors.Is(err, context.DeadlineExceeded), apierrors.IsTimeout(err), apierrors.IsServerTimeout(err):
		return in.gap(node, fmt.Sprintf("no answer within %s; does the kubelet of %s run?", patience, on), "")
	case unreachable(text):
		return in.gap(node, "the API server does not reach the kubelet of "+on+": "+text,
			"on the node: the files below /var/log/pods")
	case strings.Contains(text, "previous terminated container"):
		return in.gap(node, "the kubelet knows no container that ended before this one: "+text, "")
	case apierrors.IsBadRequest(err):
		return in.gap(node, "the kubelet says: "+text, "")
	}
	return in.gap(node, text, "")
}

// unreachable reports whether the API server could not open a connection to a kubelet.
func unreachable(text string) bool {
	for _, word := range []string{
		"dial tcp", "connection refused", "no route to host", "i/o timeout", "No agent available", "error dialing backend",
	} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
