// Package api is the lab's client of an API server: the few kinds that the lab creates and reads, with client-go's
// generic client. client-go's clientset would be two hundred packages to compile, to vet and to check with every `make
// test`. It imports client-go and the types of these kinds.
package api

import (
	"net/url"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/gentype"
	"k8s.io/client-go/rest"
)

// known holds the kinds of the client; parameters encodes options into queries. Both are created once and never
// changed.
var (
	known      = newScheme()
	parameters = runtime.NewParameterCodec(known)
)

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	metav1.AddToGroupVersion(s, schema.GroupVersion{Version: "v1"}) // Status, whatever the group
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, batchv1.AddToScheme, rbacv1.AddToScheme} {
		utilruntime.Must(add(s)) // fails only for a duplicate kind: a bug
	}
	return s
}

// Client accesses one API server. Its methods return clients of one kind in one namespace; the empty namespace means
// all.
type Client struct{ core, batch, rbac rest.Interface }

// New returns a client. Each group has its own rate limit, as configured.
func New(config *rest.Config) (*Client, error) {
	c := &Client{}
	for _, g := range []struct {
		of   schema.GroupVersion
		path string
		into *rest.Interface
	}{{corev1.SchemeGroupVersion, "/api", &c.core}, {batchv1.SchemeGroupVersion, "/apis", &c.batch},
		{rbacv1.SchemeGroupVersion, "/apis", &c.rbac}} {
		own := rest.CopyConfig(config)
		own.GroupVersion, own.APIPath = &g.of, g.path
		own.NegotiatedSerializer = serializer.NewCodecFactory(known).WithoutConversion()
		client, err := rest.RESTClientFor(own)
		if err != nil {
			return nil, err
		}
		*g.into = client
	}
	return c, nil
}

// Each is a client of one kind with its list.
type (
	Pods                = gentype.ClientWithList[*corev1.Pod, *corev1.PodList]
	Nodes               = gentype.ClientWithList[*corev1.Node, *corev1.NodeList]
	Events              = gentype.ClientWithList[*corev1.Event, *corev1.EventList]
	Namespaces          = gentype.ClientWithList[*corev1.Namespace, *corev1.NamespaceList]
	Jobs                = gentype.ClientWithList[*batchv1.Job, *batchv1.JobList]
	ClusterRoles        = gentype.ClientWithList[*rbacv1.ClusterRole, *rbacv1.ClusterRoleList]
	ClusterRoleBindings = gentype.ClientWithList[*rbacv1.ClusterRoleBinding, *rbacv1.ClusterRoleBindingList]
	RoleBindings        = gentype.ClientWithList[*rbacv1.RoleBinding, *rbacv1.RoleBindingList]
)

// Pods returns the client for the pods of a namespace.
func (c *Client) Pods(namespace string) *Pods {
	return gentype.NewClientWithList("pods", c.core, parameters, namespace, made[corev1.Pod], made[corev1.PodList])
}

// Events returns the client for the events of a namespace.
func (c *Client) Events(namespace string) *Events {
	return gentype.NewClientWithList("events", c.core, parameters, namespace, made[corev1.Event], made[corev1.EventList])
}

// Nodes returns the client for the cluster's nodes.
func (c *Client) Nodes() *Nodes {
	return gentype.NewClientWithList("nodes", c.core, parameters, "", made[corev1.Node], made[corev1.NodeList])
}

// Namespaces returns the client for the cluster's namespaces.
func (c *Client) Namespaces() *Namespaces {
	return gentype.NewClientWithList("namespaces", c.core, parameters, "",
		made[corev1.Namespace], made[corev1.NamespaceList])
}

// Jobs returns the client for the jobs of a namespace.
func (c *Client) Jobs(namespace string) *Jobs {
	return gentype.NewClientWithList("jobs", c.batch, parameters, namespace, made[batchv1.Job], made[batchv1.JobList])
}

// ClusterRoles returns the client for the cluster's roles.
func (c *Client) ClusterRoles() *ClusterRoles {
	return gentype.NewClientWithList("clusterroles", c.rbac, parameters, "",
		made[rbacv1.ClusterRole], made[rbacv1.ClusterRoleList])
}

// ClusterRoleBindings returns the client for the bindings of roles in all namespaces.
func (c *Client) ClusterRoleBindings() *ClusterRoleBindings {
	return gentype.NewClientWithList("clusterrolebindings", c.rbac, parameters,
		"", made[rbacv1.ClusterRoleBinding], made[rbacv1.ClusterRoleBindingList])
}

// RoleBindings returns the client for the bindings of roles in a namespace.
func (c *Client) RoleBindings(namespace string) *RoleBindings {
	return gentype.NewClientWithList("rolebindings", c.rbac, parameters, namespace,
		made[rbacv1.RoleBinding], made[rbacv1.RoleBindingList])
}

// Attach returns the URL for attaching to a pod's container.
func (c *Client) Attach(namespace, pod string, o *corev1.PodAttachOptions) *url.URL {
	return c.core.Post().Resource("pods").Namespace(namespace).Name(pod).SubResource("attach").VersionedParams(o,
		parameters).URL()
}

func made[T any]() *T { return new(T) }
