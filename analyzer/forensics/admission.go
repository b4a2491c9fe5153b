package forensics

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// admission returns the edits for what plugins and webhooks add or change.
func admission() []edit {
	return []edit{
		{"the mount of the service account's token", less, true, dropToken},
		{"securityContext {}", more, true, set("securityContext", corev1.SecurityContext{})},
		// The plugin AlwaysPullImages sets Always over what was there (plugin/pkg/admission/alwayspullimages).
		{"imagePullPolicy", other, true, swapPullPolicy},
		{"env KUBERNETES_*", less, true, dropEnvOf("KUBERNETES_")},
		{"env AWS_*", less, true, dropEnvOf("AWS_")},
		{"env AWS_* and its mount", less, true, dropInjected("/var/run/secrets/eks.amazonaws.com/", "AWS_")},
		{"env AZURE_*", less, true, dropEnvOf("AZURE_")},
		{"env AZURE_* and its mount", less, true, dropInjected("/var/run/secrets/azure/tokens", "AZURE_")},
		{"env OTEL_*", less, true, dropEnvOf("OTEL_")},
		{"env of an OpenTelemetry agent and its mount", less, true,
			dropInjected("/otel-auto-instrumentation", "OTEL_", "JAVA_TOOL_OPTIONS",
				"NODE_OPTIONS", "PYTHONPATH", "CORECLR_", "DOTNET_")},
		{"env DD_*", less, true, dropEnvOf("DD_")},
		{"env *_PROXY", less, true, dropEnvOf("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
			"http_proxy", "https_proxy", "no_proxy")},
		{"env GOOGLE_* and its mount", less, true, dropInjected("/var/run/secrets/tokens/gcp-ksa", "GOOGLE_", "CLOUDSDK_")},
		{"the mount of Vault's secrets", less, true, dropInjected("/vault/secrets")},
	}
}

// swapPullPolicy sets the policy that the plugin would overwrite, or has overwritten.
func swapPullPolicy(c *corev1.Container) bool {
	switch c.ImagePullPolicy {
	case corev1.PullAlways:
		c.ImagePullPolicy = corev1.PullIfNotPresent
	case corev1.PullIfNotPresent, corev1.PullNever:
		c.ImagePullPolicy = corev1.PullAlways
	default:
		return false
	}
	return true
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

// dropEnvOf removes every variable whose name has one of the prefixes.
func dropEnvOf(prefixes ...string) func(*corev1.Container) bool {
	return func(c *corev1.Container) bool {
		var kept []corev1.EnvVar
		for _, e := range c.Env {
			if !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(e.Name, p) }) {
				kept = append(kept, e)
			}
		}
		changed := len(kept) < len(c.Env)
		c.Env = kept
		return changed
	}
}

// dropInjected removes what a webhook adds at once: the mounts below a path, and variables. Without such a mount it
// does nothing: the variables alone have their own edit.
func dropInjected(path string, prefixes ...string) func(*corev1.Container) bool {
	return func(c *corev1.Container) bool {
		var kept []corev1.VolumeMount
		for _, m := range c.VolumeMounts {
			if !strings.HasPrefix(m.MountPath, path) {
				kept = append(kept, m)
			}
		}
		if len(kept) == len(c.VolumeMounts) {
			return false
		}
		c.VolumeMounts = kept
		dropEnvOf(prefixes...)(c)
		return true
	}
}
