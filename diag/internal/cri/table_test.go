package cri

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// What crictl and docker print for people: short ids, ages for times.
func TestTablesOfContainersAreRead(t *testing.T) {
	at := time.Unix(1_700_000_000, 0)
	ago := func(d time.Duration) int64 { return at.Add(-d).UnixNano() }
	one, two, code := uint32(1), uint32(2), int32(137)
	for name, c := range map[string]struct {
		text string
		want printed
	}{
		"docker ps": {`CONTAINER ID   IMAGE       COMMAND         CREATED          STATUS                       PORTS   NAMES
4d4a9fe2b3c0   coredns     "/coredns -c…"   2 minutes ago    Up About a minute                    k8s_coredns_dns-0_kube-system_u1_1
7f0b2406d244   pause:3.6   "/pause"         2 minutes ago    Up 2 minutes                         k8s_POD_dns-0_kube-system_u1_1
512cd572956f   web         "/web"           3 hours ago      Exited (137) 5 minutes ago           k8s_web.44a39561_web-0_shop_u2_2
b9ea954fb71e   hyperkube   "/opt/entry"     21 minutes ago   Up About a minute                    kubelet
04122bbd2c56   hyperkube   "/opt/entry"     21 minutes ago   Up 21 minutes                        kube-proxy
c9ea954fb71e   hyperkube   "/opt/entry"     2 hours ago      Exited (0) 4 minutes ago             kubelet
`, printed{
			containers: map[string]*container{
				"4d4a9fe2b3c0": {ID: "4d4a9fe2b3c0", Coarse: true, Name: "coredns",
					Pod: "dns-0", Namespace: "kube-system", PodUID: "u1", Attempt: &one,
					Image: "coredns", State: stateRunning, CreatedAt: ago(2 * time.Minute), StartedAt: ago(time.Minute)},
				"512cd572956f": {ID: "512cd572956f", Coarse: true, Name: "web", Pod: "web-0",
					Namespace: "shop", PodUID: "u2", Attempt: &two, Image: "web", State: stateExited,
					CreatedAt: ago(3 * time.Hour), FinishedAt: ago(5 * time.Minute), ExitCode: &code},
			},
			sandboxes: map[string]*sandbox{"7f0b2406d244": {ID: "7f0b2406d244",
				Coarse: true, Pod: "dns-0", Namespace: "kube-system", PodUID: "u1",
				Attempt: &one, State: stateReady, CreatedAt: ago(2 * time.Minute)}},
			kubelet: ago(time.Minute), kubeletEnded: ago(4 * time.Minute), oldest: other{"kube-proxy", ago(21 * time.Minute)},
		}},
		"nerdctl ps": {
			`CONTAINER ID    IMAGE            COMMAND    CREATED          STATUS                       PORTS    NAMES
512cd572956f    example/web:1    "/web"     3 hours ago      Exited (137) 5 minutes ago            k8s://shop/web-0/web
7f0b2406d244    pause:3.9        "/pause"   2 minutes ago    Up                                    k8s://shop/web-0
`, printed{
				containers: map[string]*container{"512cd572956f": {ID: "512cd572956f", Coarse: true, Name: "web", Pod: "web-0",
					Namespace: "shop", Image: "example/web:1", State: stateExited, CreatedAt: ago(3 * time.Hour),
					FinishedAt: ago(5 * time.Minute), ExitCode: &code}},
				sandboxes: map[string]*sandbox{"7f0b2406d244": {ID: "7f0b2406d244", Coarse: true, Pod: "web-0",
					Namespace: "shop", State: stateReady, CreatedAt: ago(2 * time.Minute)}},
			}},
		"docker ps with chosen columns": {`CONTAINER ID   STATUS   NAMES
512cd572956f   Exited (137) 5 minutes ago   k8s_web_web-0_shop_u2_2
7f0b2406d244   Exited (0) 5 minutes ago     k8s_POD_web-0_shop_u2_1
b9ea954fb71e   Up 3 minutes                 registry
`, printed{
			containers: map[string]*container{"512cd572956f": {ID: "512cd572956f", Coarse: true, Name: "web", Pod: "web-0",
				Namespace: "shop", PodUID: "u2", Attempt: &two, State: stateExited, FinishedAt: ago(5 * time.Minute),
				ExitCode: &code}},
			sandboxes: map[string]*sandbox{"7f0b2406d244": {ID: "7f0b2406d244", Coarse: true, Pod: "web-0",
				Namespace: "shop", PodUID: "u2", Attempt: &one, State: "SANDBOX_NOTREADY"}},
		}},
		"crictl ps, then pods": {
			`CONTAINER           IMAGE               CREATED             STATE               NAME                ATTEMPT             POD ID              POD
3adb909e3031e       cd4ac85e9fe73       6 hours ago         Exited              app                 2                   50ddc8fb1b3d6       web-0
POD ID              CREATED             STATE               NAME                NAMESPACE           ATTEMPT             RUNTIME
50ddc8fb1b3d6       4 weeks ago         NotReady            web-0               shop                1                   (default)
`, printed{
				containers: map[string]*container{"3adb909e3031e": {ID: "3adb909e3031e",
					Coarse: true, Name: "app", Pod: "web-0", Namespace: "shop", Attempt: &two,
					Image: "cd4ac85e9fe73", SandboxID: "50ddc8fb1b3d6", State: stateExited, CreatedAt: ago(6 * time.Hour)}},
				sandboxes: map[string]*sandbox{"50ddc8fb1b3d6": {ID: "50ddc8fb1b3d6",
					Coarse: true, Pod: "web-0", Namespace: "shop", Attempt: &one, State: "SANDBOX_NOTREADY",
					CreatedAt: ago(4 * 7 * 24 * time.Hour)}},
			}},
	} {
		if !IsTable([]byte(c.text)) {
			t.Fatalf("%s: not known as a table", name)
		}
		p := printed{containers: map[string]*container{}, sandboxes: map[string]*sandbox{}}
		p.table([]byte(c.text), at)
		p.complete()
		if d := cmp.Diff(c.want.containers, p.containers); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if d := cmp.Diff(c.want.sandboxes, p.sandboxes); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if p.kubelet != c.want.kubelet || p.kubeletEnded != c.want.kubeletEnded || p.oldest != c.want.oldest {
			t.Errorf("%s: kubelet %d to %d, oldest %v", name, p.kubelet, p.kubeletEnded, p.oldest)
		}
	}
}

func FuzzTable(f *testing.F) {
	f.Add([]byte("POD ID   CREATED   STATE   NAME   NAMESPACE   ATTEMPT\n50ddc8fb1b3d6  4 weeks ago  Ready  a  b  1\n"))
	f.Add(
		[]byte(
			"CONTAINER ID   IMAGE   COMMAND   CREATED   STATUS   PORTS   NAMES\n512cd572956f x \"y\" 3 hours ago Exited (137) 5 minutes ago k8s_a_b_c_d_1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		out, found, _ := FromPrinted("n1", "n1", []evidence.File{evidence.Bytes("x.txt", data)}, time.Unix(1_700_000_000, 0))
		if found && out.Path == "" {
			t.Error("a file without a place")
		}
	})
}

// The table of minikube's logs has no column for the pod.
func TestPodsThatFollowFromTheirContainers(t *testing.T) {
	for name, want := range map[string]string{
		"etcd": "kube-system/etcd-m1", "storage-provisioner": "kube-system/storage-provisioner", "mysql": "/",
	} {
		p := printed{containers: map[string]*container{"1": {Coarse: true, Name: name, SandboxID: "2"}}}
		p.ofStaticPods("m1")
		if c := p.containers["1"]; c.Namespace+"/"+c.Pod != want {
			t.Errorf("%s: %s/%s, want %s", name, c.Namespace, c.Pod, want)
		}
	}
}
