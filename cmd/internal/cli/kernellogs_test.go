package cli

import (
	"fmt"
	"strings"
	"testing"
)

const (
	killedPod = "16a32d29-24eb-4a75-84ed-4c4c71e507a7"
	killedID  = "cf42f657e760afb07f48065661d92833d97006f3d1b547bf955064fc4bcb305e"
)

// kernelKill are the kernel's words of a kill, with its time in front of each.
func kernelKill(stamp string, messages ...string) string {
	return stamp + strings.Join(messages, "\n"+stamp) + "\n"
}

func TestAKernelsLogAloneTellsADeath(t *testing.T) {
	record := func(memcg string) []string {
		return []string{"java invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999",
			"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg=" +
				memcg + ",task_memcg=" + memcg + ",task=java,pid=321,uid=0",
			"Memory cgroup out of memory: Killed process 321 (java) total-vm:26048kB, anon-rss:23936kB, file-rss:1264kB"}
	}
	slices := "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" +
		strings.ReplaceAll(killedPod, "-", "_") + ".slice/"
	files := "/kubepods/burstable/pod" + killedPod + "/" + killedID
	const dated, plain, syslog = "[Sun Dec 15 23:40:19 2019] ", "[ 1234.567890] ",
		"2019-12-15T23:40:19.123456+0000 n1 kernel: "
	for _, c := range []struct{ name, log, cause string }{
		{"cgroupfs, dmesg -T", kernelKill(dated, record(files)...), "oom-container-limit"},
		{"cgroupfs, dmesg", kernelKill(plain, record(files)...), "oom-container-limit"},
		{"kmsg", kernelKill("6,12,345678,-;", record(files)...), "oom-container-limit"},
		{"systemd and containerd, journalctl -k", kernelKill(syslog, record(slices+"cri-containerd-"+killedID+".scope")...),
			"oom-container-limit"},
		{"systemd and CRI-O", kernelKill(dated, record(slices+"crio-"+killedID+".scope")...), "oom-container-limit"},
		{"systemd and Docker", kernelKill(dated, record(slices+"docker-"+killedID+".scope")...), "oom-container-limit"},
		{"from its boot on, dmesg -T", kernelKill("[Sun Dec 15 23:39:09 2019] ", "Linux version 5.4.0") +
			kernelKill(dated, record(files)...), "oom-container-limit"},
		{"before 5.0", kernelKill(syslog, "Task in "+files+" killed as a result of limit of "+files,
			"memory: usage 122880kB, limit 122880kB, failcnt 83",
			"Memory cgroup out of memory: Kill process 321 (java) score 1997 or sacrifice child",
			"Killed process 321 (java) total-vm:1kB, anon-rss:1kB, file-rss:0kB"), "oom-container-limit"},
		{"the whole node's memory",
			kernelKill(dated, strings.Replace(strings.Join(record(files), "\n"+dated),
				"constraint=CONSTRAINT_MEMCG", "constraint=CONSTRAINT_NONE", 1)), "oom-node"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := analysed(t, c.log, "-")
			if !v.pods[killedPod] || len(v.counts) != 1 || len(v.proven) > 0 {
				t.Errorf("%v", v)
			}
			for key := range v.counts {
				if !strings.Contains(key, c.cause) {
					t.Errorf("%s, want %s", key, c.cause)
				}
			}
		})
	}
}

func TestAKernelsLogWithoutAClockIsJoinedByTheContainersID(t *testing.T) {
	pods := strings.NewReplacer(`"uid":"u1"`, `"uid":"`+killedPod+`"`, "containerd://aaaa",
		"containerd://"+killedID).Replace(apiPods("n1"))
	memcg := "/kubepods/burstable/pod" + killedPod + "/" + killedID
	log := kernelKill("[ 1234.567890] ",
		"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg="+
			memcg+",task_memcg="+memcg+",task=java,pid=321,uid=0")
	dir := tree{"pods.json": pods, "dmesg.txt": log}.dir(t)
	v := analysed(t, "", dir)
	if want := (map[string]int{"n1 web-0 oom-container-limit": 1}); fmt.Sprint(v.counts) != fmt.Sprint(want) ||
		len(v.proven) > 0 {
		t.Errorf("%v, want %v, none of it proven", v, want)
	}
	v.says(t, "counts time from a boot whose time is not known")
}

// What kubectl describe prints has no UID: the kernel's victim may be that pod, and is no second one.
func TestAKernelsLogBesideADescriptionIsOneEnd(t *testing.T) {
	const describe = `Name:             web-0
Namespace:        shop
Node:             n1/10.0.0.1
Start Time:       Sun, 15 Dec 2019 23:00:02 +0000
Status:           Running
Containers:
  app:
    Container ID:   containerd://aaaa
    Image:          shop:1
    State:          Running
      Started:      Sun, 15 Dec 2019 23:40:20 +0000
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Started:      Sun, 15 Dec 2019 23:00:03 +0000
      Finished:     Sun, 15 Dec 2019 23:40:19 +0000
    Ready:          True
    Restart Count:  1
    Limits:
      memory:  32Mi
`
	memcg := "/kubepods/burstable/pod" + killedPod + "/" + killedID
	log := kernelKill("[Sun Dec 15 22:10:09 2019] ", "Linux version 5.4.0") + kernelKill("[Sun Dec 15 23:40:19 2019] ",
		"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg="+memcg+",task_memcg="+
			memcg+",task=java,pid=321,uid=0")
	for name, c := range map[string]struct{ describe, want string }{
		"the label of memory": {describe, "map[n1 web-0 oom-container-limit:1]"},
		"SIGKILL at the moment of the kill": {strings.Replace(describe, "OOMKilled", "Error", 1),
			"map[n1 web-0 oom-container-limit:1]"},
		"the kubelet says why it killed it": {strings.Replace(describe, "OOMKilled", "Error", 1) + `Events:
  Type    Reason   Age    From     Message
  ----    ------   ----   ----     -------
  Normal  Killing  2m     kubelet  Container app failed liveness probe, will be restarted
`, "map[n1 " + killedPod + " oom-container-limit:1 n1 web-0 unknown:1]"},
		"another code at that moment": {strings.NewReplacer("OOMKilled", "Error", "137", "1").Replace(describe),
			"map[n1 " + killedPod + " oom-container-limit:1 n1 web-0 app-exit-error:1]"},
	} {
		v := analysed(t, "", tree{"describe.txt": c.describe, "dmesg.txt": log}.dir(t))
		if fmt.Sprint(v.counts) != c.want || len(v.proven) > 0 {
			t.Errorf("%s: %v, want %s, none of it proven", name, v, c.want)
		}
	}
}

// A table or a text has a pod's name and that memory ended it, the kernel's log has a UID: that is one end.
func TestAKernelsVictimIsThePodThatATextCallsKilled(t *testing.T) {
	const head = "NAMESPACE   NAME    READY   STATUS      RESTARTS      AGE\n"
	memcg := "/kubepods/burstable/pod" + killedPod + "/" + killedID
	kill := func(memcg string) string {
		return kernelKill("[Sun Dec 15 23:40:19 2019] ", "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),"+
			"cpuset=x,mems_allowed=0,oom_memcg="+memcg+",task_memcg="+memcg+",task=java,pid=321,uid=0")
	}
	const killed = "shop        web-0   0/1     OOMKilled   1 (2m ago)    40m\n"
	on := func(node string) string {
		return strings.Replace(head, "AGE", "AGE   IP         NODE", 1) +
			strings.Replace(killed, "40m", "40m   10.2.0.7   "+node, 1)
	}
	for name, c := range map[string]struct{ table, log, want string }{
		"a row": {head + killed, kill(memcg), "map[n1 web-0 oom-container-limit:1]"},
		"a row beside one that is well": {head + killed + "shop        api-0   1/1     Running     0             40m\n",
			kill(memcg), "map[n1 web-0 oom-container-limit:1]"},
		"a row with the node":          {on("n1"), kill(memcg), "map[n1 web-0 oom-container-limit:1]"},
		"a row with the node's domain": {on("n1.example"), kill(memcg), "map[n1 web-0 oom-container-limit:1]"},
		"a row of a pod on another node": {on("n2"), kill(memcg),
			"map[n1 16a32d29-24eb-4a75-84ed-4c4c71e507a7 oom-container-limit:1 n2 web-0 oom-container-limit:1]"},
		"two rows": {head + killed + strings.Replace(killed, "web-0", "api-0", 1), kill(memcg),
			"map[ api-0 oom-container-limit:1  web-0 oom-container-limit:1 " +
				"n1 16a32d29-24eb-4a75-84ed-4c4c71e507a7 oom-container-limit:1]"},
		"two victims": {head + killed, kill(memcg) +
			kill(strings.NewReplacer("16a3", "99a3", "cf42", "aa42").Replace(memcg)),
			"map[ web-0 oom-container-limit:1 n1 16a32d29-24eb-4a75-84ed-4c4c71e507a7 oom-container-limit:1 " +
				"n1 99a32d29-24eb-4a75-84ed-4c4c71e507a7 oom-container-limit:1]"},
		"a row that does not tell of memory": {head + strings.Replace(killed, "OOMKilled", "Error    ", 1), kill(memcg),
			"map[ web-0 app-exit-error:1 n1 16a32d29-24eb-4a75-84ed-4c4c71e507a7 oom-container-limit:1]"},
	} {
		v := analysed(t, "", "--node", "n1", tree{"pods.txt": c.table, "dmesg.txt": c.log}.dir(t))
		if fmt.Sprint(v.counts) != c.want || len(v.proven) > 0 {
			t.Errorf("%s: %v, want %s, none of it proven", name, v.counts, c.want)
		}
	}
}

func TestTalosTellsWhomItKilledForMemory(t *testing.T) {
	pods := strings.Replace(apiPods("n1"), `"uid":"u1"`, `"uid":"`+killedPod+`"`, 1)
	said := func(stamp string) string {
		return stamp +
			`[talos] OOM controller triggered {"component": "controller-runtime", "controller": "runtime.OOMController"}` +
			"\n" +
			stamp +
			`[talos] Sending SIGKILL to cgroup {"component": "controller-runtime", "controller": "runtime.OOMController", "cgroup": "/sys/fs/cgroup/kubepods/burstable/pod` + killedPod + "\"}\n"
	}
	const kernels = "kern:    info: [2026-11-21T08:00:00.5Z]: Linux version 6.18.34-talos\n"
	for name, log := range map[string]string{
		"talosctl dmesg": strings.Replace(kernels, "    ", " ", 1) +
			said("user: warning: [2026-11-21T09:00:09.913975631Z]: "),
		"talosctl dmesg of a node": "10.5.0.2: kern: info: [2026-11-21T08:00:00.5Z]: Linux version 6.18.34-talos\n" +
			said("10.5.0.2: user: warning: [2026-11-21T09:00:09.913975631Z]: "),
		"dmesg of the node": said("[Sat Nov 21 09:00:09 2026] "),
	} {
		t.Run(name, func(t *testing.T) {
			v := analysed(t, "", "--node", "n1", tree{"pods.json": pods, "dmesg.txt": log}.dir(t))
			if v.counts["n1 web-0 oom-node"] != 1 || len(v.proven) > 0 {
				t.Errorf("%v", v)
			}
		})
	}
}

// Who kills for want of memory beside the kernel names a cgroup: of a container, or of a pod. earlyoom names a process.
func TestADaemonThatKillsForMemoryTellsADeathAlone(t *testing.T) {
	slices := "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" +
		strings.ReplaceAll(killedPod, "-", "_") + ".slice"
	talos := func(group string) string {
		return "user: warning: [2026-11-21T09:00:09.913975631Z]: [talos] Sending SIGKILL to cgroup {\"component\": \"controller-runtime\", \"controller\": \"runtime.OOMController\", \"cgroup\": \"/sys/fs/cgroup" + group + "\"}\n"
	}
	oomd := func(group string) string {
		return "2026-11-21T09:00:09.123456+0000 n1 systemd-oomd[400]: Killed " +
			group + " due to memory pressure for /kubepods.slice being 80.00% > 60.00% for > 30s with reclaim activity\n"
	}
	for name, log := range map[string]string{
		"Talos, a container":        talos("/kubepods/burstable/pod" + killedPod + "/" + killedID),
		"Talos, a pod":              talos("/kubepods/burstable/pod" + killedPod),
		"systemd-oomd, a container": oomd(slices + "/cri-containerd-" + killedID + ".scope"),
		"systemd-oomd, a pod":       oomd(slices),
	} {
		t.Run(name, func(t *testing.T) {
			v := analysed(t, log+log, "-", "--node", "n1")
			if !v.pods[killedPod] || len(v.counts) != 1 || len(v.proven) > 0 {
				t.Errorf("%v", v)
			}
			for key, n := range v.counts {
				if !strings.Contains(key, "oom-node") || n != 1 {
					t.Errorf("%s: %d", key, n)
				}
			}
		})
	}
	t.Run("earlyoom", func(t *testing.T) {
		v := analysed(t,
			"2026-11-21T09:00:09.123456+0000 n1 earlyoom[400]: sending SIGKILL to process 1234 uid 0 \"java\": badness 801, VmRSS 12 MiB\n", "-", "--node", "n1")
		if len(v.counts) != 0 {
			t.Errorf("%v", v)
		}
		v.says(t, "1 OOM-killed process belongs to no container")
	})
}
