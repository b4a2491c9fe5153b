package diag

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// canary is what an enemy would like to reach the terminal: a colour, a window
// title and a bidirectional override.
const canary = "\x1b[31m\x1b]0;x\x07\u202e"

// hostile puts the canary behind every string value of a JSON document, except
// where that would only make the document unreadable.
func hostile(t *testing.T, doc string, keep ...string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(doc), &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(poison("", v, keep))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func poison(key string, v any, keep []string) any {
	switch v := v.(type) {
	case string:
		for _, k := range keep {
			if k == key {
				return v
			}
		}
		if _, err := time.Parse(time.RFC3339Nano, v); err == nil {
			return v
		}
		return v + canary
	case []any:
		for i := range v {
			v[i] = poison(key, v[i], keep)
		}
	case map[string]any:
		for k := range v {
			v[k] = poison(k, v[k], keep)
		}
	}
	return v
}

// unsafe lists the strings of a value that must not be printed, by their place.
// Times print themselves, and the tests of safetext answer for Text.
func unsafe(place string, v reflect.Value) (found []string) {
	each(place, v, func(place, s string) {
		if !safetext.Safe(s) {
			found = append(found, fmt.Sprintf("%s = %q", place, s))
		}
	})
	return found
}

// each tells of every string within a value, whether it is exported or not.
func each(place string, v reflect.Value, tell func(place, s string)) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		return
	}
	switch v.Kind() {
	case reflect.String:
		tell(place, v.String())
	case reflect.Struct:
		for i := range v.NumField() {
			each(place+"."+v.Type().Field(i).Name, v.Field(i), tell)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			each(place+"[key]", k, tell)
			each(fmt.Sprintf("%s[%v]", place, k), v.MapIndex(k), tell)
		}
	case reflect.Slice:
		for i := range v.Len() {
			each(fmt.Sprintf("%s[%d]", place, i), v.Index(i), tell)
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		if v.Type() == reflect.TypeFor[*podobject.Object]() { // its own fields are encoded
			o := v.Interface().(*podobject.Object)
			each(place+".Spec", reflect.ValueOf(*o.Spec), tell)
			each(place, reflect.ValueOf(*o.Whole()), tell)
			return
		}
		if v.Kind() == reflect.Interface {
			place += "(" + v.Elem().Type().Name() + ")"
		}
		each(place, v.Elem(), tell)
	}
}

const (
	hostileCluster = `{"kind":"List","apiVersion":"v1","items":[
{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0","namespace":"shop","uid":"u1","creationTimestamp":"2026-11-21T06:00:00Z",
 "annotations":{"kubernetes.io/config.mirror":"h","kubernetes.io/config.hash":"h"},"ownerReferences":[{"kind":"ReplicaSet","name":"web","uid":"o","controller":true,"apiVersion":"apps/v1"}],
 "managedFields":[{"manager":"kubectl","operation":"Update","time":"2026-11-21T06:30:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{"f:image":{}}}}}}]},
 "spec":{"nodeName":"n1","restartPolicy":"Always","containers":[{"name":"a","image":"x:1","restartPolicy":"Always"}]},
 "status":{"phase":"Running","reason":"Evicted","message":"m","qosClass":"Burstable","conditions":[{"type":"DisruptionTarget","status":"True","reason":"EvictionByEvictionAPI","message":"m","lastTransitionTime":"2026-11-21T07:00:00Z"}],
 "containerStatuses":[{"name":"a","image":"x:1","imageID":"i","containerID":"containerd://aabbccddeeff0011","restartCount":1,"state":{"waiting":{"reason":"CrashLoopBackOff","message":"m"}},
  "lastState":{"terminated":{"exitCode":1,"reason":"Error","message":"m","containerID":"containerd://aabbccddeeff0011","startedAt":"2026-11-21T06:00:00Z","finishedAt":"2026-11-21T07:00:00Z"}}}]}},
{"kind":"Node","apiVersion":"v1","metadata":{"name":"n1"},"status":{"conditions":[{"type":"Ready","status":"True","reason":"r","message":"m"}],
 "nodeInfo":{"bootID":"b","kernelVersion":"6.1","osImage":"Debian","containerRuntimeVersion":"containerd://2.1","kubeletVersion":"v1.31.0"}}},
%s]}`
	hostileEvent = `{"kind":"Event","apiVersion":"v1","metadata":{"name":"e%d","namespace":"shop"},"involvedObject":{"kind":"%s","namespace":"shop","name":"web-0","uid":"u1","fieldPath":"spec.containers{a}"},
"reason":"%s","message":"%s","type":"Warning","source":{"component":"kubelet","host":"n1"},"lastTimestamp":"2026-11-21T07:00:00Z","count":2}`
)

func hostileEvents() string {
	var all []string
	for i, e := range [][3]string{
		{"Pod", "Killing", "Container a failed liveness probe, will be restarted"},
		{"Pod", "Killing", "Stopping container a"},
		{"Pod", "Unhealthy", "Liveness probe failed: m"}, {"Pod", "FailedPostStartHook", "m"},
		{"Pod", "BackOff", "Back-off restarting failed container a"},
		{"Pod", "Pulled", `Container image \"x:1` + `\u001b[31m\u202e` + `\" already present on machine`},
		{"Pod", "Evicted", "The node was low on resource: memory."},
		{"Pod", "OutOfcpu", "m"}, {"Pod", "SandboxChanged", "Pod sandbox changed, it will be killed and re-created."},
		{"Pod", "Odd", "m"},
		{"Node", "Rebooted", "Node n1 has been rebooted, boot id: b2"},
		{"Node", "SystemOOM", "System OOM encountered, victim process: x, pid: 1"}, {"Node", "Starting", "Starting kubelet."},
	} {
		all = append(all, fmt.Sprintf(hostileEvent, i, e[0], e[1], e[2]))
	}
	return strings.Join(all, ",\n")
}

// hostileLines are lines with the canary inside, each by the program that
// writes it; the marks in angle brackets are where it goes.
var hostileLines = map[string][]string{
	"kubelet": {
		`"Kubelet version" kubeletVersion="v1.31.0<q>"`, `"Kubelet version" kubeletVersion=v1.31.0<raw>`,
		`Version: v1.20.15<raw>`,
		`"Killing container with a grace period" pod="shop/web-0<q>" podUID="u1<q>" containerName="a<q>" containerID="containerd://aabbccddeeff0011<q>" gracePeriod=30`,
		`"Message for Container of pod" containerName="a<q>" containerStatusID={"Type":"containerd","ID":"aabbccddeeff0011<q>"} pod="shop/web-0" containerMessage="Container a failed liveness probe, will be restarted<q>"`,
		`"SyncLoop ADD" source="api<q>" pods=["shop/web-0<q>"]`, `SyncLoop (ADD, "api<q>"): "web-0_shop(u1<q>)"`,
		`"Probe failed" probeType="Liveness" pod="shop/web-0" podUID="u1" containerName="a" probeResult="failure" output="x<q>"`,
		`"Failed to admit pod to node" pod="shop/web-0<q>" nodeCondition=["MemoryPressure<q>"]`,
		`"Pod admission denied" pod="shop/web-0" podUID="u1" reason="OutOfcpu<q>" message="m<q>"`,
		`"Evicting pod" pod="shop/web-0<q>" podUID="u1" message="m<q>"`,
		`Shutdown manager killing pod "p<q>" with gracePeriod: 10 seconds`,
		`"Failed to execute PostStartHook" err="m<q>" pod="shop/web-0<q>" podUID="u1" containerName="a<q>"`,
		`Back-off 40s restarting failed container=a<raw> pod=web-0_shop(u1<raw>)`,
	},
	"containerd": {
		`time="2026-11-21T07:00:05Z" level=info msg="starting containerd" revision=x version="2.1<q>"`,
		`time="2026-11-21T07:00:05Z" level=info msg="starting containerd" version=2.1<raw>`,
		`time="2026-11-21T07:00:06Z" level=info msg="containerd successfully booted in 0.1s"`,
		`time="2026-11-21T07:00:07Z" level=info msg="Starting CRI-O, version: 1.30<q>, git: x"`,
		`time="2026-11-21T07:00:08Z" level=info msg="Stop container \"aabbccddeeff0011\" with signal terminated<q>"`,
		`time="2026-11-21T07:00:08Z" level=info msg="CreateContainer within sandbox \"aabbccddeeff0022\" for &ContainerMetadata{Name:a<q>,Attempt:1,} returns container id \"aabbccddeeff0011\""`,
		`time="2026-11-21T07:00:08Z" level=info msg="Created container aabbccddeeff0011: shop<q>/web-0<q>/a<q>"`,
		`time="2026-11-21T07:00:08Z" level=error msg="StartContainer for \"aabbccddeeff0011\" failed" error="exec: no<q>"`,
		`time="2026-11-21T07:00:08Z" level=info msg="Started container" PID=7 containerID=aabbccddeeff0011 description=shop<q>/web-0<q>/a<q>`,
		`time="2026-11-21T07:00:08Z" level=error msg="failed to get task exit status for \"aabbccddeeff0011\"" error="ttrpc: closed<q>"`, `time="2026-11-21T07:00:08Z" level=warning msg="Failed to load container status for \"aabbccddeeff0011\"" error="no<q>"`,
		`time="2026-11-21T07:00:09Z" level=info msg="Processing signal 'terminated<q>'"`,
	},
	"kernel": {
		`oom-kill:constraint=CONSTRAINT_MEMCG<raw>,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg=/kubepods<raw>,task_memcg=/kubepods<raw>,task=tail<raw>,pid=12,uid=0`,
		`Out of memory: Killed process 13 (tail<raw>) total-vm:1kB`, `tail<raw>[14]: segfault at 0 ip 0 sp 0 error 4`,
		`tail<raw> invoked oom-killer: order=0`,
		`[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name`,
		`[  7]  0 7 1 1 1 0 0 tail<raw>`, `Out of memory: Killed process 15 (x<raw>) total-vm:1kB`,
		`INFO: task a<raw>:7 blocked for more than 120 seconds.`,
	},
	"systemd": {`kubelet.service: Main process exited, code=exited<raw>, status=1/FAILURE<raw>`,
		`kubelet.service: Failed with result 'x<raw>'.`, `kubelet.service: Killing process 7 (a<raw>) with signal SIGKILL.`},
	"systemd-oomd":   {`Killed /x<raw> due to memory pressure for /x`},
	"earlyoom":       {`sending SIGTERM to process 7 uid 0 "a<raw>": badness 1, VmRSS 1 MiB`},
	"systemd-logind": {`System is rebooting.`},
	"yum":            {`Updated: kubelet<raw>-1-1.x86_64`},
}

func hostileLog(prefix func(program string) string) string {
	quoted := strings.Trim(fmt.Sprintf("%q", canary), `"`)
	var b strings.Builder
	for _, program := range []string{"kubelet", "containerd", "kernel", "systemd",
		"systemd-oomd", "earlyoom", "systemd-logind", "yum"} {
		for _, l := range hostileLines[program] {
			l = strings.ReplaceAll(strings.ReplaceAll(l, "<q>", quoted), "<raw>", canary)
			if program == "kubelet" {
				l = "I1121 07:00:05.100000      80 kubelet.go:486] " + l
			}
			b.WriteString(prefix(program) + l + "\n")
		}
	}
	return b.String()
}

// hostileFiles is a bundle in which every string is hostile.
func hostileFiles(t *testing.T) (manifest string, files map[string]string) {
	cluster := fmt.Sprintf(hostileCluster, hostileEvents())
	syslog := hostileLog(func(p string) string {
		return "2026-11-21T07:00:05.100000+00:00 n1" + canary + " " + p + "[80]: "
	})
	journal := strings.Builder{}
	for line := range strings.Lines(syslog) {
		_, message, _ := strings.Cut(line, "]: ")
		_, program, _ := strings.Cut(line[:strings.Index(line, "[80]")], "n1"+canary+" ")
		fmt.Fprintf(&journal,
			"__REALTIME_TIMESTAMP=1795244405100000\n_HOSTNAME=n1%s\nSYSLOG_IDENTIFIER=%s\n_PID=80\n_BOOT_ID=b%d%s\nMESSAGE=%s\n",
			canary, program, journal.Len()/2000, canary, message)
	}
	kernel := "# kmsg boottime=2026-11-21T06:00:00Z bootid=b1" + strings.ReplaceAll(canary, " ", "") +
		"\n6,1,1,-;Linux version 6.1" + canary + "\n"
	for i, l := range hostileLines["kernel"] {
		kernel += fmt.Sprintf("6,%d,2000000,-;%s\n", i+2, strings.ReplaceAll(l, "<raw>", canary))
	}
	manifest = hostile(t,
		`{"formatVersion":1,"tool":"x","collectedAt":"2026-11-21T07:30:00Z","scope":{"namespace":"shop"},"gaps":[{"source":"api","node":"n1","why":"w","hint":"h"}]}`)
	return manifest, map[string]string{
		"cluster/pods.json": hostile(t, cluster, "kind", "apiVersion",
			"fieldPath", "component", "type", "reason", "operation", "fieldsType", "uid"),
		"cluster/all.json": strings.ReplaceAll(hostile(t, cluster,
			"kind", "apiVersion", "fieldPath", "component", "type"), `"name":"e`, `"name":"f`),
		"nodes/n1/logs/messages":          syslog,
		"nodes/n1/journal/kubelet.export": journal.String(),
		"nodes/n1/kmsg.txt":               kernel,
		"nodes/n1/cri.json": hostile(t,
			`{"runtime":"containerd","runtimeVersion":"2.1","collectedAt":"2026-11-21T07:12:00Z","settings":{"cgroupDriver":"systemd","from":"status"},"endpoints":[{"endpoint":"unix:///x","runtime":"containerd","runtimeVersion":"2"}],
"sandboxes":[{"cgroupParent":"/k","handler":"runc","annotations":{"kubernetes.io/config.source":"file","kubernetes.io/config.hash":"h"},"id":"aabbccddeeff0022","namespace":"shop","pod":"web-0","podUID":"u1","attempt":1,"state":"SANDBOX_READY","createdAt":1795244405100000000,"ip":"10.0.0.1","cgroupsPath":"/k"}],
"containers":[{"id":"aabbccddeeff0011","sandboxID":"aabbccddeeff0022","namespace":"shop","pod":"web-0","podUID":"u1","name":"a","attempt":1,"state":"CONTAINER_EXITED","createdAt":1795244405100000000,"exitCode":1,"reason":"Error","message":"m","image":"x:1","imageRef":"r","annotations":{"io.kubernetes.container.hash":"abc"},"hostPaths":[{"host":"/h","path":"/p"}],"cgroupsPath":"/k","statusError":"s"}]}`),
		"nodes/n1/cgroup.json": hostile(t,
			`{"version":2,"mount":"/sys/fs/cgroup","collectedAt":"2026-11-21T07:12:00Z","available":["cpu","memory"],"whole":true,"places":[{"path":"/x\u001b[31m\u202e/kubepods/burstable/pod11111111-2222-3333-4444-555555555555/aabbccddeeff00112233445566778899aabbccddeeff00112233445566778899","pid":7,"count":1}],
"cgroups":[{"path":"/kubepods"},{"path":"/kubepods/odd","files":{"memory.max":"1","memory.events":"oom_kill 1"}},{"path":"/x\u001b[31m\u202e/kubepods/burstable/pod11111111-2222-3333-4444-555555555555/aabbccddeeff00112233445566778899aabbccddeeff00112233445566778899","files":{}}]}`, "path"),
		"nodes/n1/units.json": hostile(t,
			`{"units":[{"name":"kubelet.service","loadState":"loaded","activeState":"active","subState":"running","result":"exit-code"}]}`),
		"nodes/n1/host.json": hostile(t,
			`{"nodeName":"n1","hostname":"n1","bootID":"b1","bootTime":"2026-11-21T06:00:00Z","kernelVersion":"6.1","osImage":"Debian","collectedAt":"2026-11-21T07:12:00Z","kubelet":{"pid":7,"cgroupDriver":"systemd","featureGates":{"A":true},"evictionHard":{"memory.available":"1"}}}`),
		"nodes/n1/kubelet.json": hostile(t,
			`{"collectedAt":"2026-11-21T07:12:00Z","checkpoints":[{"name":"cpu_manager_state","exists":true,"policy":"p","checksum":"c","problem":"x","records":[{"podUID":"u","container":"a","resources":{"limits.cpu":"1"}}]}],
"manifests":[{"path":"/m","sha256":"0123456789abcdef","namespace":"n","name":"p","uid":"u","images":["i"],"problem":"x"}],"logs":[{"namespace":"n","pod":"p","podUID":"u","container":"a","attempts":[{"number":1,"containerID":"c"}]}],
"sandboxes":[{"keeper":"dockershim","id":"i","namespace":"n","pod":"p"}]}`),
		"nodes/n1/packages.json": hostile(t,
			`{"entries":[{"time":"2026-11-21T06:00:00Z","manager":"dpkg","action":"upgrade","package":"runc","from":"1","to":"2","by":"x"},{"time":"2026-11-21T06:00:01Z","manager":"needrestart","action":"restart","units":["kubelet.service"]}]}`, "action"),
		"nodes/n\x1b1/cri.json": `{"runtime":"containerd","runtimeVersion":"2.1","containers":[{"id":"aabbccddeeff0011","name":"a"}]}`,
		"nodes/n1/odd\x1b.file": "x",
	}
}

func TestNothingOfASnapshotIsUnsafeToPrint(t *testing.T) {
	manifest, files := hostileFiles(t)
	s := intake(t, manifest, files)
	for _, found := range unsafe("", reflect.ValueOf(*s)) {
		t.Error(found)
	}
	// The test is worth something only if the strings arrived.
	seen := map[string]int{}
	for _, o := range s.Observations {
		seen[o.Fact.Statement()]++
	}
	for _, want := range []evidence.Fact{
		evidence.KillDecided{}, evidence.KillStarted{}, evidence.PodConfig{},
		evidence.ProbeFailed{}, evidence.HookFailed{}, evidence.PodRejected{}, evidence.PodEvicted{},
		evidence.KubeletStarted{}, evidence.RuntimeStarted{}, evidence.StopRequested{},
		evidence.RuntimeCreated{}, evidence.OOMKill{}, evidence.Segfault{},
		evidence.KernelBooted{}, evidence.UnitChanged{}, evidence.UnitState{},
		evidence.CgroupState{}, evidence.ContainerRecord{}, evidence.SandboxRecord{},
		evidence.RuntimeFailed{}, evidence.TaskStarted{}, evidence.ShimLost{},
		evidence.StateLost{}, evidence.RuntimeStopping{}, evidence.RuntimeEndpoint{}, evidence.RuntimeSettings{},
		evidence.HungTask{}, evidence.UserspaceOOMKill{}, evidence.PowerChange{},
		evidence.PackageChanged{}, evidence.RestartAsked{}, evidence.CgroupPlacement{}, evidence.CgroupControllers{},
		evidence.KubeletSettings{}, evidence.CheckpointState{}, evidence.ResourceRecord{},
		evidence.StaticManifest{}, evidence.ContainerLogs{}, evidence.SandboxCheckpoint{},
		evidence.ImageSeen{}, evidence.NodeRebooted{}, evidence.SystemOOM{},
		evidence.APIEvent{}, evidence.SandboxChanged{}, evidence.BackedOff{}, evidence.RestartCount{},
	} {
		if seen[want.Statement()] == 0 {
			t.Errorf("no %s was observed: %v", want.Statement(), seen)
		}
	}
}
