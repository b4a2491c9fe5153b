package cli

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

// A few lines that somebody cut out of logs tell whose end it was and what is known of it.
func TestAFewLinesTellOfAnEnd(t *testing.T) {
	const (
		uid     = "6e3ae2a1-9c0a-4f43-bb0c-1b7a3a7a61f4"
		id      = "ebabb3f387d777eb91cb543972f11c9d9af557b6b07c2c3654231b973915fc18"
		other   = "0babb3f387d777eb91cb543972f11c9d9af557b6b07c2c3654231b973915fc18"
		hidden  = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
		kubelet = "Mar 05 10:00:09 n1 kubelet[90]: I0305 10:00:09.100000      90 "
		kernel  = "Mar 05 10:00:08 n1 kernel: "
		runtime = `time="2026-03-05T10:00:09.1Z" level=info msg=`
		died    = kubelet + `kubelet.go:2447] "SyncLoop (PLEG): event for pod" pod="shop/cart-0" ` +
			`event={"ID":"UID","Type":"ContainerDied","Data":"CID"}` + "\n"
		probed = kubelet + `prober.go:107] "Probe failed" probeType="Liveness" pod="shop/cart-0" podUID="UID" ` +
			`containerName="app" probeResult="failure" output="HTTP probe failed with statuscode: 503"` + "\n"
		memcg = "/kubepods/burstable/podUID/CID"
		oom   = kernel + "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg=" + memcg +
			",task_memcg=" + memcg + ",task=java,pid=3,uid=0\n"
		waits = kubelet + `pod_workers.go:1298] "Error syncing pod, skipping" err="failed to ` +
			`\"StartContainer\" for \"app\" with CrashLoopBackOff: \"back-off 10s restarting failed ` +
			`container=app pod=cart-0_shop(UID)\"" ` +
			`pod="shop/cart-0" podUID="UID"` + "\n"
		dead = kubelet + "kuberuntime_manager.go:514] Container {Name:app Image:cart:1 Command:[]} is dead, but " +
			"RestartPolicy says that we should restart it.\n"
		swapped = kubelet + `kubelet.go:2419] "SyncLoop REMOVE" source="file" pods=["kube-system/etcd-n1"]` + "\n" +
			kubelet + `kuberuntime_container.go:808] "Killing container with a grace period" pod="kube-system/etcd-n1" ` +
			`podUID="6e3ae2a19c0a4f43bb0c1b7a3a7a61f4" containerName="etcd" ` +
			`containerID="containerd://` + id + `" gracePeriod=30` + "\n"
		added   = kubelet + `kubelet.go:2409] "SyncLoop ADD" source="file" pods=["kube-system/etcd-n1"]` + "\n"
		created = runtime + `"CreateContainer within sandbox \"` + other +
			`\" for &ContainerMetadata{Name:app,Attempt:0,} returns container id \"` + id + `\""` + "\n"
		lost    = runtime + `"shim disconnected" id=` + id + "\n"
		evicted = "W0305 10:00:08.1  90 eviction_manager.go:295] eviction manager: attempting to reclaim memory\n" +
			"I0305 10:00:08.1  90 eviction_manager.go:306] eviction manager: must evict pod(s) to reclaim memory\n" +
			"I0305 10:00:09.1  90 eviction_manager.go:346] eviction manager: pods cart-0_shop(" + uid +
			") evicted, waiting for pod to be cleaned up\n"
		list  = "NAME     READY   STATUS    RESTARTS   AGE\n"
		cart  = "cart-0   1/1     Running   4          3h\n"
		web   = "web-0    1/1     Running   1          3h\n"
		dmesg = "[Thu Mar  5 10:00:09 2026] "
	)
	ids := strings.NewReplacer("UID", uid, "CID", id).Replace
	masks := strings.NewReplacer("UID", hidden, "CID", "<redacted>").Replace
	for name, test := range map[string]struct{ text, want string }{
		"one id that ended is a container's": {ids(died + probed), "shop/cart-0/app liveness-probe-failed possible"},
		"a line names a container and not its pod": {ids(oom+died) + dead,
			"shop/cart-0/app oom-container-limit likely"},
		"hidden ids are of nobody": {masks(oom + died + waits), "shop/cart-0/app oom-container-limit possible"},
		"hidden ids of two pods": {masks(probed + died + strings.ReplaceAll(died, "cart-0", "web-0")),
			"shop/web-0/? unknown unknown,shop/cart-0/app liveness-probe-failed possible"},
		"another pod in the manifest": {swapped + added, "kube-system/etcd-n1/etcd static-pod-changed likely"},
		"none in the manifest":        {swapped, "kube-system/etcd-n1/etcd static-pod-removed likely"},
		"evicted, and cut there":      {evicted, "shop/cart-0/ evicted-memory likely"},
		"the namespace in words": {created + lost + "this is pod cart-0 in namespace shop\n",
			"shop/cart-0/app unknown unknown"},
		"the namespace in a table": {created + lost + "NAMESPACE   NAME     READY   STATUS    RESTARTS   AGE\n" +
			"shop        cart-0   0/1     Running   0          17m\n", "shop/cart-0/app unknown unknown"},
		"a controller's records": {`2026-03-05T10:00:09.080Z	{"message":"disrupting node(s)","controller":"disruption",` +
			`"decision":"replace","pod-count":9,"disrupted-nodes":[{"NodeClaim":{"name":"on-demand-jn2bk"}}]}` + "\n",
			"default/?/ api-evicted possible"},
		"the level of talosctl's lines is aligned": {"10.5.0.3: kern:    info: [2026-03-05T10:00:09.1Z]: " +
			strings.TrimPrefix(ids(oom), kernel), "/" + uid + "/" + id[:12] + " oom-container-limit likely"},
		"a machine is no pod": {"box-3: user: warning: [2026-03-05T10:00:09.1Z]: [talos] service[cri](Waiting): " +
			"Error running Process([\"/bin/containerd\"]), going to restart forever: signal: segmentation fault\n",
			"default/?/? runtime-restarted possible"},
		"codes by the names of containers": {"WARNING: Error in provisioning; slave=KubernetesSlave name: jnlp-l80z4, " +
			"template=x\nIllegalStateException: Containers are terminated with exit codes: {jnlp=127}\n",
			"default/jnlp-l80z4/jnlp app-exit-error possible"},
		"a runtime beside a question": {"why were the pods of one worker restarted?\n$ systemctl status containerd\n" +
			"● containerd.service - containerd container runtime\n     Active: active (running) since Thu 2026-03-05 10:00:11 " +
			"UTC; 40min ago\n", "default/?/? runtime-restarted possible"},
		"a table without sandboxes": {"==> container status <==\nCONTAINER ID   IMAGE          CREATED          " +
			"STATE    NAME      ATTEMPT\n9dd19c3e20af0  sha256:6f7f2d  27 minutes ago   Exited   dnsmasq   1\n",
			"default/?/dnsmasq unknown unknown"},
		"two drivers of cgroups": {"$ crictl info | grep -i cgroup\n            \"SystemdCgroup\": false\n" +
			"$ grep cgroupDriver /var/lib/kubelet/config.yaml\ncgroupDriver: systemd\n$ crictl ps -a | grep etcd\n" +
			"9dd19c3e20af0   004811815584   About a minute ago   Exited   etcd   9   0dd19c3e20af0   etcd-cp1\n",
			"kube-system/etcd-cp1/etcd cgroup-driver-mismatch possible"},
		"a record of the kernel and a row": {"9dd19c3e20af0   2e96e5913fc06   12 minutes ago   Exited   app   3   " +
			"0dd19c3e20af0   cart-0   shop\n" + strings.ReplaceAll("[Thu Mar  5 10:00:09 2026] "+
			strings.TrimPrefix(ids(oom), kernel), id, "9dd19c3e20af0"+id[13:]), "shop/cart-0/app oom-container-limit likely"},
		"the runtime itself was killed": {kernel + "Out of memory: Killed process 700 (containerd) total-vm:3kB, anon-rss:9kB\n" +
			"Mar 05 10:00:09 n1 systemd[1]: containerd.service: Failed with result 'oom-kill'.\nall pods restarted\n",
			"default/?/? runtime-restarted possible"},
		"a child ended by signal 9": {"kubectl logs -n shop cart-0 -c app\n[88] LOG:  server process (PID 77) was terminated by " +
			"signal 9: Killed\n", "shop/cart-0/app oom-child-process possible"},
		"a logger that ends its process, of one pod": {"Pod: cart-0, Namespace: shop\n" +
			`time="2026-03-05T10:00:09Z" level=fatal msg="cannot list secrets"` + "\n", "shop/cart-0/? app-exit-error possible"},
		"a machine is rebooted": {"2026-03-05T10:00:09Z INFO rebooting node pool-1-abc\n2026-03-05T10:02:09Z INFO node is ready\n" +
			"why have its pods one restart each?\n", "default/?/? node-reboot possible"},
		"a boot beside a question": {"why were all my pods restarted?\n$ journalctl --list-boots\n" +
			"-1 5f3a7c0de1f24bb1a0c2f2b9d6b0b111 Mon 2026-03-02 07:00:01 UTC—Thu 2026-03-05 09:58:41 UTC\n" +
			" 0 91aa7c0de1f24bb1a0c2f2b9d6b0b222 Thu 2026-03-05 09:59:30 UTC—Thu 2026-03-05 14:59:59 UTC\n",
			"default/?/? node-reboot possible"},
		"a machine of which all pods restarted often, and at once": {
			"NAMESPACE     NAME               READY   STATUS    RESTARTS       AGE\n" +
				"kube-system   etcd-n1            1/1     Running   9 (71m ago)    46d\n" +
				"kube-system   kube-proxy-2r8hf   1/1     Running   8 (71m ago)    46d\n" +
				"shop          cart-0             1/1     Running   9 (71m ago)    46d\n",
			"shop/cart-0/? node-reboot possible,kube-system/kube-proxy-2r8hf/? node-reboot possible," +
				"kube-system/etcd-n1/? node-reboot possible"},
		"a pull that failed, by its events": {
			"Warning  Failed   90s (x4 over 3m)  kubelet  Failed to pull image \"app:1\": not found\n" +
				"Warning  BackOff  12s (x6 over 3m)  kubelet  Back-off pulling image \"app:1\"\n",
			"default/?/ create-error possible"},
		"a pull that failed, and then did not": {"Warning  Failed   3m   kubelet  Failed to pull image \"app:1\": not found\n" +
			"Normal   Pulled   90s  kubelet  Successfully pulled image \"app:1\"\nNormal   Created  90s  kubelet  Created container app\n" +
			"Normal   Started  90s  kubelet  Started container app\n", ""},
		"its message alone": {"Back-off pulling image \"app:1\"\n", "default/?/? create-error possible"},
		"a sandbox without its time": {"Warning  FailedCreatePodSandBox  kubelet  Failed to create pod sandbox:\n" +
			"plugin type=\"flannel\" failed (add): no file\n", "default/?/ create-error possible"},
		"hours ago, but all of a machine": {"NAME                     READY   STATUS    RESTARTS      AGE   IP   NODE\n" +
			"etcd-n1                  1/1     Running   5 (18h ago)   21h   10.0.0.1   n1\n" +
			"kube-apiserver-n1        1/1     Running   5 (18h ago)   21h   10.0.0.1   n1\n" +
			"web-977d47767-c6b6j      1/1     Running   5 (18h ago)   21h   10.0.0.2   n1\n" +
			"cart-0                   1/1     Running   4 (18h ago)   21h   10.0.0.3   n1\n",
			"kube-system/kube-apiserver-n1/? node-reboot possible,kube-system/etcd-n1/? node-reboot possible," +
				"default/web-977d47767-c6b6j/? node-reboot possible,default/cart-0/? node-reboot possible"},
		"other kinds right below pods": {"NAME                       READY   STATUS    RESTARTS   AGE\n" +
			"pod/web-5fb9b4d4f7-4pmbl   1/1     Running   2          5m\ndeployment.apps/web   1/1   1   1   5m\n" +
			"kube-system   daemonset.apps/proxy   1   1   1   1   1   <none>   16m\n",
			"default/web-5fb9b4d4f7-4pmbl/? unknown unknown"},
		"a machine without memory beside the only row": {list + cart + dmesg +
			"Out of memory: Kill process 77 (cartd) score 900 or sacrifice child\n",
			"default/cart-0/? oom-node possible"},
		"a cgroup at its limit beside the only row": {list + strings.Replace(cart, "Running", "CrashLoopBackOff", 1) +
			dmesg + "Memory cgroup out of memory: Kill process 77 (java) score 9\n",
			"default/cart-0/? oom-container-limit possible"},
		"a kill beside two rows": {list + cart + web +
			dmesg + "Out of memory: Kill process 77 (java) score 900 or sacrifice child\n",
			"default/web-0/? unknown unknown,default/cart-0/? unknown unknown"},
		"the killed program has the name of one of two": {list + cart + web + dmesg +
			"Out of memory: Kill process 77 (cart) score 900 or sacrifice child\n",
			"default/web-0/? unknown unknown,default/cart-0/? oom-node possible"},
		"a kill of what is no container's": {list + cart + dmesg +
			"Out of memory: Kill process 77 (snapd) score 900 or sacrifice child\n", "default/cart-0/? unknown unknown"},
		"the runtime refuses the other driver's cgroups": {kubelet + `pod_workers.go:191] Error syncing pod u1 ` +
			`("cart-0_shop(u1)"), skipping: failed to "CreatePodSandbox" for "cart-0_shop(u1)" with CreatePodSandboxError: ` +
			`"CreatePodSandbox for pod \"cart-0_shop(u1)\" failed: rpc error: code = Unknown desc = ` +
			`cri-o configured with systemd ` +
			`cgroup manager, but did not receive slice as parent: /kubepods/burstable"` + "\nit is so since we rebooted\n",
			"shop/cart-0/ cgroup-driver-mismatch possible"},
		"two rows that cannot start, and the reason of one": {list + "cart-0   0/1     ErrImagePull   0   3h\n" +
			"web-0    0/1     ErrImagePull   0   3h\n" + strings.ReplaceAll(ids(waits), "CrashLoopBackOff", "ErrImagePull"),
			"shop/web-0/? create-error possible,shop/cart-0/app create-error likely"},
		"a row that counts restarts beside a description that was cut": {list + cart + "\nName:         cart-0\nNamespace:    " +
			"shop\nStatus:       Running\nContainers:\n  app:\n    State:          Running\n    Ready:          True\n",
			"shop/cart-0/? unknown unknown"},
		"a description that shows the row's restart": {list + cart + "\nName:         cart-0\nNamespace:    shop\n" +
			"Status:       Running\nContainers:\n  app:\n    Last State:     Terminated\n      Exit Code:    3\n    Restart Count:  4\n",
			"shop/cart-0/app app-exit-error possible"},
		"a controller's event names the pod that it deleted": {"LAST SEEN   TYPE     REASON             OBJECT             MESSAGE\n" +
			"15m         Normal   SuccessfulDelete   statefulset/cart   delete Pod cart-0 in StatefulSet cart successful\n",
			"default/cart-0/ pod-deleted possible"},
		"the same in the description of a controller": {"Name:           web-6bd4c9d57c\nNamespace:      shop\n" +
			"Replicas:       0 current / 0 desired\nPod Template:\n  Containers:\n   app:\n    Image:  app:1\nEvents:\n" +
			"  Type    Reason            Age   From                   Message\n" +
			"  Normal  SuccessfulDelete  12s   replicaset-controller  Deleted pod: web-6bd4c9d57c-tq7nh\n",
			"shop/web-6bd4c9d57c-tq7nh/ pod-deleted likely"},
		"the same, each row as code": {"The job deletes the pod that I want to read:\n`Normal   SuccessfulCreate   16h   job-controller  " +
			"Created pod: pi-xk6hd`\n`Normal   SuccessfulDelete   16h   job-controller  Deleted pod: pi-xk6hd`\n",
			"default/pi-xk6hd/ pod-deleted possible"},
		"a row as code in a sentence": {"After the upgrade the list has `cart-0   0/1   Error   0   3m27s` and nothing else.\n",
			"default/cart-0/? app-exit-error possible"},
		"a table in Markdown": {"After the upgrade:\n\n| NAMESPACE | NAME | READY | STATUS | RESTARTS | AGE |\n|--|--|--|--|--|--|\n" +
			"| shop | web-0 | 1/1 | Running | 0 | 21d |\n| shop | cart-0 | 0/1 | Init:CrashLoopBackOff | 6 | 8m |\n",
			"shop/cart-0/? init-container-failed possible"},
		"a piece of a description beside the only pod that restarted": {list + cart + "db-0     1/1     Running   0          3h\n\n" +
			"    State:          Running\n    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137\n",
			"default/cart-0/? oom-container-limit possible"},
		"a piece of a description beside two of them": {list + cart + web + "\n    State:          Running\n" +
			"    Last State:     Terminated\n      Reason:       Error\n      Exit Code:    3\n", "default/web-0/? unknown unknown," +
			"default/cart-0/? unknown unknown,default/?/? app-exit-error possible"},
		"its events beside the only pod that waits": {list + strings.Replace(cart, "Running", "CrashLoopBackOff", 1) +
			"db-0     1/1     Running   0          3h\n\nEvents:\n  Type    Reason   Age   From     Message\n" +
			"  Normal  Killing  2m    kubelet  Container app failed startup probe, will be restarted\n",
			"default/cart-0/app startup-probe-failed possible,default/cart-0/app startup-probe-failed likely"},
		"an image that is changed in place, beside the row": {"We update the image in place (app:1 -> app:2), and the pod restarts once.\n" +
			list + strings.Replace(cart, "4 ", "1 ", 1), "default/cart-0/? spec-image-changed possible"},
		"a machine that its cloud takes back": {"Our steps run on spot instances. When the spot instance is evicted, the pod of the step " +
			"is gone with it, and nothing else tells.\n", "default/?/ node-shutdown possible"},
		"a table of a log store in Markdown": {"It gets restarted, newest first:\n\n| @timestamp | reason | involvedObject.name | message |\n" +
			"|---|---|---|---|\n| Mar 5, 2026 @ 10:00:09.000 | Killing | cart-0 | Container app failed liveness probe, will be restarted |\n",
			"default/cart-0/app liveness-probe-failed likely"},
		"a kubelet's words of long ago as code": {"Our pod has issues.\n`Killing container with id docker://app:Container failed liveness " +
			"probe.. Container will be killed and recreated.`\n", "default/?/? liveness-probe-failed possible"},
		"events that name the container, and its later end": {"LAST                   REASON    OBJ                    MSG\n" +
			"2026-03-05T10:00:09Z   Killing   web-7f9c6d5b8-x2l5k   Container app failed liveness probe, will be restarted\n\nnext run:\n" +
			"    Last State:     Terminated\n      Reason:       Error\n      Exit Code:    1\n" +
			"      Started:      Thu, 05 Mar 2026 10:10:00 +0000\n      Finished:     Thu, 05 Mar 2026 10:10:41 +0000\n" +
			"    Restart Count:  6\n",
			"default/web-7f9c6d5b8-x2l5k/app app-exit-error possible"},
		"a runtime that starts": {created + runtime + `"cleaning leaked shim process" id=` + other + "\n" + lost +
			"pod shop/cart-0\n", "shop/cart-0/app runtime-restarted possible"},
	} {
		t.Run(name, func(t *testing.T) {
			env, out, errs := testEnv()
			env.Streams.In = strings.NewReader(test.text)
			code := Run(t.Context(), env, []string{"kubectl-restartwhy", "analyze", "-", "-o", `jsonpath={range .items[*]}` +
				`{.namespace}/{.pod}/{.container} {.verdict.cause} {.verdict.confidence},{end}`})
			if got := strings.TrimSuffix(strings.TrimSpace(out.String()), ","); code != command.ExitDone || got != test.want {
				t.Errorf("%q, want %q (%d, %s)", got, test.want, code, errs)
			}
		})
	}
}
