// Package kube is the client of the API server: the kinds that the project reads (and, for collector pods, creates),
// five verbs, paths that are not objects, and why a request failed.
//
// It may import client-go's rest package and the API types of these kinds. It must not import client-go's clientset or
// typed clients: they pull in every kind of every API group, which made up a third of the binary. Retries, paging and
// the meaning of an answer are up to the callers.
package kube

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	appsv1 "k8s.io/api/apps/v1"
	authv1 "k8s.io/api/authorization/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"
)

// Resource names a kind as in the API server's paths.
type Resource = schema.GroupVersionResource

// The resources in use.
var (
	Pods         = corev1.SchemeGroupVersion.WithResource("pods")
	Events       = corev1.SchemeGroupVersion.WithResource("events")
	Nodes        = corev1.SchemeGroupVersion.WithResource("nodes")
	Namespaces   = corev1.SchemeGroupVersion.WithResource("namespaces")
	Services     = corev1.SchemeGroupVersion.WithResource("services")
	Deployments  = appsv1.SchemeGroupVersion.WithResource("deployments")
	ReplicaSets  = appsv1.SchemeGroupVersion.WithResource("replicasets")
	StatefulSets = appsv1.SchemeGroupVersion.WithResource("statefulsets")
	DaemonSets   = appsv1.SchemeGroupVersion.WithResource("daemonsets")
	Revisions    = appsv1.SchemeGroupVersion.WithResource("controllerrevisions")
	Jobs         = batchv1.SchemeGroupVersion.WithResource("jobs")
	CronJobs     = batchv1.SchemeGroupVersion.WithResource("cronjobs")
	SelfReviews  = authv1.SchemeGroupVersion.WithResource("selfsubjectaccessreviews")
)

// Client performs the five verbs. Errors are the API server's, as client-go returns them
// (k8s.io/apimachinery/pkg/api/errors classifies them). namespace is "" for objects without one, and to list in all
// namespaces.
type Client interface {
	Get(ctx context.Context, r Resource, namespace, name string, into runtime.Object) error
	List(ctx context.Context, r Resource, namespace string, o metav1.ListOptions, into runtime.Object) error
	Create(ctx context.Context, r Resource, namespace string, o, into runtime.Object) error
	Delete(ctx context.Context, r Resource, namespace, name string, o metav1.DeleteOptions) error
	Watch(ctx context.Context, r Resource, namespace string, o metav1.ListOptions) (watch.Interface, error)
}

// object is a pointer to a T that client-go can fill.
type object[T any] interface {
	*T
	runtime.Object
}

// Get returns one object.
func Get[T any, P object[T]](ctx context.Context, c Client, r Resource, namespace, name string) (P, error) {
	into := P(new(T))
	if err := c.Get(ctx, r, namespace, name, into); err != nil {
		return nil, err
	}
	return into, nil
}

// List returns a page of objects; T is the kind's list.
func List[T any, P object[T]](ctx context.Context, c Client, r Resource,
	namespace string, o metav1.ListOptions) (P, error) {
	into := P(new(T))
	if err := c.List(ctx, r, namespace, o, into); err != nil {
		return nil, err
	}
	return into, nil
}

// Create creates an object and returns it as the API server stored it.
func Create[T any, P object[T]](ctx context.Context, c Client, r Resource, namespace string, o P) (P, error) {
	into := P(new(T))
	if err := c.Create(ctx, r, namespace, o, into); err != nil {
		return nil, err
	}
	return into, nil
}

// REST is a Client over HTTP. Core is its client of the core group, for paths that are not objects: the logs of a node,
// and the streams of a pod.
type REST struct {
	groups map[schema.GroupVersion]rest.Interface
	// streams are the same clients without a request timeout, which would cut off a watch.
	streams map[schema.GroupVersion]rest.Interface
}

// New makes a client. It sends no request. All groups share connections and the rate limit of config (QPS and Burst; a
// negative QPS means none).
func New(config *rest.Config) (*REST, error) {
	shared := rest.CopyConfig(config)
	if shared.RateLimiter == nil && shared.QPS > 0 {
		shared.RateLimiter = flowcontrol.NewTokenBucketRateLimiter(shared.QPS, max(shared.Burst, 1))
	}
	shared.Wrap(func(t http.RoundTripper) http.RoundTripper { return steps{t} })
	shared.NegotiatedSerializer = serializer.NewCodecFactory(known).WithoutConversion()
	unlimited := rest.CopyConfig(shared)
	unlimited.Timeout = 0
	c := &REST{}
	var err error
	if c.groups, err = clients(shared); err == nil {
		c.streams, err = clients(unlimited)
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// clients makes one client for each group. All clients for one server share their connections (client-go transport
// tlsTransportCache).
func clients(config *rest.Config) (map[schema.GroupVersion]rest.Interface, error) {
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	out := map[schema.GroupVersion]rest.Interface{}
	for _, gv := range groups {
		one := rest.CopyConfig(config)
		one.GroupVersion, one.APIPath = &gv, "/apis"
		if gv.Group == "" {
			one.APIPath = "/api"
		}
		if out[gv], err = rest.RESTClientForConfigAndClient(one, client); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Core is the client of the core group.
func (c *REST) Core() rest.Interface { return c.groups[corev1.SchemeGroupVersion] }

// of returns the client of a resource's group.
func (c *REST) of(r Resource) (rest.Interface, error) { return find(c.groups, r) }

func find(in map[schema.GroupVersion]rest.Interface, r Resource) (rest.Interface, error) {
	if one := in[r.GroupVersion()]; one != nil {
		return one, nil
	}
	return nil, fmt.Errorf("resource %s: no client for its group", r)
}

// Get implements Client.
func (c *REST) Get(ctx context.Context, r Resource, namespace, name string, into runtime.Object) error {
	one, err := c.of(r)
	if err != nil {
		return err
	}
	return one.Get().NamespaceIfScoped(namespace, namespace != "").Resource(r.Resource).Name(name).Do(ctx).Into(into)
}

// List implements Client.
func (c *REST) List(ctx context.Context, r Resource, namespace string,
	o metav1.ListOptions, into runtime.Object) error {
	one, err := c.of(r)
	if err != nil {
		return err
	}
	return one.Get().NamespaceIfScoped(namespace, namespace != "").Resource(r.Resource).VersionedParams(&o,
		Parameters).Do(ctx).Into(into)
}

// Create implements Client.
func (c *REST) Create(ctx context.Context, r Resource, namespace string, o, into runtime.Object) error {
	one, err := c.of(r)
	if err != nil {
		return err
	}
	return one.Post().NamespaceIfScoped(namespace, namespace != "").Resource(r.Resource).Body(o).Do(ctx).Into(into)
}

// Delete implements Client.
func (c *REST) Delete(ctx context.Context, r Resource, namespace, name string, o metav1.DeleteOptions) error {
	one, err := c.of(r)
	if err != nil {
		return err
	}
	return one.Delete().NamespaceIfScoped(namespace, namespace != "").Resource(
		r.Resource).Name(name).Body(&o).Do(ctx).Error()
}

// Watch implements Client: it sends the changes of a list's objects from o.ResourceVersion on, until ctx ends, the
// caller stops it, or the server does. An error from the server (410 Gone: it no longer knows the version) is an event
// of type Error. No request timeout applies.
func (c *REST) Watch(ctx context.Context, r Resource, namespace string, o metav1.ListOptions) (watch.Interface, error) {
	one, err := find(c.streams, r)
	if err != nil {
		return nil, err
	}
	o.Watch = true
	return one.Get().NamespaceIfScoped(namespace, namespace != "").Resource(r.Resource).VersionedParams(&o,
		Parameters).Watch(ctx)
}

// metadataOnly requests the metadata of objects; a server that does not support it (before v1.15) sends them whole.
const metadataOnly = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"

// Names returns the names of at most limit objects, in the server's order.
func (c *REST) Names(ctx context.Context, r Resource, namespace string, limit int64) ([]string, error) {
	one, err := c.of(r)
	if err != nil {
		return nil, err
	}
	data, err := one.Get().NamespaceIfScoped(namespace, namespace != "").Resource(r.Resource).
		VersionedParams(&metav1.ListOptions{Limit: limit}, Parameters).SetHeader("Accept", metadataOnly).Do(ctx).Raw()
	if err != nil {
		return nil, err
	}
	var list struct {
		Items []struct {
			Metadata struct {
				Name string `json:"name"`
			} `json:"metadata"`
		} `json:"items"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("list %s: %w", r.Resource, err)
	}
	names := make([]string, 0, len(list.Items))
	for i := range list.Items {
		names = append(names, list.Items[i].Metadata.Name)
	}
	return names, nil
}
