package forensics

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// pathDefault is the default of terminationMessagePath (pkg/apis/core/v1/defaults.go SetDefaults_Container).
const pathDefault = corev1.TerminationMessagePathDefault

// defaults are what API servers fill in, each taken away and, where the value can be told, set.
func defaults() []edit {
	return []edit{
		{"resizePolicy", false, true, list(func(c *corev1.Container) *[]corev1.ContainerResizePolicy { return &c.ResizePolicy })},
		{"resizePolicy", true, true, putResizePolicy(false)},
		{"resizePolicy of cpu and memory", true, true, putResizePolicy(true)},
		{"securityContext.procMount", false, true, secured(func(s *corev1.SecurityContext) **corev1.ProcMountType { return &s.ProcMount })},
		{"securityContext.procMount", true, true, putProcMount},
		{"terminationMessagePolicy", false, true, text(func(c *corev1.Container) *corev1.TerminationMessagePolicy { return &c.TerminationMessagePolicy })},
		{"terminationMessagePolicy", true, true, put(func(c *corev1.Container) *corev1.TerminationMessagePolicy { return &c.TerminationMessagePolicy }, corev1.TerminationMessageReadFile)},
		{"terminationMessagePath", false, true, text(func(c *corev1.Container) *string { return &c.TerminationMessagePath })},
		{"terminationMessagePath", true, true, put(func(c *corev1.Container) *string { return &c.TerminationMessagePath }, pathDefault)},
		{"imagePullPolicy", false, true, text(func(c *corev1.Container) *corev1.PullPolicy { return &c.ImagePullPolicy })},
		{"imagePullPolicy IfNotPresent", true, true, put(func(c *corev1.Container) *corev1.PullPolicy { return &c.ImagePullPolicy }, corev1.PullIfNotPresent)},
		{"imagePullPolicy Always", true, true, put(func(c *corev1.Container) *corev1.PullPolicy { return &c.ImagePullPolicy }, corev1.PullAlways)},
		{"the defaults of the probes", false, true, eachProbe(dropProbeDefaults)},
		{"the defaults of the probes", true, true, eachProbe(putProbeDefaults)},
		{"ports[].protocol", false, true, protocol(corev1.ProtocolTCP, "")},
		{"ports[].protocol", true, true, protocol("", corev1.ProtocolTCP)},
		{"env[].valueFrom.fieldRef.apiVersion", false, true, fieldRef("v1", "")},
		{"env[].valueFrom.fieldRef.apiVersion", true, true, fieldRef("", "v1")},
		{"resources.requests that equal the limits", false, true, dropDefaultedRequests},
		{"resources.requests", false, true, dropRequests},
	}
}

// admission are what plugins and webhooks add.
func admission() []edit {
	return []edit{
		{"the mount of the service account's token", false, true, dropToken},
		{"securityContext {}", true, true, putSecurityContext},
		{"env KUBERNETES_*", false, true, dropEnvOf("KUBERNETES_")},
		{"env AWS_*", false, true, dropEnvOf("AWS_")},
		{"env AZURE_*", false, true, dropEnvOf("AZURE_")},
		{"env OTEL_*", false, true, dropEnvOf("OTEL_")},
	}
}

func put[S ~string](of func(*corev1.Container) *S, value S) func(*corev1.Container) bool {
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
	mount := corev1.DefaultProcMount
	c.SecurityContext.ProcMount = &mount
	return true
}

func putSecurityContext(c *corev1.Container) bool {
	if c.SecurityContext != nil {
		return false
	}
	c.SecurityContext = &corev1.SecurityContext{}
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
				c.ResizePolicy = append(c.ResizePolicy, corev1.ContainerResizePolicy{ResourceName: name, RestartPolicy: corev1.NotRequired})
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

func dropToken(c *corev1.Container) bool {
	for i := range c.VolumeMounts {
		if c.VolumeMounts[i].MountPath == tokenPath {
			c.VolumeMounts = without(c.VolumeMounts, i)
			return true
		}
	}
	return false
}

func dropEnvOf(prefix string) func(*corev1.Container) bool {
	return func(c *corev1.Container) bool {
		var kept []corev1.EnvVar
		for _, e := range c.Env {
			if !strings.HasPrefix(e.Name, prefix) {
				kept = append(kept, e)
			}
		}
		changed := len(kept) < len(c.Env)
		c.Env = kept
		return changed
	}
}
