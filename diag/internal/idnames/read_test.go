package idnames

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	uid = "6e3ae2a1-9c0a-4f43-bb0c-1b7a3a7a61f4"
	id  = "ebabb3f387d777eb91cb543972f11c9d9af557b6b07c2c3654231b973915fc18"
	box = "0babb3f387d777eb91cb543972f11c9d9af557b6b07c2c3654231b973915fc18"
)

func TestLinesThatNameAnID(t *testing.T) {
	pod := Bearer{Namespace: "shop", Pod: "cart-0", UID: uid}
	for _, c := range []struct {
		name, line string
		want       Bearer
	}{
		{name: "a volume, up to v1.20", want: Bearer{Pod: "cart-0", UID: uid},
			line: `operation_generator.go:664] MountVolume.SetUp succeeded for volume "t" (UniqueName: "kubernetes.io/secret/` + uid + `-t") pod "cart-0" (UID: "` + uid + `")`},
		{name: "a volume, v1.21 and later", want: pod,
			line: `operation_generator.go:664] "MountVolume.SetUp succeeded for volume \"t\" (UniqueName: \"kubernetes.io/secret/` + uid + `-t\") pod \"cart-0\" (UID: \"` + uid + `\") " pod="shop/cart-0"`},
		{name: "the path of a log", want: Bearer{Namespace: "shop", Pod: "cart-0", UID: uid, Container: "app"},
			line: "name=/var/log/pods/shop_cart-0_" + uid + "/app/0.log"},
		{name: "the same on Windows", want: Bearer{Namespace: "shop", Pod: "cart-0", UID: uid, Container: "app"},
			line: `log "\\var\\log\\pods\\shop_cart-0_` + uid + `\\app\\0.log" doesn't exist`},
		{name: "the link to a log", want: Bearer{Namespace: "shop", Pod: "cart-0", Container: "app", ID: id},
			line: "name=/var/log/containers/cart-0_shop_app-" + id + ".log"},
		{name: "a reference in an event", want: Bearer{Namespace: "shop", Pod: "cart-0", UID: uid, Container: "app"},
			line: `Event(v1.ObjectReference{Kind:"Pod", Namespace:"shop", Name:"cart-0", UID:"` + uid +
				`", APIVersion:"v1", ResourceVersion:"1", FieldPath:"spec.containers{app}"}): type: 'Normal'`},
		{name: "a row of docker ps", want: Bearer{Namespace: "shop", Pod: "cart-0", UID: uid, Container: "app",
			ID: id[:12]},
			line: id[:12] + `   1f3d   "java"   2 hours ago   Up 2 hours   k8s_app_cart-0_shop_` + uid + `_0`},
		{name: "CRI-O", want: Bearer{Namespace: "shop", Pod: "cart-0", Container: "app", ID: id},
			line: `level=info msg="Created container ` + id + `: shop/cart-0/app" id=ab`},
		{name: "CRI-O's start", want: Bearer{Namespace: "shop", Pod: "cart-0", Container: "app", ID: id},
			line: `msg="Started container" PID=3311 containerID=` + id + ` description=shop/cart-0/app id=ab`},
		{name: "a call of a network plugin", want: Bearer{Namespace: "shop", Pod: "cart-0", UID: uid, Sandbox: box},
			line: `Args:"IgnoreUnknown=1;K8S_POD_NAMESPACE=shop;K8S_POD_NAME=cart-0;K8S_POD_INFRA_CONTAINER_ID=` +
				box + `;K8S_POD_UID=` + uid + `"`},
		{name: "Calico", want: Bearer{Namespace: "shop", Pod: "cart-0", Sandbox: box},
			line: `[INFO][4021] k8s.go 383: Populated endpoint ContainerID="` + box +
				`" Namespace="shop" Pod="cart-0" WorkloadEndpoint="n1"`},
		{name: "fields of a line", want: Bearer{Namespace: "shop", Pod: "cart-0", UID: uid, ID: id},
			line: `"Reserved" podUID="` + uid + `" podName="cart-0" podNamespace="shop" containerID="` + id + `"`},
		{name: "fields of JSON", want: Bearer{Namespace: "shop", Pod: "cart-0", UID: uid},
			line: `{"level":"info","msg":"x","K8S_POD_NAME":"cart-0","K8S_POD_NAMESPACE":"shop","K8S_POD_UID":"` +
				uid + `"}`},
		{name: "a row with the UID", want: pod, line: "shop   cart-0   " + uid},
		{name: "a pod without an id", line: `pod="shop/cart-0" event=""`},
		{name: "an id without a pod", line: "shim disconnected id=" + id},
		{name: "a UID that is not the pod's", line: `{"podName":"cart-0","reconcileID":"` + uid + `","container":1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := inLine(c.line)
			if ok != (c.want != Bearer{}) || ok && cmp.Diff(c.want, got) != "" {
				t.Errorf("%v, %+v; want %+v", ok, got, c.want)
			}
		})
	}
}

func TestOnlyIDsThatStandAloneCount(t *testing.T) {
	other := strings.ReplaceAll(uid, "6e3a", "7e3a")
	rows := "shop   cart-0   " + uid + "\nshop   web-0   " + other + "\n"
	for _, c := range []struct {
		name  string
		texts []string
		want  int
	}{
		{name: "the other pod's stand alone nowhere", want: 1,
			texts: []string{rows, "task_memcg=/kubepods.slice/kubepods-pod" + strings.ReplaceAll(uid, "-", "_") +
				".slice"}},
		{name: "no id stands alone", texts: []string{rows}},
		{name: "of a single pod all", want: 1, texts: []string{"shop   cart-0   " + uid, "shim disconnected id=" + id}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Read(c.texts); len(got) != c.want {
				t.Errorf("%d names, want %d: %+v", len(got), c.want, got)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add("name=/var/log/pods/shop_cart-0_"+uid+"/app/0.log", "id="+id)
	f.Add(`"podUID":"`+uid+`","podName":"cart-0"`, uid)
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, n := range Read([]string{a, b}) {
			if n.Pod == "" {
				t.Errorf("an id of nobody: %+v", n)
			}
		}
	})
}

// A kubelet that logs a pod's status names the containers of all ids in it.
func TestAStatusInALineNamesItsContainers(t *testing.T) {
	const state = `{"phase":"Failed","containerStatuses":[{"name":"app","state":{"terminated":{"exitCode":128,` +
		`"containerID":"containerd://` + id + `"}},"lastState":{},"containerID":"containerd://` + id + `"}]}`
	line := `k[2]: I0217 17:30:09.701475 2 status_manager.go:848] "Ignoring same status for pod" pod="shop/cart-0" status=`
	patch := `k[2]: I0217 17:30:09.701475 2 status_manager.go:872] "Patch status for pod" pod="shop/cart-0" podUID="` + uid +
		`" patch="` + strings.ReplaceAll(`{"metadata":{"uid":"`+uid+`"},"status":`+state+`}`, `"`, `\"`) + `"`
	for text, want := range map[string][]Bearer{
		line + state: {{Namespace: "shop", Pod: "cart-0", Container: "app", ID: id}},
		patch: {{Namespace: "shop", Pod: "cart-0", UID: uid, Container: "app", ID: id},
			{Namespace: "shop", Pod: "cart-0", UID: uid}},
		line + state[:120]:     nil,
		line + `{"phase":"x"}`: nil,
	} {
		if got := Read([]string{text + "\nshim disconnected id=" + id + "\n"}); cmp.Diff(want, got) != "" {
			t.Errorf("%s: %+v", text, got)
		}
	}
}
