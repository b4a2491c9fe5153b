package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

const (
	upgrades = "kubelet-1.28-1.30-1.31-1.34" // of host n3
	// secret stands where values of variables, commands and logs of containers do.
	secret = "hunter2canary"
	// forged is what a container might print: a kubelet's words about another pod.
	forged = "2026-11-21T08:33:00.5Z stderr F I1121 08:33:00.500000      81 kuberuntime_container.go:808] \"Killing container with a grace period\" pod=\"kube-system/forged\" podUID=\"f1\" containerName=\"a\" containerID=\"containerd://f0\" gracePeriod=2\n"
)

// apiPods is one pod that its kubelet killed for a liveness probe, as every tool
// prints it that reads the API server; node runs it.
func apiPods(node string) string {
	return `{"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"web-0","namespace":"shop","uid":"u1"},
"spec":{"nodeName":"` + node + `","restartPolicy":"Always","containers":[{"name":"app","image":"busybox:1.36","command":["sh","-c","` + secret + `"],
"env":[{"name":"PASSWORD","value":"` + secret + `"}],"livenessProbe":{"exec":{"command":["cat","/` + secret + `"]}}}]},
"status":{"phase":"Running","containerStatuses":[{"name":"app","image":"busybox:1.36","imageID":"x","containerID":"containerd://bbbb","ready":true,"restartCount":1,
"state":{"running":{"startedAt":"2026-11-21T09:00:20Z"}},"lastState":{"terminated":{"exitCode":137,"reason":"Error","startedAt":"2026-11-21T08:59:00Z","finishedAt":"2026-11-21T09:00:10Z","containerID":"containerd://aaaa"}}}]}}]}`
}

const (
	apiEvents = `{"apiVersion":"v1","kind":"EventList","items":[{"metadata":{"name":"web-0.1","namespace":"shop"},
"involvedObject":{"kind":"Pod","namespace":"shop","name":"web-0","uid":"u1","fieldPath":"spec.containers{app}"},"reason":"Killing",
"message":"Container app failed liveness probe, will be restarted","type":"Normal","count":1,"source":{"component":"kubelet","host":"n1"},
"firstTimestamp":"2026-11-21T09:00:00Z","lastTimestamp":"2026-11-21T09:00:00Z"}]}`
	apiNodes = `{"apiVersion":"v1","kind":"NodeList","items":[{"metadata":{"name":"n1"},"status":{"nodeInfo":{"kubeletVersion":"v1.30.14","containerRuntimeVersion":"containerd://1.6.20"}}}]}`
)

// verdicts counts verdicts by node, pod and cause.
type verdicts struct {
	counts map[string]int
	proven map[string]int
	gaps   []string
	pods   map[string]bool
}

// analysed runs the command and reads its report.
func analysed(t *testing.T, stdin string, args ...string) verdicts {
	t.Helper()
	env, out, errOut := testEnv()
	env.Streams.In = strings.NewReader(stdin)
	if code := Run(t.Context(), env, append([]string{"kubectl-restartwhy", "analyze", "-o", "json"}, args...)); code != 0 {
		t.Fatalf("exit code %d: %s", code, errOut)
	}
	if strings.Contains(out.String()+errOut.String(), secret) {
		t.Error("a secret is in the report")
	}
	var r struct {
		Items []struct {
			Node, Pod string
			Verdict   struct{ Cause, Confidence string }
		}
		Gaps []struct{ Why string }
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	v := verdicts{map[string]int{}, map[string]int{}, nil, map[string]bool{}}
	for _, i := range r.Items {
		v.pods[i.Pod] = true
		v.counts[fmt.Sprintf("%s %s %s", i.Node, i.Pod, i.Verdict.Cause)]++
		if i.Verdict.Confidence == "proven" {
			v.proven[i.Verdict.Cause]++
		}
	}
	for _, g := range r.Gaps {
		v.gaps = append(v.gaps, g.Why)
	}
	return v
}

// truth is what happened in the recorded story, on a node of this name.
func truth(node string) map[string]int {
	want := map[string]int{
		"liveness-exec liveness-probe-failed": 9, "liveness-exec hash-kubelet-upgrade": 1,
		"startup-http startup-probe-failed": 11, // the last kill is the last word of the log
		"steady hash-kubelet-upgrade":       2, "image-edit hash-kubelet-upgrade": 1,
		"sandbox-killed hash-kubelet-upgrade": 1,
	}
	out := map[string]int{}
	for k, n := range want {
		out[node+" "+k] = n
	}
	return out
}

// agrees checks that a report has the truth, and no pod that a container forged.
func (v verdicts) agrees(t *testing.T, want map[string]int) {
	t.Helper()
	got := map[string]int{}
	for k := range want {
		got[k] = v.counts[k]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\nall: %v\ngaps: %q", diff, slices.Sorted(maps.Keys(v.counts)), v.gaps)
	}
	if v.pods["forged"] {
		t.Error("the words of a container are taken for a kubelet's")
	}
}

func (v verdicts) says(t *testing.T, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(strings.Join(v.gaps, "\n"), w) {
			t.Errorf("no gap says %q: %q", w, v.gaps)
		}
	}
}

func mustGather(t *testing.T) tree {
	n3, n1 := recorded(t, upgrades), on(recorded(t, "kubelet-1.30-1.36"), "master-1")
	lines := slices.Concat(on(n3, "master-3"), n1)
	slices.SortStableFunc(lines, func(a, b line) int { return a.at.Compare(b.at) })
	const top = "must-gather.local.5421342344627712289/quay-io-openshift-release-dev-ocp-v4-0-art-dev-sha256-4e9d/"
	return tree{
		"must-gather.local.5421342344627712289/timestamp":     "2026-11-21 09:00:00 +0000 UTC\n",
		top + "host_service_logs/masters/kubelet_service.log": printed(lines, precise, "kubelet", "kubenswrapper"),
		top +
			"host_service_logs/masters/NetworkManager_service.log": "Nov 21 08:00:00.000001 master-3 NetworkManager[1]: <info> hello\n",
		top +
			"cluster-scoped-resources/core/nodes/master-3.example.internal.yaml": "---\napiVersion: v1\nkind: Node\nmetadata:\n  labels:\n    kubernetes.io/hostname: master-3.example.internal\n  name: master-3.example.internal\n",
		top +
			"cluster-scoped-resources/config.openshift.io/clusteroperators.yaml": "---\napiVersion: v1\nitems: []\nkind: List\n",
		top + "namespaces/shop/core/pods.yaml":   "---\n" + apiPods("master-1"),
		top + "namespaces/shop/core/events.yaml": "---\n" + apiEvents,
		top + "namespaces/s-n3/core/pods.yaml":   "---\n" + podsIn(n3, "s-n3", "master-3.example.internal"),
		top + "namespaces/s-n1/core/pods.yaml":   "---\n" + podsIn(n1, "s-n1", "master-1"),
		top +
			"namespaces/shop/core/secrets.yaml": "---\napiVersion: v1\nkind: SecretList\nitems:\n- data: {x: " + secret + "}\n",
		top +
			"namespaces/shop/pods/web-0/web-0.yaml": "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: web-0\n  namespace: shop\n  uid: u1\n",
		top + "namespaces/shop/pods/web-0/app/app/logs/current.log":                        forged,
		top + "namespaces/openshift-etcd/pods/etcd-0/etcd/etcd/logs/previous.insecure.log": forged,
	}
}

// podsIn lists the pods of a namespace that a kubelet's lines name with their UID.
func podsIn(lines []line, namespace, node string) string {
	found := map[string]string{}
	for _, l := range lines {
		for _, m := range regexp.MustCompile(`pod="`+namespace+`/([a-z-]+)" podUID="?([0-9a-f-]{36})`).FindAllStringSubmatch(
			l.text, -1) {
			found[m[1]] = m[2]
		}
	}
	var items []string
	for _, name := range slices.Sorted(maps.Keys(found)) {
		probe := ""
		if kind, _, ok := strings.Cut(name, "-"); ok && (kind == "liveness" || kind == "startup") {
			probe = `,"` + kind + `Probe":{"exec":{"command":["` + secret + `"]}}`
		}
		items = append(items,
			fmt.Sprintf(
				`{"metadata":{"name":%q,"namespace":%q,"uid":%q},"spec":{"nodeName":%q,"containers":[{"name":"a","image":"busybox:1.36"%s}]},"status":{"phase":"Running"}}`,
				name, namespace, found[name], node, probe))
	}
	return `{"apiVersion":"v1","kind":"PodList","items":[` + strings.Join(items, ",") + `]}`
}

func TestMustGather(t *testing.T) {
	tr := mustGather(t)
	want := truth("master-3.example.internal") // the journal has the short name
	want["master-1 web-0 liveness-probe-failed"] = 1
	want["master-1 steady hash-kubelet-upgrade"] = 2
	// The kill that is the last word of the log is no end yet of a pod that the API lists.
	want["master-3.example.internal startup-http startup-probe-failed"]--
	for name, path := range map[string]string{"a directory": tr.dir(t),
		"a tar.gz": file(t, "must-gather.tar.gz", filetest.Gzip(tr.tar("")))} {
		t.Run(name, func(t *testing.T) {
			v := analysed(t, "", path)
			v.agrees(t, want)
			v.says(t, "2 logs of containers", "of a kind that says nothing about restarts")
			if strings.Contains(strings.Join(v.gaps, " "), "have no zone") {
				t.Errorf("gaps %q: node logs are in UTC", v.gaps)
			}
		})
	}
}

func sosReport(t *testing.T, zone string) tree {
	lines := recorded(t, upgrades)
	return tree{
		"sos_commands/openshift/journalctl_--no-pager_--unit_kubelet":    printed(lines, short),
		"sos_commands/logs/journalctl_--no-pager":                        "Nov 21 08:30:00 n3 systemd[1]: Started kubelet.service - kubelet.\n" + printed(lines, short),
		"sos_commands/logs/journalctl_--list-boots":                      " 0 9 Sat 2026-11-21\n",
		"sos_commands/host/hostname":                                     "n3\n",
		"sos_commands/systemd/timedatectl":                               "               Local time: Sat 2026-11-21 09:00:00\n                Time zone: " + zone + "\n",
		"sos_commands/kernel/dmesg":                                      "[    0.000000] Linux version 6.1.0-18-amd64\n[ 3600.000000] oom-kill:constraint=CONSTRAINT_NONE\n",
		"sos_commands/kernel/dmesg_-T":                                   "[Sat Nov 21 08:30:00 2026] Linux version 6.1.0-18-amd64\n",
		"sos_commands/crio/pods/crictl_inspectp_0d4e8a1535ff":            `{"status":{"id":"0d4e8a1535ff","metadata":{"attempt":0,"name":"steady","namespace":"s-n3","uid":"x"},"state":"SANDBOX_READY","createdAt":"2026-11-21T08:00:00Z"},"info":{"env":"` + secret + `"}}`,
		"sos_commands/kubernetes/cluster-info/kubectl_get_-o_json_nodes": apiNodes,
		"sos_commands/process/ps_auxwwwm":                                secret + "\n",
		"proc/stat":                                                      "cpu 1 2 3\nbtime 1795249800\n",
		"proc/sys/kernel/random/boot_id":                                 "904dc969-2186-409b-9fbb-5fcf727be42d\n",
		"etc/kubernetes/manifests/etcd.yaml":                             "apiVersion: v1\nkind: Pod\nmetadata:\n  name: forged\n",
		"var/log/pods/kube-system_forged_f1/a/0.log":                     forged,
	}
}

func TestSosReport(t *testing.T) {
	for name, zone := range map[string]string{
		"in UTC": "UTC (UTC, +0000)", "in a zone of land, by lines that show UTC": "Europe/Berlin (CET, +0100)",
	} {
		t.Run(name, func(t *testing.T) {
			data := filetest.XZ(sosReport(t, zone).tar("sosreport-n3-2026-11-21-abcdefg/"))
			v := analysed(t, "", file(t, "sosreport-n3.tar.xz", data))
			v.agrees(t, truth("n3"))
			v.says(t, "1 logs of containers")
			if gaps := strings.Join(v.gaps, " "); strings.Contains(gaps, "have no zone") {
				t.Errorf("gaps %q", gaps)
			}
		})
	}
}

// `sos collect` puts the reports of several nodes into one archive.
func TestReportsInsideAnArchive(t *testing.T) {
	outer := tree{
		"sosreport-n3.tar.xz": string(filetest.XZ(sosReport(t, "UTC (UTC, +0000)").tar("sosreport-n3-x/"))),
		"sosreport-n3.sha256": "0123\n",
		"deeper.tar.gz": string(
			filetest.Gzip(tree{"deepest.tar": string(tree{"kubelet.log": "x"}.tar(""))}.tar(""))),
	}
	v := analysed(t, "", file(t, "sos-collector.tar", outer.tar("sos-collector-2026/")))
	v.agrees(t, truth("n3"))
	v.says(t, "deepest.tar left out: it is an archive inside")
}

func TestEKSLogCollector(t *testing.T) {
	lines := on(recorded(t, upgrades), "ip-10-0-1-7.ec2.internal")
	tr := tree{
		"kubelet/kubelet.log":              printed(lines, short),
		"containerd/containerd-log.txt":    printed(on(recorded(t, "containerd-1.6"), "ip-10-0-1-7.ec2.internal"), short),
		"containerd/containerd-config.txt": "version = 2\n",
		"kubelet/kubeconfig.yaml":          "apiVersion: v1\nkind: Config\nusers:\n- user: {token: " + secret + "}\n",
		"kernel/dmesg.current":             "[    0.000000] Linux version 6.1\n",
		"kernel/dmesg.human.current":       "[Sat Nov 21 08:30:00 2026] Linux version 6.1\n",
		"system/procstat.txt":              "cpu 1\nbtime 1795249800\n", "system/instance-id.txt": "i-0123\n",
		"var_log/kube-system_forged_f1/a/0.log": forged, "var_log/aws-node-x_kube-system_forged-1.log": forged,
	}
	v := analysed(t, "", file(t, "eks_i-0123_2026-11-21_0930-UTC_0.7.8.tar.gz", filetest.Gzip(tr.tar("./"))))
	v.agrees(t, truth("ip-10-0-1-7.ec2.internal"))
	v.says(t, "logs of containers")
}

func TestKindExport(t *testing.T) {
	node := on(recorded(t, upgrades), "kind-control-plane")
	tr := tree{
		"docker-info.txt":                "Client:\n",
		"kind-control-plane/kubelet.log": printed(node, short),
		"kind-control-plane/containerd.log": printed(
			on(recorded(t, "containerd-1.6"), "kind-control-plane"), short),
		"kind-control-plane/journal.log":                           printed(node, short),
		"kind-control-plane/images.log":                            "IMAGE  TAG  IMAGE ID  SIZE\n",
		"kind-control-plane/inspect.json":                          `[{"Id":"x","Created":"2026-11-21T08:00:00Z","State":{"Running":true},"Config":{"Env":["P=` + secret + `"]}}]`,
		"kind-control-plane/serial.log":                            "Welcome to Debian\n",
		"kind-control-plane/containers/forged_kube-system_a-1.log": forged,
		"kind-control-plane/pods/kube-system_forged_f1/a/0.log":    forged,
	}
	v := analysed(t, "", tr.dir(t))
	v.agrees(t, truth("kind-control-plane"))
	if len(v.proven) != 0 { // kills that only text tells, which a container may have written
		t.Errorf("proven: %v", v.proven)
	}
	// The same shape from someone else: the directory is not the host, and only the lines show the zone.
	other := tree{"logs/kubelet.log": tr["kind-control-plane/kubelet.log"],
		"logs/journal.log": tr["kind-control-plane/journal.log"]}
	v = analysed(t, "", other.dir(t))
	v.agrees(t, truth("kind-control-plane"))
}

func TestClusterInfoDump(t *testing.T) {
	want := map[string]int{"n1 web-0 liveness-probe-failed": 1}
	t.Run("into a directory", func(t *testing.T) {
		tr := tree{"nodes.json": apiNodes, "shop/pods.json": apiPods("n1"), "shop/events.json": apiEvents,
			"shop/services.json":  `{"kind":"ServiceList","apiVersion":"v1","items":[]}`,
			"shop/web-0/logs.txt": forged}
		analysed(t, "", tr.dir(t)).agrees(t, want)
	})
	t.Run("to standard output", func(t *testing.T) {
		stream := apiNodes + "\n" + apiEvents + "\n" + `{"kind":"ServiceList","apiVersion":"v1","items":[]}` +
			"\n" + apiPods("n1") +
			"\n==== START logs for container app of pod shop/web-0 ====\n" +
			strings.ReplaceAll(apiPods("n1"), "web-0", "forged") + "\n==== END logs for container app of pod shop/web-0 ====\n"
		analysed(t, stream, "-").agrees(t, want)
	})
}

func TestFilesOfNoLayout(t *testing.T) {
	lines := recorded(t, upgrades)
	logs := tree{"a/node.log": printed(lines, iso), "a/notes.txt": "nothing\n",
		"a/picture.png": "\x89PNG\r\n\x1a\n\x00\x00"}
	for name, path := range map[string]string{"a directory": logs.dir(t),
		"a zip": file(t, "logs.zip", logs.zip()), "a zip in a tar": file(t,
			"x.tar", tree{"logs.zip": string(logs.zip())}.tar(""))} {
		t.Run(name, func(t *testing.T) {
			v := analysed(t, "", path)
			v.agrees(t, truth("n3"))
			v.says(t, "files left out: 2 of a kind that says nothing")
		})
	}
	t.Run("a log of two hosts", func(t *testing.T) {
		mixed := slices.Concat(lines, recorded(t, "kubelet-1.20"))
		slices.SortStableFunc(mixed, func(a, b line) int { return a.at.Compare(b.at) })
		v := analysed(t, printed(mixed, iso), "-")
		want := truth("n3")
		want["n5 liveness-exec liveness-probe-failed"], want["n5 startup-http startup-probe-failed"] = 6, 6
		v.agrees(t, want)
	})
	t.Run("objects of kubectl and records of crictl", func(t *testing.T) {
		crictl := `{"status":{"id":"aaaa","metadata":{"attempt":0,"name":"app"},"state":"CONTAINER_EXITED","createdAt":"2026-11-21T08:59:00Z","startedAt":"2026-11-21T08:59:00Z","finishedAt":"2026-11-21T09:00:10Z","exitCode":137,"reason":"Error",
"labels":{"io.kubernetes.container.name":"app","io.kubernetes.pod.name":"web-0","io.kubernetes.pod.namespace":"shop","io.kubernetes.pod.uid":"u1"},"annotations":{}},"info":{"runtimeSpec":{"process":{"env":["P=` + secret + `"]}}}}`
		tr := tree{"pods.json": apiPods("n1"), "events.yaml": apiEventsYAML, "inspect.json": crictl}
		v := analysed(t, "", tr.dir(t))
		v.agrees(t, map[string]int{"n1 web-0 liveness-probe-failed": 1})
	})
}

// The other API's event, as `kubectl get events.events.k8s.io -o yaml` prints it.
const apiEventsYAML = `apiVersion: v1
items:
- apiVersion: events.k8s.io/v1
  deprecatedCount: 1
  deprecatedFirstTimestamp: "2026-11-21T09:00:00Z"
  deprecatedLastTimestamp: "2026-11-21T09:00:00Z"
  deprecatedSource:
    component: kubelet
    host: n1
  eventTime: null
  kind: Event
  metadata:
    name: web-0.1
    namespace: shop
  note: Container app failed liveness probe, will be restarted
  reason: Killing
  regarding:
    fieldPath: spec.containers{app}
    kind: Pod
    name: web-0
    namespace: shop
    uid: u1
  type: Normal
kind: List
metadata:
  resourceVersion: ""
`

func TestAnInputOfNothingKnownSaysWhatIsAccepted(t *testing.T) {
	tr := tree{"a.txt": "hello\n", "b/c.bin": "\x00\x01", "deploy.yaml": "apiVersion: apps/v1\nkind: Deployment\n"}
	env, _, errOut := testEnv()
	if code := Run(t.Context(), env, []string{"kubectl-restartwhy", "analyze", tr.dir(t)}); code != 1 {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{"none of the 3 files in it is of a known kind", "hint: it reads bundles"} {
		if !strings.Contains(errOut.String(), want) {
			t.Errorf("%q is not in:\n%s", want, errOut)
		}
	}
	if n := strings.Count(errOut.String(), "\n"); n > 2 {
		t.Errorf("%d lines:\n%s", n, errOut)
	}
}
