package forensics

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// way is how an edit changes its field.
type way int

const (
	less  way = iota // the field is left out
	more             // it is set
	other            // it gets another value
)

// edit is one difference between the present spec and one that may have been hashed.
type edit struct {
	// field is the field's name as the API spells it, without any value.
	field string
	way   way
	// usual: API servers or admission set the field without being asked. Only pairs with such an edit are tried.
	usual bool
	// do changes a container that nobody shares, and tells whether anything changed.
	do func(*corev1.Container) bool
}

const (
	maxEnv    = 32 // environment variables that are left out one by one
	maxMounts = 16 // volume mounts likewise
	// tokenPath is where admission mounts the token of the service account
	// (plugin/pkg/admission/serviceaccount/admission.go DefaultAPITokenMountPath).
	tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount"
)

// edits lists what is tried on a container, the likeliest first: what API servers set by default
// (pkg/apis/core/v1/defaults.go), what admission adds, then any field alone.
func edits(c *corev1.Container) []edit {
	all := slices.Concat(defaults(), admission())
	for _, f := range fields {
		all = append(all, edit{field: f.name, do: f.drop})
	}
	for i := range min(len(c.Env), maxEnv) {
		// By its place: names of variables are no more stored than their values.
		all = append(all, edit{field: fmt.Sprintf("env[%d]", i), do: dropEnv(i)})
	}
	for i := range min(len(c.VolumeMounts), maxMounts) {
		all = append(all, edit{field: fmt.Sprintf("volumeMounts[%d]", i), do: dropMount(i)})
	}
	return all
}

// text drops a string field of any string type.
func text[S ~string](of func(*corev1.Container) *S) func(*corev1.Container) bool {
	return func(c *corev1.Container) bool {
		p := of(c)
		was := *p
		*p = ""
		return was != ""
	}
}

// pointer drops a field that is a pointer.
func pointer[T any](of func(*corev1.Container) **T) func(*corev1.Container) bool {
	return func(c *corev1.Container) bool {
		p := of(c)
		was := *p
		*p = nil
		return was != nil
	}
}

// list drops a field that is a list.
func list[T any](of func(*corev1.Container) *[]T) func(*corev1.Container) bool {
	return func(c *corev1.Container) bool {
		p := of(c)
		n := len(*p)
		*p = nil
		return n > 0
	}
}

// flag drops a boolean field.
func flag(of func(*corev1.Container) *bool) func(*corev1.Container) bool {
	return func(c *corev1.Container) bool {
		p := of(c)
		was := *p
		*p = false
		return was
	}
}

// secured drops a field of the security context, where there is one.
func secured[T any](of func(*corev1.SecurityContext) **T) func(*corev1.Container) bool {
	return func(c *corev1.Container) bool {
		if c.SecurityContext == nil {
			return false
		}
		p := of(c.SecurityContext)
		was := *p
		*p = nil
		return was != nil
	}
}

// fields are the fields that are left out one at a time, whatever they hold.
var fields = [...]struct {
	name string
	drop func(*corev1.Container) bool
}{
	{"resources", dropResources},
	{"resources.limits", dropLimits},
	{"securityContext", pointer(func(c *corev1.Container) **corev1.SecurityContext { return &c.SecurityContext })},
	{"livenessProbe", pointer(func(c *corev1.Container) **corev1.Probe { return &c.LivenessProbe })},
	{"readinessProbe", pointer(func(c *corev1.Container) **corev1.Probe { return &c.ReadinessProbe })},
	{"startupProbe", pointer(func(c *corev1.Container) **corev1.Probe { return &c.StartupProbe })},
	{"lifecycle", pointer(func(c *corev1.Container) **corev1.Lifecycle { return &c.Lifecycle })},
	{"env", list(func(c *corev1.Container) *[]corev1.EnvVar { return &c.Env })},
	{"envFrom", list(func(c *corev1.Container) *[]corev1.EnvFromSource { return &c.EnvFrom })},
	{"volumeMounts", list(func(c *corev1.Container) *[]corev1.VolumeMount { return &c.VolumeMounts })},
	{"volumeDevices", list(func(c *corev1.Container) *[]corev1.VolumeDevice { return &c.VolumeDevices })},
	{"ports", list(func(c *corev1.Container) *[]corev1.ContainerPort { return &c.Ports })},
	{"command", list(func(c *corev1.Container) *[]string { return &c.Command })},
	{"args", list(func(c *corev1.Container) *[]string { return &c.Args })},
	{"workingDir", text(func(c *corev1.Container) *string { return &c.WorkingDir })},
	{"resources.claims", list(func(c *corev1.Container) *[]corev1.ResourceClaim { return &c.Resources.Claims })},
	{"restartPolicy", pointer(func(c *corev1.Container) **corev1.ContainerRestartPolicy { return &c.RestartPolicy })},
	{"restartPolicyRules", list(func(c *corev1.Container) *[]corev1.ContainerRestartRule {
		return &c.RestartPolicyRules
	})},
	{"stdin", flag(func(c *corev1.Container) *bool { return &c.Stdin })},
	{"stdinOnce", flag(func(c *corev1.Container) *bool { return &c.StdinOnce })},
	{"tty", flag(func(c *corev1.Container) *bool { return &c.TTY })},
	{"securityContext.capabilities", secured(func(s *corev1.SecurityContext) **corev1.Capabilities {
		return &s.Capabilities
	})},
	{"securityContext.privileged", secured(func(s *corev1.SecurityContext) **bool { return &s.Privileged })},
	{"securityContext.allowPrivilegeEscalation",
		secured(func(s *corev1.SecurityContext) **bool { return &s.AllowPrivilegeEscalation })},
	{"securityContext.readOnlyRootFilesystem",
		secured(func(s *corev1.SecurityContext) **bool { return &s.ReadOnlyRootFilesystem })},
	{"securityContext.runAsNonRoot", secured(func(s *corev1.SecurityContext) **bool { return &s.RunAsNonRoot })},
	{"securityContext.runAsUser", secured(func(s *corev1.SecurityContext) **int64 { return &s.RunAsUser })},
	{"securityContext.runAsGroup", secured(func(s *corev1.SecurityContext) **int64 { return &s.RunAsGroup })},
	{"securityContext.seLinuxOptions",
		secured(func(s *corev1.SecurityContext) **corev1.SELinuxOptions { return &s.SELinuxOptions })},
	{"securityContext.windowsOptions",
		secured(func(s *corev1.SecurityContext) **corev1.WindowsSecurityContextOptions { return &s.WindowsOptions })},
	{"securityContext.seccompProfile",
		secured(func(s *corev1.SecurityContext) **corev1.SeccompProfile { return &s.SeccompProfile })},
	{"securityContext.appArmorProfile",
		secured(func(s *corev1.SecurityContext) **corev1.AppArmorProfile { return &s.AppArmorProfile })},
}

func dropResources(c *corev1.Container) bool {
	r := &c.Resources
	had := len(r.Limits)+len(r.Requests)+len(r.Claims) > 0
	c.Resources = corev1.ResourceRequirements{}
	return had
}

func dropLimits(c *corev1.Container) bool {
	had := len(c.Resources.Limits) > 0
	c.Resources.Limits = nil
	return had
}

func dropEnv(i int) func(*corev1.Container) bool {
	return func(c *corev1.Container) bool {
		if i >= len(c.Env) {
			return false
		}
		c.Env = without(c.Env, i)
		return true
	}
}

func dropMount(i int) func(*corev1.Container) bool {
	return func(c *corev1.Container) bool {
		if i >= len(c.VolumeMounts) {
			return false
		}
		c.VolumeMounts = without(c.VolumeMounts, i)
		return true
	}
}

// without returns a list without its ith entry; nil where nothing is left, as a spec that never had one.
func without[T any](from []T, i int) []T {
	if len(from) == 1 {
		return nil
	}
	return append(from[:i:i], from[i+1:]...)
}
