package main

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/test/field/internal/entry"
)

// Who asks why something ended names what happened before it. That leads, as a possibility.
func TestWhatPeopleSayLeads(t *testing.T) {
	for said, want := range map[string]string{
		"The pod web-0 restarted when containerd was restarted on the node.":                        "runtime-restarted",
		"When we restart docker on the host all our pods are killed.":                               "runtime-restarted",
		"After the kubelet upgrade to 1.31 all containers restarted.":                               "hash-kubelet-upgrade",
		"Pods were restarted after we changed the image in the DaemonSet.":                          "spec-image-changed",
		"Pod web-0 died after someone ran kill -9 on nginx.":                                        "killed-externally",
		"pod web-0 is being killed by our chaos monkey every hour":                                  "killed-externally",
		"After hibernating my laptop all minikube pods show 1 restart.":                             "node-reboot",
		"The node went NotReady and the pod web-0 was rescheduled to another node.":                 "taint-evicted",
		"The pods are OOMing after 2 hours.":                                                        "oom-container-limit",
		"The pod restarts again and again, with no OOM and nothing in its logs. Why?":               "unknown",
		"The pod crashes with a segmentation fault on large queries.":                               "app-signal",
		"The container died, postgres says: terminated by signal 7: Bus error":                      "app-signal",
		"The pod dies, the log has: panic: nil pointer [signal SIGSEGV: segmentation violation]":    "app-exit-error",
		"In our pod: [WARNING] Worker with pid 55 was terminated due to signal 9":                   "oom-child-process",
		"The workers in the pod are killed by the OOM killer, the pod itself stays up.":             "oom-child-process",
		"The node of the pods is out of memory, and the kernel kills one after the other.":          "oom-node",
		"Someone runs docker kill on the pod's container and it restarts.":                          "killed-externally",
		"In the pod ffmpeg gets killed with signal 9, the main app survives.":                       "oom-child-process",
		"Pods without limits ate the node's memory; the OOM killer then killed several pods.":       "oom-node",
		"The FFmpeg process in the container is killed by the OOM killer.":                          "oom-child-process",
		"JupyterHub: the notebook kernel dies after it uses too much memory.":                       "oom-child-process",
		"[19202.8] traps: ovs[247] general protection ip:7fb1 sp:7ffe error:0 in libc-2.17.so":      "app-signal",
		"After the k8s node rebooted, the status of the nats pod changed to Completed for ever.":    "node-reboot",
		"Deployed docker pods crash and restart every few minutes.":                                 "unknown",
		"kubelet cgroup driver: cgroupfs is different from docker cgroup driver: systemd":           "cgroup-driver-mismatch",
		"The ScaledJob changes and all existing jobs are immediately deleted, with their pods.":     "pod-deleted",
		"Container git-sync was OOMKilled.":                                                         "oom-container-limit",
		"Our node's kernel died (panic on OOM) and all the pods on it restarted.":                   "oom-node",
		"My container is killed with exit code 137 all the time. We rebooted the node twice.":       "oom-container-limit",
		"The cluster autoscaler evicts our pods each night, thanks in advance for any idea.":        "api-evicted",
		"Argo CD deletes the pods and recreates them, is there a way to prevent this?":              "pod-deleted",
		"The pod is evicted because of DiskPressure, I pruned all images, no change.":               "evicted-disk",
		"Our etcd pod loses its leader and exits because of a slow disk.":                           "app-exit-error",
		"Our thanos-store eats all RAM until it hits the 4G we gave it, then kube kills it.":        "oom-container-limit",
		"Prometheus server keeps running out of memory and being killed (limit 2Gi).":               "oom-container-limit",
		"The operator pod lost its lease while the API server was slow, and so it exited.":          "app-exit-error",
		"The controller pod panics with \"entry in nil map\" at each object, and hence restarts.":   "app-exit-error",
		"node-exporter crashes: listen tcp 0.0.0.0:9100: bind: address already in use.":             "app-exit-error",
		"Upgrading containerd restarted the service, and every pod on the host was recreated.":      "runtime-restarted",
		"Pods of the node are in Evicted state, hundreds. The node had DiskPressure.":               "evicted-disk",
		"The root partition ran full, and the kubelet began to evict everything.":                   "evicted-disk",
		"I unplugged the worker. After 5 minutes its pods were evicted (NoExecute taint).":          "taint-evicted",
		"My workflow's step failed with message \"pod deleted\", I have not deleted any.":           "pod-deleted",
		"The chart's init step crashes, chown is not allowed; the main container is not started.":   "init-container-failed",
		"The autoscaler is deleting nodes under our fresh driver pods, so these jobs fail.":         "api-evicted",
		"Pod cainjector has 120 restarts: etcd is slow, so it can't renew its lease and bails out.": "app-exit-error",
		"/var was 100% full, so the kubelet kicked our pods out.":                                   "evicted-disk",
		"kubectl get pods shows dozens of Evicted. The disk of the node is full.":                   "evicted-disk",
		"System OOM on the node, the victim process was java of an unlimited pod.":                  "oom-node",
		"A sidecar of the pod is getting killed for using more than 128Mi.":                         "oom-container-limit",
		"crio.service crashed and systemd restarted it; afterwards all pods were recreated.":        "runtime-restarted",
		"dockerd panicked overnight: all containers of the node were restarted by the kubelet.":     "runtime-restarted",
		"The pods flap constantly. The cgroup driver of kubelet is systemd, containerd's cgroupfs.": "cgroup-driver-mismatch",
		"UnexpectedAdmissionError: Allocate failed. After a reboot of the node many such pods.":     "admission-rejected",
		"The pod restarts each night. docker kill works fine elsewhere.":                            "unknown",
		"The pod restarts each night. We use Falco to audit it.":                                    "unknown",
		"The pod restarts at random. Nobody ran docker kill, containerd was never restarted.":       "unknown",
	} {
		e := &entry.Entry{Name: said, Files: map[string][]byte{"question.txt": []byte(said + "\n")}}
		r, err := e.Report()
		if err != nil || len(r.Items) != 1 {
			t.Errorf("%s: %v, %d items", said, err, len(r.Items))
			continue
		}
		if v := r.Items[0].Verdict; v.Cause != want ||
			v.Confidence != report.Possible && v.Confidence != report.Unknown {
			t.Errorf("%s: %s (%s), want %s", said, v.Cause, v.Confidence, want)
		}
	}
}
