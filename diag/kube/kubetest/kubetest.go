// Package kubetest fakes an API server for kube.Client with client-go's test machinery: its tracker, its reactors and
// its list of actions.
//
// Only tests import it.
package kubetest

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// Invoker is the part of a fake that answers.
type Invoker interface {
	Invokes(action clienttesting.Action, defaultReturnObj runtime.Object) (runtime.Object, error)
	InvokesWatch(action clienttesting.Action) (watch.Interface, error)
}

// Client returns a client of a fake.
func Client(f Invoker) kube.Client { return client{f} }

type client struct{ fake Invoker }

func (c client) Get(_ context.Context, r kube.Resource, namespace, name string, into runtime.Object) error {
	return c.do(clienttesting.NewGetAction(r, namespace, name), into)
}

func (c client) List(_ context.Context, r kube.Resource, namespace string,
	o metav1.ListOptions, into runtime.Object) error {
	selector, err := labels.Parse(o.LabelSelector)
	if err != nil {
		return err
	}
	kind := strings.TrimSuffix(reflect.TypeOf(into).Elem().Name(), "List")
	if err := c.do(clienttesting.NewListActionWithOptions(r, r.GroupVersion().WithKind(kind), namespace, o),
		into); err != nil {
		return err
	}
	all, err := meta.ExtractList(into)
	if err != nil {
		return err
	}
	var kept []runtime.Object
	for _, one := range all {
		if m, err := meta.Accessor(one); err == nil && selector.Matches(labels.Set(m.GetLabels())) {
			kept = append(kept, one)
		}
	}
	return meta.SetList(into, kept)
}

func (c client) Create(_ context.Context, r kube.Resource, namespace string, o, into runtime.Object) error {
	return c.do(clienttesting.NewCreateAction(r, namespace, o), into)
}

func (c client) Delete(_ context.Context, r kube.Resource, namespace, name string, o metav1.DeleteOptions) error {
	_, err := c.fake.Invokes(clienttesting.NewDeleteActionWithOptions(r, namespace, name, o), nil)
	return err
}

func (c client) Watch(_ context.Context, r kube.Resource, namespace string,
	o metav1.ListOptions) (watch.Interface, error) {
	return c.fake.InvokesWatch(clienttesting.NewWatchActionWithOptions(r, namespace, o))
}

// do copies the answer into the caller's object.
func (c client) do(a clienttesting.Action, into runtime.Object) error {
	got, err := c.fake.Invokes(a, into)
	if err != nil || got == nil {
		return err
	}
	from, to := reflect.ValueOf(got), reflect.ValueOf(into)
	if from.Type() != to.Type() {
		return fmt.Errorf("%s %s: the fake answers with %T, not %T", a.GetVerb(), a.GetResource().Resource, got, into)
	}
	to.Elem().Set(from.Elem())
	return nil
}
