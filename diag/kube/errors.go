package kube

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Why a request failed; errors.Is finds these in an AccessError.
var (
	ErrNotFound     = errors.New("not found")
	ErrNoNamespace  = errors.New("no such namespace")
	ErrForbidden    = errors.New("forbidden")
	ErrUnauthorized = errors.New("not logged in, or the credentials have expired")
	ErrInvalid      = errors.New("the API server does not accept the request")
	ErrTimeout      = errors.New("no answer in time")
	ErrInterrupted  = errors.New("interrupted")
	ErrUnreachable  = errors.New("the API server cannot be reached")
	ErrServer       = errors.New("the API server failed")
)

// AccessError is a request that failed: what was requested, and why it failed. Kind is one of the package's Err values.
// Err is the client's error, untrusted.
type AccessError struct {
	Verb      string // get, list
	Resource  string // pods, events, nodes, namespaces; a plural, as in a Role
	Namespace string // "" for all namespaces, or for nodes
	Name      string // "" for a list
	Kind      error
	Err       error
}

// Error returns operation, object and reason, safe to print.
func (e *AccessError) Error() string {
	why := e.Kind.Error()
	if e.Err != nil && !errors.Is(e.Kind, ErrNotFound) && !errors.Is(e.Kind, ErrNoNamespace) &&
		!errors.Is(e.Kind, ErrInterrupted) {
		why += ": " + e.Err.Error()
	}
	return safetext.Clean(fmt.Sprintf("%s %s: %s", e.Verb, e.Object(), why)).String()
}

// Unwrap returns both the kind and the client's error.
func (e *AccessError) Unwrap() []error { return []error{e.Kind, e.Err} }

// Object describes what was requested.
func (e *AccessError) Object() string {
	one := strings.TrimSuffix(e.Resource, "s")
	switch {
	case e.Name != "" && e.Namespace != "":
		return one + " " + e.Namespace + "/" + e.Name
	case e.Name != "":
		return one + " " + e.Name
	case e.Resource == "nodes":
		return "nodes"
	case e.Namespace != "":
		return e.Resource + " in namespace " + e.Namespace
	}
	return e.Resource + " in all namespaces"
}

// CanI is the command to check the permission.
func (e *AccessError) CanI() string {
	cmd := "kubectl auth can-i " + e.Verb + " " + e.Resource
	switch {
	case e.Resource == "nodes" || e.Resource == "namespaces":
	case e.Namespace != "":
		cmd += " -n " + e.Namespace
	default:
		cmd += " -A"
	}
	return cmd
}

// Gap turns the error into missing evidence. consequence says what the evidence would have shown.
func (e *AccessError) Gap(consequence string) evidence.Gap {
	hint := consequence
	if errors.Is(e.Kind, ErrForbidden) {
		hint += "; check with: " + e.CanI()
	}
	return evidence.Gap{Source: evidence.SourceAPI, Why: e.Error(), Hint: hint}
}

// Because sets why the request failed.
func (e *AccessError) Because(ctx context.Context, err error) *AccessError {
	e.Err, e.Kind = err, Reason(ctx, err)
	return e
}

// Reason maps an error of client-go to one of the package's Err values. The context is checked first: the client's rate
// limiter hides a deadline in its own error.
func Reason(ctx context.Context, err error) error {
	var network net.Error
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return ErrTimeout
	case ctx.Err() != nil, errors.Is(err, context.Canceled):
		return ErrInterrupted
	case apierrors.IsNotFound(err):
		return ErrNotFound
	case apierrors.IsForbidden(err):
		return ErrForbidden
	case apierrors.IsUnauthorized(err):
		return ErrUnauthorized
	case apierrors.IsBadRequest(err), apierrors.IsInvalid(err):
		return ErrInvalid
	case apierrors.IsTimeout(err), apierrors.IsServerTimeout(err), errors.As(err, &network) && network.Timeout():
		return ErrTimeout
	case apierrors.ReasonForError(err) == "" && errors.As(err, &network):
		return ErrUnreachable
	}
	return ErrServer
}
