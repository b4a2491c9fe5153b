package main

import "testing"

// TestRuntimes is like TestPastes, for what container runtimes, systemd and their tables say.
func TestRuntimes(t *testing.T) {
	const (
		id    = "95494e21a157855ae29d634150decee78f91b0d377acf5c8ca977f32b5071aef"
		head  = "CONTAINER ID   IMAGE   COMMAND   CREATED   STATUS   PORTS   NAMES\n"
		web   = `95494e21a157   web:1   "/web"   5 hours ago   `
		db    = `a0b1c2d3e4f5   db:7    "/db"    5 hours ago   `
		agent = `b0b1c2d3e4f5   hk:1    "/hk"    5 hours ago   `
		ofWeb = "   k8s_web_web-0_shop_90efa4a4-6cba-4b48-bda0-a923129ca37e_2\n"
		ofDB  = "   k8s_db_db-0_shop_b6f48cf8-af14-4de1-b2c1-ca19fee545d5_3\n"
		boots = "shop/web-0 node-reboot"
		start = `time="2026-03-01T09:30:01.1Z" level=info msg="starting containerd" version=v1.4.3` + "\n"
		gone  = `time="2026-03-01T09:30:01.2Z" level=warning msg="cleaning up after shim disconnected" ` +
			`id=` + id + " namespace=k8s.io\n"
		ready = `time="2026-03-01T09:30:01.3Z" level=info msg="Start recovering state"` + "\n"
		scope = "Mar 01 09:23:40 n1 systemd[1]: crio-" + id + ".scope: Succeeded.\n"
		made  = `Mar 01 09:22:37 n1 crio[301]: time="2026-03-01 09:22:37.4Z" level=info msg="Created container ` +
			`` + id + ": shop/web-0/web\"\n"
		memory = "2026-03-01T09:11:12.1Z container oom " + id + " (image=web:1, io.kubernetes.container.name=web)\n"
	)
	analyzed(t, map[string]paste{
		"all ended in one minute, one of them lost": {head + web + "Exited (0) 12 minutes ago" + ofWeb +
			db + "Exited (255) 11 minutes ago" + ofDB, boots},
		"ended with the kubelet": {head + web + "Exited (0) 12 minutes ago" + ofWeb +
			db + "Exited (143) 12 minutes ago" + ofDB +
			agent + "Exited (0) 12 minutes ago   kubelet\n", boots},
		"the kubelet came back": {head + web + "Exited (0) 12 minutes ago" + ofWeb +
			db + "Exited (143) 12 minutes ago" + ofDB +
			agent + "Up 11 minutes   kubelet\n", boots},
		"ended at different times": {head + web + "Exited (0) 12 minutes ago" + ofWeb +
			db + "Exited (255) 2 minutes ago" + ofDB +
			agent + "Up 5 hours   kubelet\n", "shop/web-0 app-exit-zero"},
		"a shim was gone when containerd started": {start + gone + ready, "default/? runtime-restarted"},
		"a leaked shim": {start + `time="2026-03-01T09:30:01.2Z" level=warning msg="cleaning leaked shim process" id=` + id +
			" namespace=k8s.io\n", ""},
		"a healthy start of containerd": {start + ready + `time="2026-03-01T09:30:02Z" level=info msg="containerd ` +
			`successfully ` +
			"booted in 0.9s\"\n", ""},
		"memory of one that runs on": {"Docker says this again and again:\n" + memory + "\n" + web + "Up 5 hours" + ofWeb,
			"shop/web-0 oom-child-process"},
		"sandboxes whose files are gone from /run": {"Mar 01 09:30:01 n1 crio[1421]: time=\"2026-03-01 09:30:01.6Z\" " +
			"level=warning " +
			"msg=\"could not restore sandbox " + id + " container " + id + ": open " +
			"/var/run/containers/storage/overlay-containers/" + id +
			"/userdata/config.json: no such file or directory\"\n", "default/? node-reboot"},
		"static pods of the machine in the prompt": {"[root@alder ~]# crictl ps -a\n" +
			"CONTAINER           IMAGE               CREATED             STATE     NAME   ATTEMPT   POD ID\n" +
			"1ee9296e3f132       9c4bbe4fc503f       57 seconds ago      Exited    etcd   4         6acb5a30f81df\n",
			"kube-system/etcd-alder unknown"},
		"a kill by Talos": {"user: warning: [2026-03-01T09:41:07.413Z]: [talos] Sending SIGKILL to cgroup {\"component\": " +
			"\"controller-runtime\", \"controller\": \"runtime.OOMController\", \"cgroup\": " +
			"\"/sys/fs/cgroup/kubepods/burstable/pod04ee84ac-0bb5-40ee-bd08-a37fd81ce18c\"}\n",
			"/04ee84ac-0bb5-40ee-bd08-a37fd81ce18c oom-node"},
		"a word about it": {"`[talos] Sending SIGKILL to cgroup .../kubepods/burstable/pod<uid>` is what we see of our " +
			"pod.\n",
			"default/? oom-node"},
		"the other cgroup driver's form, and less below it": {"pod web-0 of shop:\n" +
			"E0301 09:31:48.448491  384290 kuberuntime_sandbox.go:70] \"Failed to create sandbox for pod\" err=\"rpc " +
			"error: code = Unknown " +
			"desc = OCI runtime create failed: expected cgroupsPath to be of format \\\"slice:prefix:name\\\" for systemd " +
			"cgroups, got " +
			"\\\"/kubepods/burstable/pod57e9\\\" instead: unknown\" pod=\"shop/web-0\"\n", "shop/web-0 cgroup-driver-mismatch"},
		"an error of a creation, and a restart of the pod": {"The pods of our operator are stuck:\n\n" +
			"level=error msg=\"Container creation error: runc create failed: unable to start container process: exec: " +
			"\\\"/app\\\": " +
			"permission denied\"\n\nAfter the pod is restarted it works.\n", "default/? create-error"},
		"a bold message": {"  Warning  Failed  22m (x5 over 24m)  kubelet  **Error: failed to start containerd task " +
			"\"app\": " +
			"hcs::System::CreateProcess app: This version of %1 is not compatible**: unknown\n", "default/? start-error"},
		"a kill for memory beside it": {"dockerd was restarted, and then the container was OOMKilled with 137.\n",
			"default/? oom-container-limit"},
		"a sandbox that is not ready": {"crictl pods shows a sandbox NotReady, the kubelet recreates the pod all the time.\n",
			"default/? sandbox-died"},
		"a container of a kubelet, below a command that names docker": {"root@n1:~# journalctl -u containerd -u docker | tail -1\n" +
			"Mar 01 09:30:01 n1 containerd[8]: time=\"2026-03-01T09:30:01.1Z\" level=error msg=\"CreateContainer within sandbox " +
			"\\\"" + id + "\\\" for &ContainerMetadata{Name:web,Attempt:0,} failed\" error=\"no\"\n", "default/? create-error"},
		"a runtime that panics": {"Mar 01 09:30:01 n1 crio[812]: panic: runtime error: invalid memory address\n",
			"default/? runtime-restarted"},
		"a panic that the runtime tells of": {"Our pod ends with panic: runtime error: invalid memory address, says crio.\n",
			"default/? app-exit-error"},
		"a command is no restart of docker": {"Our pod dies whenever somebody runs `docker restart kubelet` there.\n",
			"default/? unknown"},
	})
}
