package forensics

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func TestFieldsThatDifferAreNamedWithoutTheirValues(t *testing.T) {
	for name, test := range map[string]struct {
		then func(*corev1.Container)
		want []changedField
	}{
		"nothing":        {func(*corev1.Container) {}, nil},
		"name and image": {func(c *corev1.Container) { c.Name, c.Image = "x", "y" }, nil},
		"a field less":   {func(c *corev1.Container) { c.Lifecycle = nil }, []changedField{{"lifecycle", less}}},
		"a field more":   {func(c *corev1.Container) { c.WorkingDir = secret }, []changedField{{"workingDir", more}}},
		"another value":  {func(c *corev1.Container) { c.Command = []string{secret} }, []changedField{{"command", other}}},
		"below a field": {func(c *corev1.Container) { c.SecurityContext.SeccompProfile = nil },
			[]changedField{{"securityContext.seccompProfile", less}}},
		"two below a field": {func(c *corev1.Container) {
			c.LivenessProbe.PeriodSeconds, c.LivenessProbe.TimeoutSeconds = 7, 0
		}, []changedField{{"livenessProbe.periodSeconds", other}, {"livenessProbe.timeoutSeconds", less}}},
		"an amount": {func(c *corev1.Container) { c.Resources.Limits["memory"] = resource.MustParse("1Gi") },
			[]changedField{{"resources.limits", other}}},
		"all amounts": {func(c *corev1.Container) { c.Resources = corev1.ResourceRequirements{} },
			[]changedField{{"resources.limits", less}, {"resources.requests", less}}},
		"a variable less": {func(c *corev1.Container) { c.Env = c.Env[1:] }, []changedField{{"env[0]", less}}},
		"a variable more": {func(c *corev1.Container) { c.Env = append(c.Env, corev1.EnvVar{Name: secret}) },
			[]changedField{{"1 more variable", more}}},
		"variables more": {func(c *corev1.Container) {
			c.Env = append(c.Env, corev1.EnvVar{Name: "Y"}, corev1.EnvVar{Name: "Z"})
		}, []changedField{{"2 more variables", more}}},
		"another variable": {func(c *corev1.Container) { c.Env[2].Value = secret + "x" }, []changedField{{"env[2]", other}}},
		"another order": {func(c *corev1.Container) { c.Env[0], c.Env[1] = c.Env[1], c.Env[0] },
			[]changedField{{"the order of env", other}}},
		"a mount less": {func(c *corev1.Container) { c.VolumeMounts = c.VolumeMounts[:1] },
			[]changedField{{"volumeMounts[1]", less}}},
		"no mounts, a port": {func(c *corev1.Container) { c.VolumeMounts, c.Ports[0].Name = nil, "p" },
			[]changedField{{"ports[0]", other}, {"volumeMounts[0]", less}, {"volumeMounts[1]", less}}},
		"a mount and a port": {func(c *corev1.Container) { c.VolumeMounts[0].MountPath, c.Ports[0].ContainerPort = "/x", 1 },
			[]changedField{{"ports[0]", less}, {"1 more port", more}, {"volumeMounts[0]", less}, {"1 more mount", more}}},
	} {
		t.Run(name, func(t *testing.T) {
			then := base()
			test.then(then)
			got := differing(base(), then)
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(changedField{})); diff != "" {
				t.Error(diff)
			}
			if text := fmt.Sprint(got); strings.Contains(text, secret) {
				t.Errorf("a value is named: %s", text)
			}
		})
	}
}
