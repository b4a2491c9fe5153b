package apiobject

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func podToShow() *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "web-0", Labels: map[string]string{"app": "web"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "x:1", LivenessProbe: &corev1.Probe{}}}},
		Status:     corev1.PodStatus{Message: "fine"},
	}
}

func TestASafePodIsReturnedItself(t *testing.T) {
	p := podToShow()
	if safeObject(p) != p {
		t.Error("a copy was made of a pod that is safe")
	}
}

func TestEveryStringOfAHostilePodIsMadeSafe(t *testing.T) {
	const evil, tamed = "x\x1b[31m", "x^[[31m"
	cases := map[string]struct {
		plant func(*corev1.Pod)
		read  func(*corev1.Pod) string
	}{
		"a name": {func(p *corev1.Pod) { p.Name = evil }, func(p *corev1.Pod) string { return p.Name }},
		"a message": {func(p *corev1.Pod) { p.Status.Message = evil },
			func(p *corev1.Pod) string { return p.Status.Message }},
		"a container": {func(p *corev1.Pod) { p.Spec.Containers[0].Name = evil },
			func(p *corev1.Pod) string { return p.Spec.Containers[0].Name }},
		"a phase, which is a type of its own": {func(p *corev1.Pod) { p.Status.Phase = evil },
			func(p *corev1.Pod) string { return string(p.Status.Phase) }},
		"a label's value": {func(p *corev1.Pod) { p.Labels["app"] = evil },
			func(p *corev1.Pod) string { return p.Labels["app"] }},
		"a label's key": {func(p *corev1.Pod) { p.Labels = map[string]string{evil: "v"} }, func(p *corev1.Pod) string {
			for k := range p.Labels {
				return k
			}
			return ""
		}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := podToShow()
			c.plant(p)
			before := p.DeepCopy()
			if got := c.read(safeObject(p)); got != tamed {
				t.Errorf("shown as %q, want %q", got, tamed)
			}
			if c.read(p) != c.read(before) {
				t.Error("the raw object was changed: a bundle stores it as it came")
			}
		})
	}
}

func BenchmarkSafeObject(b *testing.B) {
	p := podToShow()
	b.ReportAllocs()
	for b.Loop() {
		safeObject(p)
	}
}
