package main

import "testing"

// TestNodes is like TestPastes, for what the tools of a node show, and for words beside it.
func TestNodes(t *testing.T) {
	const (
		boxes = "POD ID         CREATED         STATE     NAME    NAMESPACE   ATTEMPT   RUNTIME\n"
		newer = "95494e21a157   4 minutes ago   Ready     web-0   shop        3         (default)\n"
		older = "a0b1c2d3e4f5   2 days ago      NotReady  web-0   shop        2         (default)\n"
		first = "b0b1c2d3e4f5   2 days ago      Ready     db-0    shop        0         (default)\n"
		rows  = "```\nCONTAINER      IMAGE          CREATED         STATE     NAME   ATTEMPT   POD ID         POD\n" +
			"c0b1c2d3e4f5   0d41f2ea8dfa1  2 minutes ago   Exited    web    0         95494e21a157   web-0\n```\n"
		died = "Mar 01 09:23:40 n1 kubelet[801]: I0301 09:23:40.120201     801 kubelet.go:2430] \"SyncLoop (PLEG): event " +
			"for pod\" pod=\"shop/web-0\" event={\"ID\":\"90efa4a4-6cba-4b48-bda0-a923129ca37e\",\"Type\":\"ContainerDied\"," +
			"\"Data\":\"95494e21a157855ae29d634150decee78f91b0d377acf5c8ca977f32b5071aef\"}\n"
		boots  = "default/? node-reboot"
		driver = "Solved: `SystemdCgroup = true` was missing, so the pods run for a minute and exit, again and again.\n\n"
		long   = "95494e21a157855ae29d634150decee78f91b0d377acf5c8ca977f32b5071aef"
		second = "```\nd0b1c2d3e4f5   0d41f2ea8dfa1  2 minutes ago   Exited   proxy   0         95494e21a157   web-0\n```\n"
		other  = "```\nd0b1c2d3e4f5   0d41f2ea8dfa1  2 minutes ago   Exited   db    0         a5494e21a157   db-0\n```\n"
		memory = "\n```\n# crictl inspect c0b1c2d3e4f5 | grep -E 'exitCode|reason'\n    \"exitCode\": 137,\n" +
			"    \"reason\": \"OOMKilled\",\n```\n"
		conflict = "Aug 02 10:01:03 n1 kubelet[1024]: E0802 10:01:03.693228    1024 kuberuntime_sandbox.go:72] \"Failed to " +
			"create sandbox for pod\" err=\"rpc error: code = Unknown desc = Conflict. The name " +
			"\\\"k8s_POD_web-0_shop_90efa4a4-6cba-4b48-bda0-a923129ca37e_0\\\" is already in use by sandbox " + long + ". You " +
			"have to remove that sandbox to be able to reuse that name.\" pod=\"shop/web-0\"\n"
		containerd = "Feb 07 20:27:50 n1 containerd[811]: time=\"2026-02-07T20:27:50.012645877Z\" "
		unmade     = containerd + "level=error msg=\"RunPodSandbox for &PodSandboxMetadata{Name:web-0,Uid:90efa4a4-6cba-4b48-" +
			"bda0-a923129ca37e,Namespace:shop,Attempt:0,} failed, error\" error=\"failed to mount rootfs component\"\n"
		made = containerd + "level=info msg=\"CreateContainer within sandbox \\\"75494e21a157855ae29d634150decee78f91b0d377a" +
			"cf5c8ca977f32b5071aef\\\" for &ContainerMetadata{Name:db,Attempt:1,} returns container id \\\"" + long + "\\\"\"\n"
		gone  = containerd + "level=info msg=\"shim disconnected\" id=" + long + " namespace=k8s.io\n"
		fault = "[Thu Feb  6 10:19:17 2025] api[3853434]: segfault at 7f936c900000 ip 000000000040cd6e sp 00007f93829fa898 " +
			"error 4 in api[400000+3e000]\n"
		sequence = "10.2.1.1: user: warning: [2026-02-27T08:10:41.241321115Z]: [talos] shutdown via API received. actor id: " +
			"fa87da23-6138-463e-a186-ff352f59ab56\n10.2.1.1: user: warning: [2026-02-27T08:10:41.241352115Z]: [talos] " +
			"shutdown sequence: 11 phase(s)\n"
		panicked = "[214307.915528] INFO: task containerd-shim:264 blocked for more than 122 seconds.\n" +
			"[214308.012207] Kernel panic - not syncing: hung_task: blocked tasks\n"
	)
	analyzed(t, map[string]paste{
		"a sandbox that is not the first":   {boxes + newer + older, "shop/web-0 node-reboot"},
		"the first sandbox, and a dead one": {boxes + first + older, ""},
		"sar":                               {"03:40:01 AM   4   2231\n\n03:47:12 AM  LINUX RESTART  (16 CPU)\n", boots},
		"auditd":                            {"type=SYSTEM_BOOT msg=audit(1736900402.010:6): pid=702 uid=0\n", boots},
		"a board":                           {"4b | 05/22/2025 | 02:13 | System Boot Initiated #0xe0 | Asserted\n", boots},
		"a cloud":                           {`{"Code":"system-reboot","State":"completed"}` + "\n", boots},
		"a hot machine": {"Jul 20 14:00:11 n1 kernel: reboot: HARDWARE PROTECTION shutdown (too high)\n",
			boots},
		"words of a driver beside rows": {driver + rows, "default/web-0 cgroup-driver-mismatch"},
		"rows without words":            {rows, "default/web-0 unknown"},
		"a code beside a row":           {"It exits with code 3.\n\n" + rows, "default/web-0 app-exit-error"},
		"a code beside rows of others":  {"The api-0 pod exits with code 3.\n\n" + rows, "default/api-0 app-exit-error"},
		"words of one of two containers": {"Pod web-0 exits with code 3.\n\n" + rows + second,
			"default/web-0 unknown"},
		"a command beside rows": {"~ # crictl stop c0b1c2d3e4f5\n" + rows, "default/web-0 killed-externally"},
		"a restart of the runtime beside it": {"After `systemctl restart containerd` all is gone:\n\n" + died,
			"shop/web-0 runtime-restarted"},
		"an end without words": {died, "shop/web-0 unknown"},
		"a task of the kernel is no pod": {"INFO: task jbd2/sda1-8:264 blocked for more than 122 seconds.\n" +
			"The node rebooted.\n", boots},
		"a filter behind docker inspect": {"$ docker inspect 95494e21a157 | jq .[0].State\n" +
			"{\"Status\":\"exited\",\"ExitCode\":3}\n", "default/? app-exit-error"},
		"the pod in which one looks at nodes": {"Creating debugging pod node-debugger-n1-kx7rf with container debugger " +
			"on node n1.\nThe node rebooted.\n", boots},
		"a kill for memory beside a row":    {rows + memory, "default/web-0 oom-container-limit"},
		"a kill for memory beside two rows": {rows + other + memory, "default/web-0 unknown"},
		"containerd's tasks":                {long + "    0          STOPPED\n", "default/? unknown"},
		"tasks that run":                    {long + "    9120       RUNNING\n", ""},
		"runc's list": {long + "   0           stopped     /run/containerd/x   2025-02-01\n",
			"default/? unknown"},
		"what docker was told to print": {"/k8s_web_web-0_shop_90efa4a4-6cba-4b48-bda0-a923129ca37e_2 3 false\n",
			"shop/web-0 app-exit-error"},
		"pods that wait behind a panic":                           {panicked + "\nSome pods stay in ContainerCreating since.\n", boots},
		"a runtime's advice":                                      {conflict, "shop/web-0 create-error"},
		"a sandbox that only the runtime tells of, beside an end": {unmade + made + gone, "shop/web-0 create-error"},
		"a fault beside a complaint": {"Our pod restarts again and again.\n\n```\n" + fault + "```\n",
			"default/? app-signal"},
		"Talos goes down": {sequence, boots},
		"an Error beside a node that went down": {"The node went down for a while, and the pod is in Error " +
			"state since.\n", boots},
		"a swarm's agent": {"\"Err\": \"task: non-zero exit (137): dockerexec: unhealthy container\",\n" +
			"My container never boots up.\n", "default/? liveness-probe-failed"},
		"a kill that was none for memory": {"The container exits with code 137 but OOMKilled is false.\n",
			"default/? killed-externally"},
		"a kill that may be for memory": {"I have never seen such an OOM before: exit code 137, memory limit exceeded in my container\n",
			"default/? oom-container-limit"},
		"a question for a kill for memory": {"Is it not an OOM? My container has exit code 137.\n",
			"default/? oom-container-limit"},
		"a volume that is only late": {"LAST SEEN   TYPE      REASON        OBJECT      MESSAGE\n5m          Warning   FailedMount   " +
			"pod/web-0   MountVolume.SetUp failed for volume \"a\" : failed to sync configmap cache: timed out\n",
			"default/web-0 create-error"},
		"a node that was low on anything": {"web-0 evicted: The node was low on compute resources.\n",
			"default/web-0 evicted-memory"},
		"a pod whose node it may not be on": {"After a restart of the node the pod is stuck in `TaintToleration` state.\n",
			"default/? admission-rejected"},
		"a row without a name": {"36b961f1d7f2  mysql:8  \"entrypoint\"  5 minutes ago  Exited (1) 3 minutes ago\n",
			"default/? app-exit-error"},
		"a sentence about a status": {"When I look at it I see a container in Exited (2) status.\n",
			"default/? app-exit-error"},
		"a host that restarts of itself":   {"100 containers run on it, but the physical host suddenly restarts.\n", boots},
		"hosts that restart of themselves": {"Our hosts restart by themselves, and all containers with them.\n", boots},
		"machines that crash":              {"Our worker nodes crash randomly, and the pods restart.\n", boots},
		"the size of machines": {"All pods restart at times. Nodes with 384G of memory run more than 90 pods.\n",
			"default/? unknown"},
		"a record of a system call": {"The kernel panicked and the machine rebooted, with all containers.\n\n" +
			"type=SYSCALL msg=audit(1678147246.635:233): arch=c000003e syscall=170 exit=0 comm=\"runc\"\n", boots},
		"containers without names": {"Both containers show Exited (255) after the VM was restarted.\n", boots},
		"processes beside it": {"The container is killed each time. Other worker processes run, but they exit cleanly.\n",
			"default/? unknown"},
		"a runtime that acts": {"dockerd is trying to kill the api container\n", "default/api unknown"},
		"pods that wait":      {"Some pods stay in ContainerCreating.\n", "default/? create-error"},
	})
}
