package foreign

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

const (
	kubeletLine = "Nov 21 07:21:31 n1 kubelet[80]: I1121 07:21:31.823 80 kubelet.go:1] \"hello\"\n"
	otherHost   = "Nov 21 07:21:32 n2 kubelet[81]: I1121 07:21:32.823 81 kubelet.go:1] \"hello\"\n"
	podList     = `{"apiVersion":"v1","kind":"PodList","items":[{"spec":{
"nodeName": "n1.example.internal"
}}]}`
	inspected = `{
  "status": {"id":"aa","metadata":{"name":"a"},"state":"CONTAINER_EXITED","createdAt":"2026-11-21T07:00:00Z"},
  "info": {"sandboxID": "bb"}
}`
)

// placed arranges files: path → where they went and what they hold.
func placed(t *testing.T, node string, files map[string]string) (map[string]string, *places) {
	t.Helper()
	var list []evidence.File
	for name, text := range files {
		list = append(list, evidence.Bytes(name, []byte(text)))
	}
	slices.SortFunc(list, func(a, b evidence.File) int { return strings.Compare(a.Path, b.Path) })
	p := newPlaces(list, node, nil)
	p.arrange()
	out := map[string]string{}
	for _, f := range p.out {
		if f.Path == Mentioned {
			continue // see TestMentionsAreAFileOfTheirOwn
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil || r.Close() != nil {
			t.Fatal(err)
		}
		if int64(len(data)) != f.Size {
			t.Errorf("%s: %d bytes, announced %d", f.Path, len(data), f.Size)
		}
		if out[f.Path] != "" {
			t.Errorf("two files at %s", f.Path)
		}
		out[f.Path] = string(data)
	}
	return out, p
}

func whys(p *places) string {
	var all []string
	for _, g := range p.gaps {
		all = append(all, g.Why)
	}
	return strings.Join(all, "\n")
}

func TestAFileByItselfGoesToItsNode(t *testing.T) {
	cases := map[string]struct {
		name, text, node, want string
	}{
		"the node that was named": {"kubelet.log", kubeletLine, "n7", "nodes/n7/logs/kubelet.log"},
		"the host in its lines":   {"kubelet.log", kubeletLine, "", "nodes/n1/logs/kubelet.log"},
		"no node at all": {"kubelet.log", "I1121 07:21:31.823000 80 kubelet.go:1] hello\n",
			"", "nodes/unnamed/logs/kubelet.log"},
		"no host in its lines": {"messages", "Nov 21 07:21:31 systemd[1]: containerd.service: Failed with result 'signal'.\n",
			"", "nodes/_/logs/messages"},
		"a node name with a slash": {"kubelet.log", "I1121 07:21:31.823000 80 kubelet.go:1] hello\n",
			"../x", "nodes/unnamed/logs/kubelet.log"},
		"the kubelet's own name for it": {"kubelet.log",
			"I1121 07:21:31.823000 80 kubelet_node_status.go:70] \"Attempting to register node\" node=\"n4\"\n",
			"", "nodes/n4/logs/kubelet.log"},
		"the parent directory as a node": {"stdin", "x\n", "..", "nodes/_/logs/unwrapped/stdin"},
		"objects as JSON":                {"stdin", podList, "n7", "cluster/stdin.json"},
		"objects as YAML": {"a/pods.yml", "apiVersion: v1\nkind: PodList\nitems: []\n",
			"", "cluster/a_pods.yml"},
		"YAML of another name": {"stdin", "---\napiVersion: v1\nkind: Pod\n", "", "cluster/stdin.yaml"},
		"a journal": {"var/system.journal", "LPKSHHRH\x00\x00", "n7",
			"nodes/n7/journal/var_system.journal"},
		"a journal of another name": {"x", "LPKSHHRH\x00\x00", "", "nodes/_/journal/x.journal"},
		"what nobody knows":         {"notes.txt", "hello\n", "", "nodes/_/logs/unwrapped/notes.txt"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, p := placed(t, c.node, map[string]string{c.name: c.text})
			if diff := cmp.Diff(map[string]string{c.want: c.text}, got); diff != "" || len(p.gaps) > 0 {
				t.Errorf("%s\ngaps %q", diff, whys(p))
			}
		})
	}
}

// Anybody's container may write lines that look like a kubelet's.
func TestTheOutputOfAContainerIsNoKubelets(t *testing.T) {
	const cri = "2026-11-21T07:21:31.823000000Z stdout F I1121 07:21:31.823000      80 kubelet.go:2450] \"SyncLoop ADD\" source=\"api\" pods=[\"shop/web-0\"]\n"
	const docker = `{"log":"I1121 07:21:31.823000      80 kubelet.go:2450] x\\n","stream":"stdout","time":"2026-11-21T07:21:31.8Z"}` + "\n"
	for name, text := range map[string]string{"evil.log": cri, "a/evil-json.log": docker} {
		got, p := placed(t, "", map[string]string{name: text, "kubelet.log": kubeletLine})
		if len(got) != 1 || !strings.Contains(whys(p), "read "+name+": it is the output of a container") {
			t.Errorf("%s: %v, gaps %q", name, got, whys(p))
		}
		if got, p = placed(t, "n1", map[string]string{name: text}); len(got) != 1 || len(p.gaps) > 0 {
			t.Errorf("%s by itself: %v, gaps %q", name, got, whys(p))
		}
		if got, p = placed(t, "n1",
			map[string]string{"rke/kubelet/" + name: text, "kubelet.log": kubeletLine}); len(got) != 2 ||
			len(p.gaps) > 0 {
			t.Errorf("%s of a kubelet in a container: %v, gaps %q", name, got, whys(p))
		}
	}
}

func TestRecordsOfARuntimeBecomeTheNodesFile(t *testing.T) {
	got, p := placed(t, "n7", map[string]string{"inspect.json": inspected})
	if len(got) != 1 || !strings.Contains(got["nodes/n7/cri.json"], `"sandboxID": "bb"`) {
		t.Errorf("%v, gaps %q", got, whys(p))
	}
	// One node that objects speak of is the node of what does not tell.
	got, _ = placed(t, "", map[string]string{"inspect.json": inspected, "pods.json": podList})
	if got["nodes/n1.example.internal/cri.json"] == "" {
		t.Errorf("%v", got)
	}
	// So is the one whose logs lie beside it, but not one of two.
	got, _ = placed(t, "", map[string]string{"inspect.json": inspected, "n1.log": kubeletLine})
	if got["nodes/n1/cri.json"] == "" {
		t.Errorf("%v", got)
	}
	got, _ = placed(t, "", map[string]string{"inspect.json": inspected, "n1.log": kubeletLine, "n2.log": otherHost})
	if got["nodes/n1/cri.json"]+got["nodes/n2/cri.json"] != "" {
		t.Errorf("%v", got)
	}
	_, p = placed(t, "", map[string]string{"inspect.json": strings.Replace(inspected, `"aa"`, `7`, 1)})
	if !strings.Contains(whys(p), "read inspect.json") {
		t.Errorf("gaps %q", whys(p))
	}
}

func TestALogOfSeveralHostsIsTakenApart(t *testing.T) {
	more := "        and its second line\n"
	long := strings.TrimSuffix(otherHost, "\n") + strings.Repeat("x", 600<<10) + "\n"
	got, _ := placed(t, "", map[string]string{"messages": kubeletLine + otherHost +
		more + kubeletLine + more + long + kubeletLine, "pods.json": podList})
	want := map[string]string{
		"nodes/n1.example.internal/logs/messages": kubeletLine + kubeletLine + more + kubeletLine,
		"nodes/n2/logs/messages":                  otherHost + more + long,
		"cluster/pods.json":                       podList,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAHostIsTheNodeThatBeginsWithItsName(t *testing.T) {
	n := names{"n1": true, "n2.a": true, "n3.a": true, "n3.b": true, "n1.a": true}
	for host, want := range map[string]string{"n1": "n1", "n2": "n2.a", "n2.b": "n2.a", "n3": "n3", "n4": "n4",
		"": ""} {
		if got := n.of(host); got != want {
			t.Errorf("%q is taken for %q, want %q", host, got, want)
		}
	}
}

func TestLayoutsAreToldByTheirMarks(t *testing.T) {
	cases := map[string]struct {
		files []string
		want  string // kinds and roots
	}{
		"must-gather, from its inner directory": {[]string{"namespaces/a/core/pods.yaml", "nodes/n1/dmesg"},
			"must-gather at ,"},
		"must-gather, from outside": {[]string{"must-gather.local.1/quay/host_service_logs/masters/kubelet_service.log"},
			"must-gather at must-gather.local.1/quay/,"},
		"two sos reports": {[]string{"a/sos_commands/x", "b/sos_commands/x", "b/proc/stat"},
			"sos report at a/,sos report at b/,"},
		"EKS, and not kind": {[]string{"kubelet/kubelet.log", "containerd/containerd-log.txt"},
			"EKS log collector at ,"},
		"one mark of EKS is none": {[]string{"x/kernel/dmesg.current"}, ""},
		"kind": {[]string{"logs/kind-worker/kubelet.log", "logs/kind-worker2/containerd.log",
			"logs/kind-worker2/journal.log"}, "kind export at logs/,"},
		"a folder with two logs": {[]string{"node/kubelet.log", "node/containerd.log", "node/kern.log"}, ""},
		"a dump":                 {[]string{"d/nodes.json", "d/default/pods.json"}, "cluster-info dump at d/,"},
		"logs of somebody":       {[]string{"kubelet.log", "containerd.log"}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var files []evidence.File
			for _, f := range c.files {
				files = append(files, evidence.Bytes(f, nil))
			}
			got := ""
			for _, tr := range recognise(files) {
				got += fmt.Sprintf("%s at %s,", tr.layout.name, tr.root)
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A person's files beside those of an open layout are read by their content, containers' output is not.
func TestWhatAnOpenLayoutDoesNotNameIsRead(t *testing.T) {
	got, _ := placed(t, "", map[string]string{"d/nodes.json": `{"kind":"NodeList","apiVersion":"v1","items":[]}`,
		"d/default/pods.json": podList, "d/default/web-0/logs.txt": kubeletLine, "d/n1/messages": kubeletLine})
	const want = "nodes/n1.example.internal/logs/d/n1/messages"
	if got[want] != kubeletLine || len(got) != 3 {
		t.Errorf("%v has no %s, or more than the dump beside it", slices.Sorted(maps.Keys(got)), want)
	}
}

func TestASosReportTellsItsBoot(t *testing.T) {
	files := map[string]string{
		"s/sos_commands/host/hostname": "n1\n", "s/sos_commands/kernel/dmesg": "[    1.000000] hello\n",
		"s/sos_commands/kernel/dmesg_-T":                                "[Sat Nov 21 08:30:00 2026] hello\n",
		"s/proc/stat":                                                   "cpu 1\nbtime 1795249800\n",
		"s/proc/sys/kernel/random/boot_id":                              "904dc969-2186-409b-9fbb-5fcf727be42d\n",
		"s/sos_commands/systemd/timedatectl":                            "Time zone: Etc/UTC (UTC, +0000)\n",
		"s/sos_commands/openshift/journalctl_--no-pager_--unit_kubelet": kubeletLine,
	}
	got, p := placed(t, "", files)
	if got["nodes/n1/kmsg.txt"] != "# kmsg boottime=2026-11-21T08:30:00Z bootid=904dc969-2186-409b-9fbb-5fcf727be42d\n[    1.000000] hello\n" {
		t.Errorf("kmsg.txt: %q", got["nodes/n1/kmsg.txt"])
	}
	if !strings.Contains(got["nodes/n1/host.json"], `"bootTime": "2026-11-21T08:30:00Z"`) {
		t.Errorf("host.json: %q", got["nodes/n1/host.json"])
	}
	if got["nodes/n1/logquery/sos_commands/openshift/journalctl_--no-pager_--unit_kubelet"] != kubeletLine ||
		len(got) != 3 || p.unused != 1 {
		t.Errorf("%d unused, placed %v", p.unused, got)
	}
	// Without the time of the boot, the local clock is the better of the two.
	delete(files, "s/proc/stat")
	delete(files, "s/sos_commands/systemd/timedatectl")
	got, _ = placed(t, "", files)
	if got["nodes/n1/kmsg.txt"] != "" || got["nodes/n1/host.json"] != "" ||
		got["nodes/n1/logs/sos_commands/kernel/dmesg_-T"] == "" {
		t.Errorf("placed %v", got)
	}
	// A name that is none is nobody's.
	files["s/sos_commands/host/hostname"] = "../../etc\n"
	got, _ = placed(t, "", files)
	if got["nodes/n1/logs/sos_commands/kernel/dmesg"] == "" {
		t.Errorf("placed %v", got)
	}
}

func TestAReportIsOneLine(t *testing.T) {
	for want, r := range map[string]Conversion{
		"must-gather of n1, n2: 14 files read, 2980 of no use": {Kinds: []string{"must-gather"},
			Nodes: []string{"n1", "n2"}, Used: 14, Unused: 2980},
		"files: 1 files read": {Used: 1},
		"sos report of 5 nodes: 9 files read": {Kinds: []string{"sos report"},
			Nodes: []string{"a", "b", "c", "d", "e"}, Used: 9},
	} {
		if got := r.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestMentionsAreAFileOfTheirOwn(t *testing.T) {
	mentioned := func(files map[string]string) string {
		var list []evidence.File
		for name, text := range files {
			list = append(list, evidence.Bytes(name, []byte(text)))
		}
		p := newPlaces(list, "", nil)
		p.arrange()
		for _, f := range p.out {
			if f.Path == Mentioned {
				r, err := f.Open()
				if err != nil {
					t.Fatal(err)
				}
				data, err := io.ReadAll(r)
				if err != nil || r.Close() != nil {
					t.Fatal(err)
				}
				return string(data)
			}
		}
		return ""
	}
	const words = "pod shop/cart-0 was OOMKilled, exit code 137\n"
	if got := mentioned(map[string]string{"a.txt": words}); !strings.Contains(got, `"cart-0"`) {
		t.Errorf("%s", got)
	}
	if got := mentioned(map[string]string{"a.txt": "hello\n"}); got != "" {
		t.Errorf("%s", got)
	}
	output := "2026-11-21T07:21:31.823000000Z stderr F " + words
	if got := mentioned(map[string]string{"a.log": output, "kubelet.log": kubeletLine}); strings.Contains(got,
		"OOMKilled") {
		t.Errorf("the output of a container: %s", got)
	}
	for name, text := range map[string]string{
		"an object of another kind": `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"a","namespace":"shop"},` +
			`"status":{"conditions":[{"reason":"BackoffLimitExceeded"}]}}`,
		"a list of Jobs": `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"batch/v1","kind":"Job",` +
			`"metadata":{"name":"a","namespace":"shop"},"status":{"conditions":[` +
			`{"reason":"BackoffLimitExceeded","namespace":"shop"}]}}]}`,
		"events of a Job": `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Event",` +
			`"involvedObject":{"kind":"Job","name":"a","namespace":"shop"},"reason":"BackoffLimitExceeded",` +
			`"metadata":{"namespace":"shop"}}]}`,
		"a description of what makes pods": "Name:  cart\nNamespace:  shop\n" +
			"Pods Statuses:  0 Active / 0 Succeeded / 5 Failed\n" +
			"Pod Template:\n  Containers:\n   app:\n    Image:  a\nEvents:\n  Warning  BackoffLimitExceeded  2m  job-controller  " +
			"Job has reached the specified backoff limit\n",
		"one whose pods do not become ready": "Name:  cart\nNamespace:  shop\nPod Template:\n  Containers:\n   app:\n    Image:  a\n" +
			"Conditions:\n  Progressing    False   ProgressDeadlineExceeded\nEvents:  <none>\n",
		"conditions alone": "conditions:\n- message: Deployment does not have minimum availability.\n" +
			"  reason: MinimumReplicasUnavailable\nnamespace: shop\n",
		"a controller's log":          "2022-07-22T23:05:16Z\tDEBUG\teviction\tEvicted pod\t{\"pod\": \"shop/cart-0\"}\n",
		"a table that somebody saved": "time,namespace,kind,name,type,reason,message\n2022-07-22T23:05:16Z,shop,Pod,cart-0,Normal,EvictedByVPA,evicted\n",
	} {
		if got := mentioned(map[string]string{"a": text}); strings.Count(got, `"namespace":"shop"`) < 2 {
			t.Errorf("%s: %s", name, got)
		}
	}
	const others = `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"ConfigMap",` +
		`"data":{"a":"pod shop/cart-0 was OOMKilled"}}]}`
	if got := mentioned(map[string]string{"a": others}); strings.Contains(got, "OOMKilled") {
		t.Errorf("a list of what controls no pods: %s", got)
	}
	many := map[string]string{"a.txt": words}
	for i := range fewFiles {
		many[strings.Repeat("b", i+1)+".txt"] = "hello\n"
	}
	if got := mentioned(many); got != "" {
		t.Errorf("of a whole tree of files: %s", got)
	}
}

// A collection holds much that tells of no restart, and none of it is evidence that cannot be read.
func TestWhatTellsOfNoRestartIsNoGap(t *testing.T) {
	const head = `"metadata":{"resourceVersion":"7"},`
	for name, text := range map[string]string{
		"a list of another kind": `{"kind":"ServiceList","apiVersion":"v1",` + head +
			`"items":[{"kind":"Service","apiVersion":"v1","metadata":{"name":"a"}}]}`,
		"one whose objects have a text": `{"kind":"PriorityClassList","apiVersion":"scheduling.k8s.io/v1",` + head +
			`"items":[{"metadata":{"name":"a","uid":"u","creationTimestamp":null},"value":7,"description":"for pods that must run"}]}`,
		"an empty list of another kind":   `{"kind":"JobList","apiVersion":"batch/v1",` + head + `"items":null}`,
		"objects printed over many lines": "{\n  \"kind\": \"ConfigMap\",\n  \"apiVersion\": \"v1\",\n  \"metadata\": {\n    \"name\": \"a\"\n  }\n}\n",
		"settings of a tool":              `[{"name":"check.x","insight":{"severity":"warn"},"labels":{"a":"b"}}]`,
		"a note":                          "collected by hand\n",
	} {
		got, p := placed(t, "", map[string]string{"resources/x.json": text, "kubelet.log": kubeletLine})
		if len(got) != 1 || len(p.gaps) > 0 || p.unused != 1 {
			t.Errorf("%s: placed %v, gaps %q, %d unused", name, got, whys(p), p.unused)
		}
		if _, p = placed(t, "", map[string]string{"resources/x.json": text}); p.strange != 1 {
			t.Errorf("%s by itself: %d strange, want it refused", name, p.strange)
		}
	}
	got, p := placed(t, "", map[string]string{"rke/kubelet.txt": "collected by hand\n", "kubelet.log": kubeletLine})
	if len(got) != 2 {
		t.Errorf("what is named like a kubelet's log: placed %v, gaps %q, want its reader to say what is wrong", got,
			whys(p))
	}
}
