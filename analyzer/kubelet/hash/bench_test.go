package hash

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// benchContainer has the size of a typical workload's container: about 1 KB of JSON.
func benchContainer() *corev1.Container {
	c := baseContainer()
	for _, name := range []string{"HOST", "PORT", "LEVEL", "REGION", "ZONE", "TOKEN_FILE"} {
		c.Env = append(c.Env, corev1.EnvVar{Name: name, Value: "some-value-of-" + name})
	}
	c.Resources.Requests = corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("128Mi"),
	}
	c.ReadinessProbe = c.LivenessProbe.DeepCopy()
	c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: "data", MountPath: "/data"})
	c.TerminationMessagePath, c.TerminationMessagePolicy, c.ImagePullPolicy = "/dev/termination-log", "File", "Always"
	return c
}

func BenchmarkHash(b *testing.B) {
	c := benchContainer()
	newer := c.DeepCopy()
	newer.SecurityContext.SeccompProfile = &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}
	for name, bench := range map[string]struct {
		minor     int
		container *corev1.Container
	}{
		"adler32-struct":       {5, c},
		"fnv32a-struct":        {15, c},
		"json":                 {30, c},
		"json-without-a-field": {18, newer},
		"name-image":           {36, c},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Hash(bench.minor, bench.container); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAll(b *testing.B) {
	c := benchContainer()
	b.ReportAllocs()
	for b.Loop() {
		if len(All(c)) < 4 {
			b.Fatal("want the four eras")
		}
	}
}

// BenchmarkCollect measures collecting the containers of the corpus, each a different one.
func BenchmarkCollect(b *testing.B) {
	containers := corpus(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c := containers[i%len(containers)]
		if len(All(c))+len(AllWithoutResources(c)) < 5 {
			b.Fatal("want the four eras")
		}
	}
}

// BenchmarkDefaulted measures what the variants add to BenchmarkAll.
func BenchmarkDefaulted(b *testing.B) {
	c := benchContainer()
	b.ReportAllocs()
	for b.Loop() {
		if len(Defaulted(c)) == 0 {
			b.Fatal("want a variant")
		}
	}
}
