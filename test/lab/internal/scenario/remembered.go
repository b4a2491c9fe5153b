package scenario

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Remembered returns troubles that a monitoring system has to remember when all else is gone: those of All, and more
// ends that look alike. Actions on a pod wait until it was scraped.
func Remembered() []Scenario {
	all := slices.Concat(All(), ends())
	for i := range all {
		if all[i].Act != nil {
			all[i].Settle = max(all[i].Settle, 45*time.Second)
		}
	}
	return all
}

func ends() []Scenario {
	return []Scenario{
		{
			Name: "exits-one", Restarts: 2, Pod: app(shell("sleep 2; exit 1")),
			Truths: []Truth{{Container: "app", Cause: "app-exit-error", Notes: "the process exits 1 after two seconds"}},
		},
		{
			Name: "lacks-its-program", Restarts: 2, Pod: app(shell("sleep 1; no-such-program")),
			Truths: []Truth{{Container: "app", Cause: "app-exit-error", Notes: "the shell passes on 127"}},
		},
		{
			Name: "aborts", Restarts: 2, Pod: app(shell("sleep 1; sh -c 'kill -ABRT $$$$'; exit $?")),
			Truths: []Truth{{Container: "app", Cause: "app-signal",
				Notes: "a child dies of SIGABRT and process 1 passes on 134"}},
		},
		{
			Name: "told-to-go", Restarts: 2,
			Pod: app(shell("trap 'exit 143' TERM; while :; do sleep 5 & wait $!; done"),
				func(c *corev1.Container) { c.LivenessProbe = execProbe("false") }),
			Truths: []Truth{{Container: "app", Cause: "liveness-probe-failed",
				Notes: "killed for its liveness probe, and exits 143 on SIGTERM"}},
		},
		{
			Name: "late-to-fail", Restarts: 1,
			Pod: app(shell("touch /tmp/well; sleep 40; rm /tmp/well; sleep 1000000"),
				func(c *corev1.Container) {
					c.LivenessProbe = execProbe("test", "-e", "/tmp/well")
					c.LivenessProbe.PeriodSeconds, c.LivenessProbe.FailureThreshold = 5, 3
				}),
			Truths: []Truth{{Container: "app", Cause: "liveness-probe-failed",
				Notes: "well for 40 seconds, then the probe fails three times, 5 seconds apart"}},
		},
		{
			Name: "grows-slowly", Restarts: 1, Pod: func() corev1.PodSpec {
				return corev1.PodSpec{Containers: []corev1.Container{
					container("app", shell("x=12345678; while :; do x=$x$x; sleep 2; done"), limit("32Mi")),
					container("bystander", forever, limit("64Mi")),
				}}
			},
			Truths: []Truth{{Container: "app", Cause: "oom-container-limit",
				Notes: "process 1 doubles its memory again and again until the container's own limit kills it"}},
		},
		{
			Name: "fills-its-volume", Ends: true, Pod: func() corev1.PodSpec {
				size := resource.MustParse("2Mi")
				c := container("app", shell("sleep 40; head -c 8000000 /dev/zero > /scratch/file; sleep 1000000"))
				c.VolumeMounts = []corev1.VolumeMount{{Name: "scratch", MountPath: "/scratch"}}
				return corev1.PodSpec{Containers: []corev1.Container{c}, Volumes: []corev1.Volume{{Name: "scratch",
					VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: &size}}}}}
			},
			Truths: []Truth{{Container: "app", Cause: "evicted-disk", Notes: "an emptyDir grows over its sizeLimit"}},
		},
	}
}
