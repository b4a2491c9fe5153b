package forensics

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func asJSON(t *testing.T, c *corev1.Container) string {
	t.Helper()
	raw, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// bare is a container as a person writes it.
func bare() *corev1.Container { return &corev1.Container{Name: "app", Image: "shop/web:2"} }

// An edit reports a change exactly when it made one, and has nothing to do the second time.
func TestEveryEditDoesWhatItSays(t *testing.T) {
	changed := map[string]bool{}
	for name, of := range map[string]func() *corev1.Container{"full": base,
		"bare": bare, "empty": func() *corev1.Container { return &corev1.Container{} }} {
		for _, e := range edits(base()) {
			c := of()
			before := asJSON(t, c)
			did := e.do(c)
			if after := asJSON(t, c); did != (before != after) {
				t.Errorf("%s, %s (with %t): says changed %t\nbefore %s\nafter  %s",
					name, e.field, e.way == more, did, before, after)
			}
			if did {
				changed[fmt.Sprint(e.field, e.way == more)] = true
			}
			if strings.HasSuffix(e.field, "]") || e.way == other {
				continue // the next entry of the list has moved to this index; a swap is undone
			}
			again := asJSON(t, c)
			if e.do(c) || asJSON(t, c) != again {
				t.Errorf("%s, %s (with %t): there is more to do the second time", name, e.field, e.way == more)
			}
		}
	}
	for _, field := range []string{"resizePolicytrue", "securityContext.procMounttrue",
		"terminationMessagePathtrue", "envfalse", "env[0]false", "volumeMounts[1]false", "securityContext {}true"} {
		if !changed[field] {
			t.Errorf("%s was never tried", field)
		}
	}
}

func TestNamesOfFieldsAreTheirOwnAndCanBeParted(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range edits(base()) {
		key := fmt.Sprint(e.field, e.way)
		if seen[key] {
			t.Errorf("%s twice", key)
		}
		seen[key] = true
		if strings.Contains(e.field, evidence.FieldSeparator) || e.field == "" {
			t.Errorf("%q cannot be parted from others", e.field)
		}
	}
}

// What is set by default and removed again is the original spec.
func TestWhatIsSetByDefaultCanBeTakenAway(t *testing.T) {
	c := bare()
	c.LivenessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{},
		GRPC: &corev1.GRPCAction{}}}
	c.Lifecycle = &corev1.Lifecycle{PostStart: &corev1.LifecycleHandler{HTTPGet: &corev1.HTTPGetAction{Host: "h"}}}
	c.Ports = []corev1.ContainerPort{{ContainerPort: 80}}
	c.Env = []corev1.EnvVar{
		{Name: "N", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "spec.nodeName"}}}}
	c.Resources.Limits = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")}
	c.SecurityContext = &corev1.SecurityContext{}
	written := c.DeepCopy()
	n := 0
	for _, e := range defaults() {
		if e.way == more && e.do(c) {
			n++
		}
	}
	if n < 11 {
		t.Errorf("only %d defaults were set", n)
	}
	for _, e := range defaults() {
		if e.way == less {
			e.do(c)
		}
	}
	if diff := cmp.Diff(written, c); diff != "" {
		t.Error(diff)
	}
}

func TestEditsKeepToWhatIsMeant(t *testing.T) {
	for name, test := range map[string]struct {
		from func(*corev1.Container)
		do   func(*corev1.Container) bool
		did  bool
		want func(*corev1.Container)
	}{
		"a request that is not the limit stays": {
			func(c *corev1.Container) {
				c.Resources.Limits = corev1.ResourceList{"cpu": resource.MustParse("1"), "memory": resource.MustParse("1Gi")}
				c.Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse("1000m"),
					"memory": resource.MustParse("512Mi")}
			}, dropDefaultedRequests, true, func(c *corev1.Container) {
				c.Resources.Limits = corev1.ResourceList{"cpu": resource.MustParse("1"), "memory": resource.MustParse("1Gi")}
				c.Resources.Requests = corev1.ResourceList{"memory": resource.MustParse("512Mi")}
			},
		},
		"a number that is no default stays": {
			func(c *corev1.Container) {
				c.StartupProbe = &corev1.Probe{TimeoutSeconds: 1, PeriodSeconds: 5, FailureThreshold: 3}
			}, filled("", probeDefaults)[0].do, true,
			func(c *corev1.Container) { c.StartupProbe = &corev1.Probe{PeriodSeconds: 5} },
		},
		"another protocol stays": {
			func(c *corev1.Container) { c.Ports = []corev1.ContainerPort{{Protocol: "UDP"}} },
			filled("", portProtocols)[0].do, false,
			func(c *corev1.Container) { c.Ports = []corev1.ContainerPort{{Protocol: "UDP"}} },
		},
		"the token's mount goes, the others stay": {
			func(c *corev1.Container) {
				c.VolumeMounts = []corev1.VolumeMount{{MountPath: "/a"}, {MountPath: tokenPath}, {MountPath: "/b"}}
			}, dropToken, true, func(c *corev1.Container) {
				c.VolumeMounts = []corev1.VolumeMount{{MountPath: "/a"}, {MountPath: "/b"}}
			},
		},
		"the only mount leaves no list": {
			func(c *corev1.Container) { c.VolumeMounts = []corev1.VolumeMount{{MountPath: tokenPath}} },
			dropToken, true, func(*corev1.Container) {},
		},
		"variables of one kind go": {
			func(c *corev1.Container) {
				c.Env = []corev1.EnvVar{{Name: "AWS_A"}, {Name: "MY_AWS_B"}, {Name: "AWS_C"}}
			}, dropEnvOf("AWS_"), true,
			func(c *corev1.Container) { c.Env = []corev1.EnvVar{{Name: "MY_AWS_B"}} },
		},
		"a variable that is not there": {func(*corev1.Container) {}, dropEnv(3), false, func(*corev1.Container) {}},
		"a mount that is not there":    {func(*corev1.Container) {}, dropMount(0), false, func(*corev1.Container) {}},
		"a policy for what is limited": {
			func(c *corev1.Container) {
				c.Resources.Limits = corev1.ResourceList{"memory": resource.MustParse("1Gi")}
			}, hash.PutResizePolicy(false), true,
			func(c *corev1.Container) {
				c.Resources.Limits = corev1.ResourceList{"memory": resource.MustParse("1Gi")}
				c.ResizePolicy = []corev1.ContainerResizePolicy{{ResourceName: "memory", RestartPolicy: "NotRequired"}}
			},
		},
		"no policy where nothing is limited": {func(*corev1.Container) {}, hash.PutResizePolicy(false),
			false, func(*corev1.Container) {}},
	} {
		t.Run(name, func(t *testing.T) {
			got, want := bare(), bare()
			test.from(got)
			test.want(want)
			if did := test.do(got); did != test.did {
				t.Errorf("changed: %t", did)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestListsOfManyAreTriedUpToABound(t *testing.T) {
	c := bare()
	for i := range 3 * maxEnv {
		c.Env = append(c.Env, corev1.EnvVar{Name: fmt.Sprint("V", i)})
		c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{MountPath: fmt.Sprint("/m", i)})
	}
	env, mounts := 0, 0
	for _, e := range edits(c) {
		if strings.HasPrefix(e.field, "env[") && e.field != "env[].valueFrom.fieldRef.apiVersion" {
			env++
		}
		if strings.HasPrefix(e.field, "volumeMounts[") {
			mounts++
		}
	}
	if env != maxEnv || mounts != maxMounts {
		t.Errorf("%d variables and %d mounts", env, mounts)
	}
}
