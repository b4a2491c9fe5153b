package kube

import (
	appsv1 "k8s.io/api/apps/v1"
	authv1 "k8s.io/api/authorization/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

var (
	// groups are the API groups in use.
	groups = []schema.GroupVersion{corev1.SchemeGroupVersion, appsv1.SchemeGroupVersion,
		batchv1.SchemeGroupVersion, authv1.SchemeGroupVersion}
	// known holds the kinds of these groups. Like Parameters it is made once and never changed.
	known = newScheme()
	// Parameters encodes options as the query of a request.
	Parameters = runtime.NewParameterCodec(known)
)

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	metav1.AddToGroupVersion(s, schema.GroupVersion{Version: "v1"}) // Status is in it, whatever the group
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme,
		appsv1.AddToScheme, batchv1.AddToScheme, authv1.AddToScheme} {
		utilruntime.Must(add(s)) // fails for a duplicate kind: a bug
	}
	return s
}
