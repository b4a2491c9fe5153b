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
	// usual: API servers or admission set the field unasked. Only pairs with such an edit are tried.
	usual bool
	// do changes a container that nobody shares, and reports whether anything changed.
	do func(*corev1.Container) bool
}

const (
	maxEnv    = 32 // environment variables that are left out one by one
	maxMounts = 16 // volume mounts likewise
	// tokenPath is where admission mounts the service account's token (plugin/pkg/admission/serviceaccount/admission.go
	// DefaultAPITokenMountPath).
	tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount"
)

// edits lists what is tried on a container, the likeliest first: what API servers set by default
// (pkg/apis/core/v1/defaults.go), what admission adds, then any single field.
func edits(c *corev1.Container) []edit {
	all := slices.Concat(defaults(), admission())
	for _, name := range fields {
		all = append(all, edit{field: name, do: drop(name)})
	}
	for i := range min(len(c.Env), maxEnv) {
		// By index: names of variables are not stored, like their values.
		all = append(all, edit{field: fmt.Sprintf("env[%d]", i), do: dropEnv(i)})
	}
	for i := range min(len(c.VolumeMounts), maxMounts) {
		all = append(all, edit{field: fmt.Sprintf("volumeMounts[%d]", i), do: dropMount(i)})
	}
	return all
}

// fields are the fields that are left out one at a time, whatever their value.
var fields = [...]string{
	"resources", "resources.limits", "securityContext", "livenessProbe", "readinessProbe", "startupProbe",
	"lifecycle", "env", "envFrom", "volumeMounts", "volumeDevices", "ports", "command", "args", "workingDir",
	"resources.claims", "restartPolicy", "restartPolicyRules", "stdin", "stdinOnce", "tty",
	"securityContext.capabilities", "securityContext.privileged", "securityContext.allowPrivilegeEscalation",
	"securityContext.readOnlyRootFilesystem", "securityContext.runAsNonRoot", "securityContext.runAsUser",
	"securityContext.runAsGroup", "securityContext.seLinuxOptions", "securityContext.windowsOptions",
	"securityContext.seccompProfile", "securityContext.appArmorProfile",
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

// without returns a list without its ith entry; nil where it would be empty, like in a spec that never had one.
func without[T any](from []T, i int) []T {
	if len(from) == 1 {
		return nil
	}
	return append(from[:i:i], from[i+1:]...)
}
