package prometheus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// monitors are the labels of services with the Prometheus API, and their ports, best first.
var monitors = []struct{ selector, port string }{
	{"app.kubernetes.io/name in (thanos-query, thanos-query-frontend)", "http"},
	{"app.kubernetes.io/name=vmsingle", "http"},
	{"operated-prometheus=true", "web"},
	{"app.kubernetes.io/name=prometheus,app.kubernetes.io/component in (server, prometheus)", "http"},
	{"app=kube-prometheus-stack-prometheus", "http-web"},
	{"app=prometheus,component=server", "http"},
}

// Find looks for the service of a monitoring system, and returns NAMESPACE/SERVICE:PORT.
func Find(ctx context.Context, client kube.Client) (string, error) {
	for _, m := range monitors {
		list, err := kube.List[corev1.ServiceList](ctx, client, kube.Services, "",
			metav1.ListOptions{LabelSelector: m.selector, Limit: 50})
		if err != nil {
			return "", fmt.Errorf("list services: %w", err)
		}
		slices.SortFunc(list.Items, func(a, b corev1.Service) int {
			return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
		})
		for i := range list.Items {
			if s := &list.Items[i]; len(s.Spec.Ports) > 0 {
				return s.Namespace + "/" + s.Name + ":" + portOf(s.Spec.Ports, m.port), nil
			}
		}
	}
	return "", errors.New(
		"no service of a Prometheus, Thanos or VictoriaMetrics has the usual labels: name it as NAMESPACE/SERVICE:PORT",
	)
}

// portOf is the port with that name, else the first.
func portOf(ports []corev1.ServicePort, name string) string {
	for _, p := range ports {
		if p.Name == name {
			return strconv.Itoa(int(p.Port))
		}
	}
	return strconv.Itoa(int(ports[0].Port))
}
