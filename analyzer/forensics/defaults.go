package forensics

import (
	corev1 "k8s.io/api/core/v1"
)

// pathDefault is the default of terminationMessagePath (pkg/apis/core/v1/defaults.go SetDefaults_Container).
const pathDefault = corev1.TerminationMessagePathDefault

// defaults are what API servers fill in, each taken away and, where the value can be told, set.
func defaults() []edit {
	return []edit{
		{"resizePolicy", less, true, list(func(c *corev1.Container) *[]corev1.ContainerResizePolicy {
			return &c.ResizePolicy
		})},
		{"resizePolicy", more, true, putResizePolicy(false)},
		{"resizePolicy of cpu and memory", more, true, putResizePolicy(true)},
		{"securityContext.procMount", less, true,
			secured(func(s *corev1.SecurityContext) **corev1.ProcMountType { return &s.ProcMount })},
		{"securityContext.procMount", more, true, putProcMount},
		{"terminationMessagePolicy", less, true,
			text(func(c *corev1.Container) *corev1.TerminationMessagePolicy { return &c.TerminationMessagePolicy })},
		{"terminationMessagePolicy", more, true,
			setTo(func(c *corev1.Container) *corev1.TerminationMessagePolicy { return &c.TerminationMessagePolicy },
				corev1.TerminationMessageReadFile)},
		{"terminationMessagePath", less, true, text(func(c *corev1.Container) *string { return &c.TerminationMessagePath })},
		{"terminationMessagePath", more, true, setTo(func(c *corev1.Container) *string { return &c.TerminationMessagePath },
			pathDefault)},
		{"imagePullPolicy", less, true, text(func(c *corev1.Container) *corev1.PullPolicy { return &c.ImagePullPolicy })},
		{"imagePullPolicy IfNotPresent", more, true,
			setTo(func(c *corev1.Container) *corev1.PullPolicy { return &c.ImagePullPolicy }, corev1.PullIfNotPresent)},
		{"imagePullPolicy Always", more, true,
			setTo(func(c *corev1.Container) *corev1.PullPolicy { return &c.ImagePullPolicy }, corev1.PullAlways)},
		{"the defaults of the probes", less, true, eachProbe(dropProbeDefaults)},
		{"the defaults of the probes", more, true, eachProbe(putProbeDefaults)},
		{"httpGet.path / of the probes", less, true, eachProbe(dropProbePath)},
		{"httpGet.path / of the probes", more, true, eachProbe(putProbePath)},
		{"grpc.service of the probes", less, true, eachProbe(dropService)},
		{"grpc.service of the probes", more, true, eachProbe(putService)},
		{"the defaults of lifecycle handlers", less, true, eachHandler(dropHTTPDefaults)},
		{"the defaults of lifecycle handlers", more, true, eachHandler(putHTTPDefaults)},
		{"ports[].protocol", less, true, protocol(corev1.ProtocolTCP, "")},
		{"ports[].protocol", more, true, protocol("", corev1.ProtocolTCP)},
		{"ports[].hostPort that hostNetwork implies", less, true, dropHostPorts},
		{"env[].valueFrom.fieldRef.apiVersion", less, true, fieldRef("v1", "")},
		{"env[].valueFrom.fieldRef.apiVersion", more, true, fieldRef("", "v1")},
		{"resources.requests that equal the limits", less, true, dropDefaultedRequests},
		{"resources.requests", less, true, dropRequests},
	}
}

func setTo[S ~string](of func(*corev1.Container) *S, value S) func(*corev1.Container) bool {
	return func(c *corev1.Container) bool {
		p := of(c)
		if *p != "" {
			return false
		}
		*p = value
		return true
	}
}

func putProcMount(c *corev1.Container) bool {
	if c.SecurityContext == nil || c.SecurityContext.ProcMount != nil {
		return false
	}
	c.SecurityContext.ProcMount = new(corev1.DefaultProcMount)
	return true
}

// putResizePolicy sets the list for what the container requests, or for both resources
// (API server v1.27–v1.32 SetDefaults_Pod).
func putResizePolicy(both bool) func(*corev1.Container) bool {
	return func(c *corev1.Container) bool {
		if len(c.ResizePolicy) > 0 {
			return false
		}
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			_, requested := c.Resources.Requests[name]
			_, limited := c.Resources.Limits[name]
			if both || requested || limited {
				c.ResizePolicy = append(c.ResizePolicy, corev1.ContainerResizePolicy{ResourceName: name,
					RestartPolicy: corev1.NotRequired})
			}
		}
		return len(c.ResizePolicy) > 0
	}
}

// eachProbe changes every probe that there is.
func eachProbe(change func(*corev1.Probe) bool) func(*corev1.Container) bool {
	return func(c *corev1.Container) (changed bool) {
		for _, p := range []*corev1.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe} {
			if p != nil && change(p) {
				changed = true
			}
		}
		return changed
	}
}

// number is a field of a probe with its default (SetDefaults_Probe).
type number struct {
	field *int32
	value int32
}

func numbers(p *corev1.Probe) []number {
	return []number{{&p.TimeoutSeconds, 1}, {&p.PeriodSeconds, 10}, {&p.SuccessThreshold, 1}, {&p.FailureThreshold, 3}}
}

func dropProbeDefaults(p *corev1.Probe) (changed bool) {
	for _, n := range numbers(p) {
		if *n.field == n.value {
			*n.field, changed = 0, true
		}
	}
	if h := p.HTTPGet; h != nil && h.Scheme == corev1.URISchemeHTTP {
		h.Scheme, changed = "", true
	}
	return changed
}

func putProbeDefaults(p *corev1.Probe) (changed bool) {
	for _, n := range numbers(p) {
		if *n.field == 0 {
			*n.field, changed = n.value, true
		}
	}
	if h := p.HTTPGet; h != nil && h.Scheme == "" {
		h.Scheme, changed = corev1.URISchemeHTTP, true
	}
	return changed
}

func dropProbePath(p *corev1.Probe) bool {
	if p.HTTPGet == nil || p.HTTPGet.Path != "/" {
		return false
	}
	p.HTTPGet.Path = ""
	return true
}

func putProbePath(p *corev1.Probe) bool {
	if p.HTTPGet == nil || p.HTTPGet.Path != "" {
		return false
	}
	p.HTTPGet.Path = "/"
	return true
}

// dropService and putService: an absent service is the empty one (zz_generated.defaults.go SetObjectDefaults_Pod).
func dropService(p *corev1.Probe) bool {
	if p.GRPC == nil || p.GRPC.Service == nil || *p.GRPC.Service != "" {
		return false
	}
	p.GRPC.Service = nil
	return true
}

func putService(p *corev1.Probe) bool {
	if p.GRPC == nil || p.GRPC.Service != nil {
		return false
	}
	p.GRPC.Service = new(string)
	return true
}

// eachHandler changes the HTTP handler of every hook (SetDefaults_HTTPGetAction).
func eachHandler(change func(*corev1.HTTPGetAction) bool) func(*corev1.Container) bool {
	return func(c *corev1.Container) (changed bool) {
		if c.Lifecycle == nil {
			return false
		}
		for _, h := range []*corev1.LifecycleHandler{c.Lifecycle.PostStart, c.Lifecycle.PreStop} {
			if h != nil && h.HTTPGet != nil && change(h.HTTPGet) {
				changed = true
			}
		}
		return changed
	}
}

func dropHTTPDefaults(h *corev1.HTTPGetAction) (changed bool) {
	if h.Path == "/" {
		h.Path, changed = "", true
	}
	if h.Scheme == corev1.URISchemeHTTP {
		h.Scheme, changed = "", true
	}
	return changed
}

func putHTTPDefaults(h *corev1.HTTPGetAction) (changed bool) {
	if h.Path == "" {
		h.Path, changed = "/", true
	}
	if h.Scheme == "" {
		h.Scheme, changed = corev1.URISchemeHTTP, true
	}
	return changed
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

func protocol(from, to corev1.Protocol) func(*corev1.Container) bool {
	return func(c *corev1.Container) (changed bool) {
		for i := range c.Ports {
			if c.Ports[i].Protocol == from {
				c.Ports[i].Protocol, changed = to, true
			}
		}
		return changed
	}
}

func fieldRef(from, to string) func(*corev1.Container) bool {
	return func(c *corev1.Container) (changed bool) {
		for i := range c.Env {
			if v := c.Env[i].ValueFrom; v != nil && v.FieldRef != nil && v.FieldRef.APIVersion == from {
				v.FieldRef.APIVersion, changed = to, true
			}
		}
		return changed
	}
}

// dropDefaultedRequests takes away what a limit without a request makes of itself (SetDefaults_Pod).
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

func dropRequests(c *corev1.Container) bool {
	had := len(c.Resources.Requests) > 0
	c.Resources.Requests = nil
	return had
}
