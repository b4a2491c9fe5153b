package forensics

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
)

// pathDefault is the default of terminationMessagePath (pkg/apis/core/v1/defaults.go SetDefaults_Container).
const pathDefault = corev1.TerminationMessagePathDefault

// defaults returns the edits for what API servers fill in: each removed and, where the value is known, set.
func defaults() []edit {
	either := func(path string, value any) []edit {
		return []edit{{path, less, true, drop(path)}, {path, more, true, set(path, value)}}
	}
	return slices.Concat(
		[]edit{
			{"resizePolicy", less, true, drop("resizePolicy")},
			{"resizePolicy", more, true, hash.PutResizePolicy(false)},
			{"resizePolicy of cpu and memory", more, true, hash.PutResizePolicy(true)},
		},
		either("securityContext.procMount", corev1.DefaultProcMount),
		either("terminationMessagePolicy", corev1.TerminationMessageReadFile),
		either("terminationMessagePath", pathDefault),
		[]edit{
			{"imagePullPolicy", less, true, drop("imagePullPolicy")},
			{"imagePullPolicy IfNotPresent", more, true, set("imagePullPolicy", corev1.PullIfNotPresent)},
			{"imagePullPolicy Always", more, true, set("imagePullPolicy", corev1.PullAlways)},
		},
		filled("the defaults of the probes", probeDefaults),
		filled("httpGet.path / of the probes", probePaths),
		filled("grpc.service of the probes", probeServices),
		filled("the defaults of lifecycle handlers", handlerDefaults),
		filled("ports[].protocol", portProtocols),
		[]edit{{"ports[].hostPort that hostNetwork implies", less, true, dropHostPorts}},
		filled("env[].valueFrom.fieldRef.apiVersion", fieldRefs),
		[]edit{
			{"resources.requests that equal the limits", less, true, dropDefaultedRequests},
			{"resources.requests", less, true, drop("resources.requests")},
		},
	)
}

// probes returns the probes that are set.
func probes(c *corev1.Container) []*corev1.Probe {
	return slices.DeleteFunc([]*corev1.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe},
		func(p *corev1.Probe) bool { return p == nil })
}

// probeDefaults are those of SetDefaults_Probe and SetDefaults_HTTPGetAction, but for the path.
func probeDefaults(c *corev1.Container, f *filling) {
	for _, p := range probes(c) {
		swap(f, &p.TimeoutSeconds, 1)
		swap(f, &p.PeriodSeconds, 10)
		swap(f, &p.SuccessThreshold, 1)
		swap(f, &p.FailureThreshold, 3)
		if p.HTTPGet != nil {
			swap(f, &p.HTTPGet.Scheme, corev1.URISchemeHTTP)
		}
	}
}

func probePaths(c *corev1.Container, f *filling) {
	for _, p := range probes(c) {
		if p.HTTPGet != nil {
			swap(f, &p.HTTPGet.Path, "/")
		}
	}
}

// probeServices: an absent service is the empty one (zz_generated.defaults.go SetObjectDefaults_Pod).
func probeServices(c *corev1.Container, f *filling) {
	for _, p := range probes(c) {
		switch g := p.GRPC; {
		case g == nil:
		case f.away && g.Service != nil && *g.Service == "":
			g.Service, f.changed = nil, true
		case !f.away && g.Service == nil:
			g.Service, f.changed = new(string), true
		}
	}
}

// handlerDefaults are those of the HTTP handlers of hooks (SetDefaults_HTTPGetAction).
func handlerDefaults(c *corev1.Container, f *filling) {
	if c.Lifecycle == nil {
		return
	}
	for _, h := range []*corev1.LifecycleHandler{c.Lifecycle.PostStart, c.Lifecycle.PreStop} {
		if h != nil && h.HTTPGet != nil {
			swap(f, &h.HTTPGet.Path, "/")
			swap(f, &h.HTTPGet.Scheme, corev1.URISchemeHTTP)
		}
	}
}

func portProtocols(c *corev1.Container, f *filling) {
	for i := range c.Ports {
		swap(f, &c.Ports[i].Protocol, corev1.ProtocolTCP)
	}
}

// dropHostPorts takes away the host ports that a pod in the node's network gets (SetDefaults_Pod,
// defaultHostNetworkPorts).
func dropHostPorts(c *corev1.Container) (changed bool) {
	for i := range c.Ports {
		if p := &c.Ports[i]; p.HostPort != 0 && p.HostPort == p.ContainerPort {
			p.HostPort, changed = 0, true
		}
	}
	return changed
}

func fieldRefs(c *corev1.Container, f *filling) {
	for i := range c.Env {
		if v := c.Env[i].ValueFrom; v != nil && v.FieldRef != nil {
			swap(f, &v.FieldRef.APIVersion, "v1")
		}
	}
}

// dropDefaultedRequests removes requests that are defaulted from limits (SetDefaults_Pod).
func dropDefaultedRequests(c *corev1.Container) (changed bool) {
	for name, limit := range c.Resources.Limits {
		if request, ok := c.Resources.Requests[name]; ok && request.Cmp(limit) == 0 {
			delete(c.Resources.Requests, name)
			changed = true
		}
	}
	if len(c.Resources.Requests) == 0 {
		c.Resources.Requests = nil
	}
	return changed
}
