package main

import "testing"

const (
	containerID = "95494e21a157855ae29d634150decee78f91b0d377acf5c8ca977f32b5071aef"
	stateOf     = `{"Status":"running","Running":true,"OOMKilled":false,"ExitCode":0,"StartedAt":"2026-03-01T09:00:00.3Z",`
	going       = "Name:                      web-5f69cf9d49-tr24p\nNamespace:                 shop\n" +
		"Node:                      n1/10.0.0.1\nStatus:                    Terminating (lasts 10m)\n" +
		"Termination Grace Period:  30s\n"
	deletions = "LAST SEEN   TYPE      REASON             OBJECT          MESSAGE\n" +
		"5m          Normal    Killing            pod/mig-6gptg   Stopping container mig\n" +
		"5m          Normal    Killing            pod/web-bfmqt   Stopping container web\n" +
		"5m          Normal    SuccessfulDelete   daemonset/web   Deleted pod: web-bfmqt\n" +
		"5m          Normal    Killing            pod/gpu-82tf4   Stopping container gpu\n" +
		"5m          Normal    Killing            pod/log-9h2lw   Stopping container log\n"
)

// TestTold is like TestPastes, for texts in which an end is told beside other things: a request, another language, the
// name of something that nobody calls a pod, what became of a node.
func TestTold(t *testing.T) {
	analyzed(t, map[string]paste{
		// a request to the reader, or a doubt, behind what happened
		"an offer": {
			"The pod keeps crash looping, let me know if you need the logs.\n",
			"default/? app-exit-error",
		},
		"others that are healthy": {
			"web-0 segfaults. all other containers are healthy.\n",
			"default/web-0 app-signal",
		},
		"others that run": {
			"web-0 crashed; every other pod is Running\n",
			"default/web-0 unknown",
		},
		"healthy again": {
			"checkout-0 died tonight, now all is healthy again, any idea why?\n",
			"default/checkout-0 unknown",
		},
		"no restart before": {
			"web-0 had 0 restarts yesterday, today it crashed with a panic: nil map\n",
			"default/web-0 app-exit-error",
		},
		"no restart by hand": {
			"No pod was restarted by us. web-0 crashed by itself with a panic.\n",
			"default/web-0 app-exit-error",
		},
		"a stop that took long": {
			"checkout-0: the container did not exit in 30s, so it was killed.\n",
			"default/checkout-0 unknown",
		},
		"a remedy": {
			"pod web-0 exit code 137. I restarted the node to fix it\n",
			"default/web-0 oom-container-limit",
		},
		"a later stop of the node": {
			"web-0 exited with code 137 at 10:00. At 18:00 the node went down for maintenance.\n",
			"default/web-0 oom-container-limit",
		},
		"a runtime as remedy": {
			"web-0 exited with code 137. Restarting docker helped.\n",
			"default/web-0 oom-container-limit",
		},
		"a runtime later": {
			"web-0 exit code 137, then containerd restarted 3 days later\n",
			"default/web-0 oom-container-limit",
		},
		"nodes later": {
			"web-0 exited with 143. We restarted the worker nodes afterwards to apply the kernel update.\n",
			"default/web-0 pod-deleted",
		},
		"no pressure": {
			"web-0 was evicted. memory pressure no. The node was drained.\n",
			"default/web-0 api-evicted",
		},
		"a volume's size": {
			"Pod db-0 crashes, volume cap is 100 GB\n",
			"default/db-0 unknown",
		},
		"a plan for later": {
			"The pod is in CrashLooping state, I am looking for a better way if it is needed.\n",
			"default/? app-exit-error",
		},
		"a doubt": {
			"The pod web-0 was evicted twice today, not sure if it is related to the disk\n",
			"default/web-0 evicted-disk",
		},
		"what can be seen": {
			"As you can see the container app of web-0 was OOMKilled again.\n",
			"default/web-0 oom-container-limit",
		},
		"a rule": {"A pod is OOMKilled if it uses more memory than its limit.\n", ""},
		"a rule in front": {
			"If the liveness probe fails, the pod is restarted, let me know if that is unclear.\n",
			"",
		},
		"what did not help": {
			"The liveness probe fails and the kubelet kills the pod web-0, nothing helps.\n",
			"default/web-0 liveness-probe-failed",
		},
		"a question that tells": {
			"Can anybody tell me why the liveness probe failed and the container of web-0 was killed?\n",
			"default/web-0 liveness-probe-failed",
		},
		"what works elsewhere": {
			"exit status 139, the container of pod web-0 crashes, works fine with docker run\n",
			"default/web-0 app-signal",
		},
		"a name like a wish": {
			"Document db pod is killed because its liveness probe fails.\n",
			"default/? liveness-probe-failed",
		},
		"an offer of help": {"Let me know if the pod is OOMKilled with the new version.\n", ""},
		// other languages
		"a probe in Chinese": {"启动很慢，存活探针失败，Pod 就被 K8s 杀掉了\n", "default/? liveness-probe-failed"},
		"a probe in French": {
			"Le pod postgres-0 redémarre en boucle, tué par la sonde de vivacité.\n",
			"default/postgres-0 liveness-probe-failed",
		},
		"a probe in Korean": {
			"파드가 계속 재시작됩니다. liveness probe 실패 때문에 종료됩니다.\n",
			"default/? liveness-probe-failed",
		},
		"memory in Portuguese": {
			"O pod reinicia o tempo todo por falta de memória no limite.\n",
			"default/? oom-container-limit",
		},
		"an eviction in Chinese":     {"kubelet 把 redis 的 pod 驱逐了，磁盘满了\n", "default/? evicted-disk"},
		"no restart in Chinese":      {"升级之后 Pod 没有重启，一切正常。\n", ""},
		"no failed probe in Chinese": {"Pod 的存活探针没有失败，很健康。\n", ""},
		// the name of something that nobody calls a pod, where no pod is named
		"a sentence's subject": {
			"dex-2 was OOMKilled twice today, limit is 2Gi\n",
			"default/dex-2 oom-container-limit",
		},
		"of one word": {
			"tempo got OOM killed twice today, limit is 2Gi\n",
			"default/tempo oom-container-limit",
		},
		"seen": {
			"increase its memory\nseeing logstash being oom killed when we replay the queue\n",
			"default/logstash oom-container-limit",
		},
		"before pods": {
			"coredns pods are OOMKilled with 170Mi limit when many queries come in\n",
			"default/coredns oom-container-limit",
		},
		"behind a code": {
			"We see exit code 137 on nginx-ingress twice a day, in a pod\n",
			"default/nginx-ingress oom-container-limit",
		},
		"behind memory": {
			"OOM in sentry-worker, the pod has a memory limit of 1Gi\n",
			"default/sentry-worker oom-container-limit",
		},
		"of a log": {
			"This is the log of api-gateway before its container was OOMKilled:\n",
			"default/api-gateway oom-container-limit",
		},
		"two of them": {
			"harbor-core exits with code 3 (container)\nharbor-db was OOMKilled\n",
			"default/harbor-db oom-container-limit",
		},
		"an adjective": {
			"The affected pod was OOMKilled again today at noon.\n",
			"default/? oom-container-limit",
		},
		"memory": {
			"memory is at the limit and the container was OOMKilled\n",
			"default/? oom-container-limit",
		},
		"the namespace of a map": {
			"Getting `CreateContainerConfigError` for web-0: `couldn't find key A in ConfigMap shop/env`\n",
			"shop/web-0 create-error",
		},
		"the namespace of a kernel": {
			"CNI failed to retrieve network namespace path: gone\nweb-7d9f8b6c5-x2k9p: OOMKilled\n",
			"default/web-7d9f8b6c5-x2k9p oom-container-limit",
		},
		// a code without its word
		"a code alone":    {"sentry-worker died: exit 139\n", "default/sentry-worker app-signal"},
		"in parentheses":  {"es-data-2 (exit 137)\n", "default/es-data-2 oom-container-limit"},
		"of a pod":        {"the app-1 pod: exit 137\n", "default/app-1 oom-container-limit"},
		"behind the verb": {"The container of web-0 exits 137 after an hour\n", "default/web-0 oom-container-limit"},
		"of a script":     {"if ! kubectl get pods; then exit 137; fi\n", ""},
		"that is wanted":  {"The hook of the pod should exit 143 when it is stopped.\n", ""},
		"of another kind": {"The pod runs at exit 12 of the motorway.\n", ""},
		// a node that is gone
		"with its node": {
			"The pod cart-0 is gone with its node, so I have no log of it.\n",
			"default/cart-0 pod-deleted",
		},
		"with its machine": {
			"redis-master (namespace shop) vanished with its VM; the scale set is ours.\n",
			"shop/redis-master pod-deleted",
		},
		"a node without loss": {"The node was replaced on Monday, all pods run.\n", ""},
		"the pressure of one": {
			"The pod evicted due to node resource pressure was replaced and went on\n",
			"default/? unknown",
		},
		"a pod that has to go": {going, "shop/web-5f69cf9d49-tr24p pod-deleted"},
		"the same, running": {going + "Containers:\n  web:\n    State:          Running\n" +
			"      Started:      Sun, 01 Mar 2026 09:30:01 +0000\n    Ready:          True\n    Restart Count:  0\n",
			"shop/web-5f69cf9d49-tr24p pod-deleted"},
		"a claim that has to go": {
			"Name:          data\nNamespace:     shop\nStatus:        Terminating (lasts 10m)\n",
			"",
		},
		"a deletion that fails": {deletions + "5m          Warning   FailedKillPod      pod/web-bfmqt   error killing pod: " +
			"failed to \"KillContainer\" for \"web\" with KillContainerError\n", "default/web-bfmqt pod-deleted"},
		// runtimes
		"an event of docker": {"2026-03-01T09:00:00.1Z container die " + containerID +
			" (execDuration=29, exitCode=139, image=mongo:8.0, name=db)\n",
			"default/db app-signal"},
		"an event of docker among others": {"It ends again and again:\n```\n$ docker events\n" +
			"2026-03-01T08:00:00.1+07:00 container start " + containerID + " (image=mongo:8.0, name=db)\n" +
			"2026-03-01T08:00:29.9+07:00 container die " + containerID + " (exitCode=139, image=mongo:8.0, name=db)\n" +
			"2026-03-01T08:00:30.2+07:00 container start " + containerID + " (image=mongo:8.0, name=db)\n```\n" +
			"```\n$ docker inspect db --format '{{json .State}}'\n" + stateOf + `"FinishedAt":"2026-03-01T01:00:29.88Z"}` +
			"\n```\n", "default/db app-signal"},
		"an event of podman": {"2026-03-01 09:00:00.123 +0000 UTC container died " + containerID +
			" (image=docker.io/library/mongo:8.0, name=db, containerExitCode=139)\n",
			"default/db app-signal"},
		"an inspected container that runs": {"$ docker inspect db --format '{{json .State}}'\n" +
			stateOf + `"FinishedAt":"2026-03-01T09:00:00.1Z"}` + "\n",
			"default/db unknown"},
		"one that never ended": {"$ docker inspect db --format '{{json .State}}'\n" +
			stateOf + `"FinishedAt":"0001-01-01T00:00:00Z"}` + "\n", ""},
		"words beside a row of what waits": {"Go operator fails to start: permission denied\n\n$ kubectl get pods -n shop\n" +
			"NAME     READY   STATUS                 RESTARTS   AGE\nweb-0    1/2     CreateContainerError   0          2m32s\n",
			"shop/web-0 create-error"},
		"a network that is taken down": {"Dec 07 10:30:44 n1 kubelet[1209]: E1207 10:30:44.079367    1209 " +
			`remote_runtime.go:115] StopPodSandbox "` + containerID + `" from runtime service failed: rpc error: ` +
			`code = Unknown desc = NetworkPlugin cni failed to teardown pod ` +
			`"dns-545bc4bfd4-bskll_kube-system" network: failed to find plugin "portmap" in path [/opt/cni/bin]` + "\n",
			"kube-system/dns-545bc4bfd4-bskll pod-deleted"},
		"a sandbox in a title": {"shop/web-0: failed create pod sandbox\n", "shop/web-0 create-error"},
	})
}
