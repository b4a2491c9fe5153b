package hash

import corev1 "k8s.io/api/core/v1"

// Variant is a container as it was, or will be, under an API server that sets another field by default. Exactly one of
// Without and With is set; both name the field as the API does.
type Variant struct {
	// Without is a field that the container has with the API servers' default value, and that was left out.
	Without string
	// With is a field that the container lacks, and that was set to the default value.
	With string
	// Hashes are those of the minors that know the field and may have seen it appear or disappear.
	Hashes []EraHash
}

// defaulted are the fields with which API servers changed the hashes of pods that nobody touched. Defaults that are as
// old as their field are not among them: no container was ever created without those.
var defaulted = [...]struct {
	field string
	// since is the first kubelet minor that knows the field, until the last one that may have met a change of the
	// default: no kubelet is newer than its API server, and later ones hash name and image.
	since, until int
	// drop removes the default and put sets it; both report whether they changed anything. put is nil for a field that
	// no API server ever stopped setting.
	drop, put func(*corev1.Container) bool
}{
	// API server v1.6+ (pkg/apis/core/v1/defaults.go SetDefaults_Container).
	{"terminationMessagePolicy", 6, 7, dropTerminationMessagePolicy, nil},
	// API servers v1.14.0–v1.14.3 and some patches of v1.13 (SetDefaults_SecurityContext); removed again in v1.13.8,
	// v1.14.4 and v1.15.0.
	{"securityContext.procMount", 12, LastStruct, dropProcMount, putProcMount},
	// API servers v1.27–v1.32 with the gate InPlacePodVerticalScaling (SetDefaults_Pod).
	{"resizePolicy", 27, LastWholeSpec, dropResizePolicy, PutResizePolicy(false)},
}

// Defaulted returns c as it would be without each default that some API servers set and others do not, and with each
// that it lacks. If a stored hash equals one of these, by the algorithm of the kubelet that stored it, the field
// appeared or disappeared while the container ran: nobody edited the pod. A match is proof except for one chance in
// 2^32 for every hash that was tried.
func Defaulted(c *corev1.Container) []Variant {
	if c == nil {
		return nil
	}
	var all []Variant
	var other corev1.Container
	for _, d := range defaulted {
		other = *c // shares everything else with c: drop and put replace what they change
		v := Variant{}
		switch {
		case d.drop(&other):
			v.Without = d.field
		case d.put != nil && d.put(&other):
			v.With = d.field
		default:
			continue
		}
		if d.until <= LastStruct {
			v.Hashes = structHashes(nil, d.since, d.until, &other)
		} else {
			v.Hashes = allJSON(nil, FNV32aJSON, d.since, &other)
		}
		for i := range v.Hashes {
			h := &v.Hashes[i]
			h.FromMinor, h.ToMinor = max(h.FromMinor, d.since), min(h.ToMinor, d.until)
		}
		all = append(all, v)
	}
	return all
}

func dropTerminationMessagePolicy(c *corev1.Container) bool {
	if c.TerminationMessagePolicy != corev1.TerminationMessageReadFile {
		return false
	}
	c.TerminationMessagePolicy = ""
	return true
}

func dropProcMount(c *corev1.Container) bool {
	s := c.SecurityContext
	if s == nil || s.ProcMount == nil || *s.ProcMount != corev1.DefaultProcMount {
		return false
	}
	other := *s
	other.ProcMount = nil
	c.SecurityContext = &other
	return true
}

func putProcMount(c *corev1.Container) bool {
	if c.SecurityContext == nil || c.SecurityContext.ProcMount != nil {
		return false
	}
	other, mount := *c.SecurityContext, corev1.DefaultProcMount
	other.ProcMount = &mount
	c.SecurityContext = &other
	return true
}

// dropResizePolicy removes the list if it equals the default.
func dropResizePolicy(c *corev1.Container) bool {
	for _, p := range c.ResizePolicy {
		if p.RestartPolicy != corev1.NotRequired {
			return false
		}
	}
	changed := len(c.ResizePolicy) > 0
	c.ResizePolicy = nil
	return changed
}

// PutResizePolicy returns an edit that sets the list for the resources that the container requests, a limit counting as
// a request, or for both resources (API server v1.27–v1.32 SetDefaults_Pod). It reports whether the container changed.
func PutResizePolicy(both bool) func(*corev1.Container) bool {
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
