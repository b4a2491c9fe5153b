package foreign

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestWhatIsReadAndWhatIsNot(t *testing.T) {
	cases := map[string]struct {
		path, head, want string
	}{
		"a kubelet's log":                     {"a/b/kubelet.log", kubeletLine, ""},
		"a packed one, by its path":           {"x/host_service_logs/masters/kubelet_service.log.gz", "", ""},
		"a log of a container in must-gather": {"m/namespaces/a/pods/p/c/c/logs/current.log", kubeletLine, isContainerLog},
		"in kind":                             {"k/pods/kube-system_etcd_1/etcd/0.log", kubeletLine, isContainerLog},
		"in sos":                              {"s/var/log/pods/a_b_c/d/0.log", kubeletLine, isContainerLog},
		"in the EKS collector":                {"var_log/kube-system_aws-node-x_1/a/0.log", kubeletLine, isContainerLog},
		"in a dump":                           {"d/shop/web-0/logs.txt", kubeletLine, isContainerLog},
		"in a volume":                         {"n/var/lib/kubelet/pods/4b22/volumes/kubernetes.io~empty-dir/x/kubelet.log", kubeletLine, isContainerLog},
		"in a volume, by the pod's UID": {"pods/7d1f6a52-0b8e-4a57-9f0a-5e2c1b9d0001/volumes/x/y/kubelet.log", kubeletLine,
			isContainerLog},
		"in a volume alone": {"volumes/kubernetes.io~empty-dir/x/host_service_logs/masters/kubelet_service.log", kubeletLine,
			isContainerLog},
		"in a container":         {"n/var/lib/docker/overlay2/4b22/diff/var/log/kubelet.log", kubeletLine, isContainerLog},
		"in a snapshot":          {"io.containerd.snapshotter.v1.overlayfs/snapshots/7/fs/kubelet.log", kubeletLine, isContainerLog},
		"of Docker":              {"var/lib/docker/containers/4b22/4b22-json.log", kubeletLine, isContainerLog},
		"beside a pod's objects": {"m/namespaces/a/pods/p/kubelet.log", kubeletLine, isContainerLog},
		"in a pod's directory":   {"x/pods/p/kubelet/kubelet.log", kubeletLine, isContainerLog},
		"of crictl": {"s/sos_commands/crio/containers/logs/crictl_logs_-t_abc",
			kubeletLine, isContainerLog},
		"a process list of sos":       {"s/sos_commands/process/ps", kubeletLine, isOfNoUse},
		"the list of boots":           {"s/sos_commands/systemd/journalctl_--list-boots", kubeletLine, isOfNoUse},
		"secrets of must-gather":      {"m/namespaces/a/core/secrets.yaml", "apiVersion: v1\nkind: List\n", isOfNoUse},
		"an archive inside":           {"m/cluster-scoped-resources/x.tar.gz", "", ""},
		"a picture":                   {"a.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\x00", isOfNoUse},
		"prose":                       {"README", "This is a readme.\n", isOfNoUse},
		"a note that names a pod":     {"note.txt", "It is the pod cart-0 in namespace shop.\n", ""},
		"a Deployment":                {"d.yaml", "apiVersion: apps/v1\nkind: Deployment\n", isOfNoUse},
		"a Pod":                       {"d.yaml", "apiVersion: v1\nkind: Pod\n", ""},
		"a list as kubectl prints it": {"d.yaml", "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n", ""},
		"a journal":                   {"x", "LPKSHHRH", ""},
		"crictl":                      {"x.json", inspected, ""},
		"a log whose lines are JSON": {"x.log",
			`{"ts":1795249800000.1,"caller":"a.go:1","msg":"x","sandboxID":"y"}` +
				"\n" + `{"ts":1795249800000.1,"caller":"a.go:1","msg":"x"}` + "\n", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := skip(c.path, nil)
			if got == "" && c.head != "" {
				got = skip(c.path, []byte(c.head))
			}
			if got != c.want {
				t.Errorf("left out because %q, want %q", got, c.want)
			}
		})
	}
}

func TestContentIsToldByItsBeginning(t *testing.T) {
	for text, want := range map[string]content{
		kubeletLine: contentLog, podList: contentJSON, inspected: contentCRI, "": contentOther, "---\n": contentOther,
		"\xef\xbb\xbf" + podList: contentJSON, "---\napiVersion: v1\nkind: Event\n": contentYAML,
		"kind: List\napiVersion: v1\nitems:\n- kind: Pod\n  apiVersion: v1\n":                       contentYAML,
		"items:\n- apiVersion: v1\n  kind: Pod\n":                                                   contentYAML,
		"metadata:\n  name: web-0\nspec: {}\napiVersion: v1\nkind: Pod\n":                           contentYAML,
		"kind: Pod\nmetadata:\n  name: web-0\n":                                                     contentLog,
		"# kept for a test\n---\n# a pod\napiVersion: v1\nkind: Pod\n":                              contentYAML,
		`{"apiVersion":"v1","kind":"Secret"}`:                                                       contentOther,
		`{"kind":"EventList","apiVersion":"v1"}`:                                                    contentJSON,
		`{"metadata":{"name":"a","ownerReferences":[{"apiVersion":"v1","kind":"Node"}]}}`:           contentLog,
		"[\n{\"Id\":\"a\",\n\"Created\":\"x\",\n\"State\":{},\n\"Name\":\"/k8s_web_web-0_a_b_0\"}]": contentCRI,
		"[\n{\"Id\":\"a\",\n\"Created\":\"x\",\n\"State\":{},\n\"Name\":\"/db\"}]":                  contentOther,
		`{"ts":1.1,"caller":"a","msg":"x","sandboxID":"y"}` + "\n" + `{"ts":2.1,"msg":"y"}` + "\n":  contentLog,
		`{"insertId":"1","jsonPayload":{"apiVersion":"v1","kind":"Event","message":"x"}}`:           contentLog,
		"__REALTIME_TIMESTAMP=1\nMESSAGE=x\n":                                                       contentLog,
	} {
		if got := contentOf([]byte(text)); got != want {
			t.Errorf("%.60q is %d, want %d", text, got, want)
		}
	}
}

func FuzzSniffing(f *testing.F) {
	for _, text := range []string{kubeletLine, podList, inspected, "apiVersion: v1\nkind: Pod\n", "LPKSHHRH"} {
		f.Add("a/sos_commands/logs/x", []byte(text))
		f.Add("namespaces/a/core/pods.yaml", []byte(text))
		f.Add("kind-worker/kubelet.log", []byte(text))
	}
	f.Fuzz(func(t *testing.T, path string, head []byte) {
		if why := skip(path, nil); why != "" && skip(path, head) != why {
			t.Fatal("the path alone decided, and then it did not")
		}
		contentOf(head)
		file := evidence.Bytes(path, head)
		p := newPlaces([]evidence.File{file, file, evidence.Bytes("b/kubelet.log", head)}, "", nil)
		p.arrange()
		seen := map[string]bool{}
		for _, out := range p.out {
			if seen[out.Path] {
				t.Fatalf("two files at %s", out.Path)
			}
			seen[out.Path] = true
			if !strings.HasPrefix(out.Path, "cluster/") && !strings.HasPrefix(out.Path, "nodes/") &&
				out.Path != Mentioned {
				t.Fatalf("%q is no place in a bundle", out.Path)
			}
		}
	})
}

// What docker inspect prints is taken apart, whatever its file is called: nothing else reads containers of no kubelet.
func TestWhatDockerInspectPrintsIsTakenApart(t *testing.T) {
	const plain = `[{"Id": "a", "State": {"Running": false, "ExitCode": 3, "FinishedAt": "2025-05-30T21:45:11Z"}, "Name": "/web"}]`
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"containers of no kubelet": {plain, true},
		"those of one":             {strings.Replace(plain, "/web", "/k8s_web_web-0_a_b_0", 1), false},
		"a state with other keys":  {`{"jobs":[{"name":"x","State":{"ExitCode":3,"Name":"build"}}]}`, false},
		"records of a store":       {`[{"timestamp": "2025-05-30T21:45:11Z", "message": "it ended"}]`, false},
	} {
		for _, file := range []string{"web.json", "web.txt"} {
			if _, ok := pasted(evidence.Bytes(file, []byte(c.text))); ok != c.want {
				t.Errorf("%s in %s: %v", name, file, ok)
			}
		}
	}
}
