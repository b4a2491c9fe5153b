package hash

import corev1 "k8s.io/api/core/v1"

// addition is a field that Container got after 1.16. An older kubelet decodes the pod with types of its own, so the
// field is not in what it hashes.
type addition struct {
	minor int // the first whose types have the field
	path  string
	// visit reports whether the field is set so that it shows in the JSON, and unsets it if told to.
	visit func(c *corev1.Container, unset bool) bool
}

// additions was made by comparing the types reachable from Container in k8s.io/api of every minor (last patch) from
// v0.16 to v0.37. Nothing was removed, renamed or reordered in that time.
var additions = [...]addition{
	{19, "securityContext.seccompProfile", inSecurityContext(func(s *corev1.SecurityContext, unset bool) bool {
		return pointer(&s.SeccompProfile, unset)
	})},
	{21, "*Probe.terminationGracePeriodSeconds", inProbes(func(p *corev1.Probe, unset bool) bool {
		return pointer(&p.TerminationGracePeriodSeconds, unset)
	})},
	{22, "securityContext.windowsOptions.hostProcess", inSecurityContext(func(s *corev1.SecurityContext, unset bool) bool {
		return s.WindowsOptions != nil && pointer(&s.WindowsOptions.HostProcess, unset)
	})},
	{23, "*Probe.grpc", inProbes(func(p *corev1.Probe, unset bool) bool { return pointer(&p.GRPC, unset) })},
	{26, "resources.claims", func(c *corev1.Container, unset bool) bool { return list(&c.Resources.Claims, unset) }},
	{27, "resizePolicy", func(c *corev1.Container, unset bool) bool { return list(&c.ResizePolicy, unset) }},
	{28, "restartPolicy", func(c *corev1.Container, unset bool) bool { return pointer(&c.RestartPolicy, unset) }},
	{29, "lifecycle.*.sleep", inHandlers(func(h *corev1.LifecycleHandler, unset bool) bool {
		return pointer(&h.Sleep, unset)
	})},
	{30, "volumeMounts[].recursiveReadOnly", inMounts(func(m *corev1.VolumeMount, unset bool) bool {
		return pointer(&m.RecursiveReadOnly, unset)
	})},
	{30, "securityContext.appArmorProfile", inSecurityContext(func(s *corev1.SecurityContext, unset bool) bool {
		return pointer(&s.AppArmorProfile, unset)
	})},
	{31, "resources.claims[].request", func(c *corev1.Container, unset bool) bool {
		return each(c.Resources.Claims, func(r *corev1.ResourceClaim) bool { return value(&r.Request, unset) })
	}},
	{33, "lifecycle.stopSignal", func(c *corev1.Container, unset bool) bool {
		return c.Lifecycle != nil && pointer(&c.Lifecycle.StopSignal, unset)
	}},
	{34, "env[].valueFrom.fileKeyRef", func(c *corev1.Container, unset bool) bool {
		return each(c.Env, func(e *corev1.EnvVar) bool {
			return e.ValueFrom != nil && pointer(&e.ValueFrom.FileKeyRef, unset)
		})
	}},
	{34, "restartPolicyRules", func(c *corev1.Container, unset bool) bool { return list(&c.RestartPolicyRules, unset) }},
	{37, "volumeMounts[].bindMountOptions", inMounts(func(m *corev1.VolumeMount, unset bool) bool {
		return list(&m.BindMountOptions, unset)
	})},
	{37, "*.httpGet.protocol", func(c *corev1.Container, unset bool) bool {
		get := func(h *corev1.HTTPGetAction) bool { return h != nil && pointer(&h.Protocol, unset) }
		probes := inProbes(func(p *corev1.Probe, _ bool) bool { return get(p.HTTPGet) })(c, unset)
		handlers := inHandlers(func(h *corev1.LifecycleHandler, _ bool) bool { return get(h.HTTPGet) })(c, unset)
		return probes || handlers
	}},
	{37, "*Probe.grpc.mode", inProbes(func(p *corev1.Probe, unset bool) bool {
		return p.GRPC != nil && pointer(&p.GRPC.Mode, unset)
	})},
}

// asKnownTo returns c as a kubelet of that minor decodes it: c itself when it sets nothing newer, else a copy.
func asKnownTo(minor int, c *corev1.Container) *corev1.Container {
	known := c
	for i := range additions {
		if a := &additions[i]; a.minor > minor && a.visit(known, false) {
			if known == c {
				known = c.DeepCopy()
			}
			a.visit(known, true)
		}
	}
	return known
}

// knownSince returns the minors in (from, to] that brought a field which c sets: where the JSON of c changes.
func knownSince(c *corev1.Container, from, to int) []int {
	var minors []int
	for i := range additions {
		a := &additions[i]
		if from < a.minor && a.minor <= to && a.visit(c, false) && (len(minors) == 0 || minors[len(minors)-1] != a.minor) {
			minors = append(minors, a.minor)
		}
	}
	return minors
}

func inSecurityContext(visit func(*corev1.SecurityContext, bool) bool) func(*corev1.Container, bool) bool {
	return func(c *corev1.Container, unset bool) bool {
		return c.SecurityContext != nil && visit(c.SecurityContext, unset)
	}
}

func inProbes(visit func(*corev1.Probe, bool) bool) func(*corev1.Container, bool) bool {
	return func(c *corev1.Container, unset bool) bool {
		set := false
		for _, p := range [...]*corev1.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe} {
			if p != nil && visit(p, unset) {
				set = true
			}
		}
		return set
	}
}

func inHandlers(visit func(*corev1.LifecycleHandler, bool) bool) func(*corev1.Container, bool) bool {
	return func(c *corev1.Container, unset bool) bool {
		if c.Lifecycle == nil {
			return false
		}
		set := false
		for _, h := range [...]*corev1.LifecycleHandler{c.Lifecycle.PostStart, c.Lifecycle.PreStop} {
			if h != nil && visit(h, unset) {
				set = true
			}
		}
		return set
	}
}

func inMounts(visit func(*corev1.VolumeMount, bool) bool) func(*corev1.Container, bool) bool {
	return func(c *corev1.Container, unset bool) bool {
		return each(c.VolumeMounts, func(m *corev1.VolumeMount) bool { return visit(m, unset) })
	}
}

// each visits every element, not only up to the first that is set, because visiting may unset.
func each[T any](items []T, visit func(*T) bool) bool {
	set := false
	for i := range items {
		if visit(&items[i]) {
			set = true
		}
	}
	return set
}

func pointer[T any](p **T, unset bool) bool {
	set := *p != nil
	if unset {
		*p = nil
	}
	return set
}

func list[T any](l *[]T, unset bool) bool {
	set := len(*l) > 0
	if unset {
		*l = nil
	}
	return set
}

func value[T comparable](v *T, unset bool) bool {
	var zero T
	set := *v != zero
	if unset {
		*v = zero
	}
	return set
}
