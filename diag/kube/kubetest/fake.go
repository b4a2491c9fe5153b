package kubetest

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"
)

// Fake is a cluster in memory: client-go's tracker behind its reactors. It is client-go's fake clientset without the
// clientset, which would be two hundred packages to compile, vet and lint for a few kinds.
type Fake struct {
	clienttesting.Fake
	tracker clienttesting.ObjectTracker
}

// NewFake makes a cluster of objects of the kinds that a Server may hold.
func NewFake(objects ...runtime.Object) *Fake {
	f := &Fake{tracker: clienttesting.NewObjectTracker(known, serializer.NewCodecFactory(known).UniversalDecoder())}
	for _, o := range objects {
		utilruntime.Must(f.tracker.Add(o)) // fails for an unknown kind: a bug in the test
	}
	f.AddReactor("*", "*", clienttesting.ObjectReaction(f.tracker))
	f.AddWatchReactor("*", func(a clienttesting.Action) (bool, watch.Interface, error) {
		w, err := f.tracker.Watch(a.GetResource(), a.GetNamespace())
		return true, w, err
	})
	return f
}

// Tracker returns the tracker that holds the objects.
func (f *Fake) Tracker() clienttesting.ObjectTracker { return f.tracker }
