package kubeletdir

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

const staticPod = `apiVersion: v1
kind: Pod
metadata: {name: etcd, namespace: kube-system, uid: abc}
spec:
  initContainers: [{name: i, image: "init:1"}]
  containers: [{name: etcd, image: "etcd:3.5", env: [{name: TOKEN, value: ` + secret + `}],
	command: [etcd, --password=` + secret + `]}]
`

func TestManifestsOfStaticPods(t *testing.T) {
	files := map[string]string{
		"etc/kubernetes/manifests/etcd.yaml": staticPod, "etc/kubernetes/manifests/.hidden.yaml": staticPod,
		"etc/kubernetes/manifests/backup/old.yaml": staticPod,
		"etc/kubernetes/manifests/list.yaml":       "kind: List\n", "etc/kubernetes/manifests/broken": "a: " +
			secret + "\n\t}{", "etc/kubernetes/manifests/link.yaml": "-> etcd.yaml",
		"etc/kubernetes/manifests/plain.json": `{"kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"x"}]}}`,
		"etc/kubernetes/manifests/dangling":   "-> nowhere",
	}
	s, gaps, raw := collect(t, files, func(o *Options) { o.RootDir = "/none" })
	got := facts[evidence.StaticManifest](s)
	etcd := evidence.StaticManifest{Path: "/etc/kubernetes/manifests/etcd.yaml",
		Changed: written, UID: "abc", Images: []string{"init:1", "etcd:3.5"}}
	link := etcd
	link.Path = "/etc/kubernetes/manifests/link.yaml"
	want := map[string]evidence.StaticManifest{
		"kube-system/etcd-n1|" + etcd.Path: etcd, "kube-system/etcd-n1|" + link.Path: link,
		"|/etc/kubernetes/manifests/list.yaml": {Path: "/etc/kubernetes/manifests/list.yaml",
			Changed: written, Problem: safetext.Clean("not a Pod")},
		"|/etc/kubernetes/manifests/broken": {Path: "/etc/kubernetes/manifests/broken",
			Changed: written, Problem: safetext.Clean("not a YAML object of the expected types")},
		"default/p-n1|/etc/kubernetes/manifests/plain.json": {Path: "/etc/kubernetes/manifests/plain.json",
			Changed: written, Images: []string{"x"}},
		"|/etc/kubernetes/manifests/dangling": {Path: "/etc/kubernetes/manifests/dangling",
			Problem: safetext.Clean("no such file or directory")},
	}
	if d := cmp.Diff(want, got, texts); d != "" {
		t.Error(d)
	}
	if strings.Contains(raw, secret) {
		t.Errorf("kept too much: %s", raw)
	}
	if len(gaps) != 1 { // of /none
		t.Errorf("gaps %+v", gaps)
	}
	for _, o := range s.Observations {
		if strings.Contains(o.Text.String(), secret) {
			t.Errorf("%s", o.Text)
		}
	}
}

func TestAChangedManifestHasAnotherDigest(t *testing.T) {
	digest := func(content string) string {
		s, _, _ := collect(t, map[string]string{"var/lib/kubelet/": "", "m/p.yaml": content},
			func(o *Options) { o.StaticPodPath = "/m/p.yaml" })
		for _, o := range s.Observations {
			if _, digest, ok := strings.Cut(o.Text.String(), "sha256 "); ok {
				return digest
			}
		}
		return ""
	}
	one, again, other := digest(staticPod), digest(staticPod), digest(staticPod+"\n")
	if one == "" || one != again || one == other {
		t.Errorf("digests %q, %q, %q", one, again, other)
	}
}

func TestLogDirectoriesRememberInstances(t *testing.T) {
	id := strings.Repeat("ab", 32)
	dir := "var/log/pods/shop_web-0_" + uid + "/"
	s, gaps, _ := collect(t, map[string]string{
		"var/lib/kubelet/": "",
		dir + "a/3.log":    secret, dir + "a/4.log": "x", dir + "a/4.log.20261121-070000": "y",
		dir + "a/4.log.20261121-060000.gz": "z",
		dir + "a/notes.txt":                "", dir + "a/5x.log": "", dir + "a/6.logs": "", dir + "a/7.log/": "",
		dir + "docker/0.log": "-> /var/lib/docker/containers/" + id + "/" + id + "-json.log",
		dir + "empty/":       "", dir + "file": "",
		"var/log/pods/" + uid + "/old/1.log": "x", "var/log/pods/a_b/c/0.log": "", "var/log/pods/short/c/0.log": "",
	}, nil)
	if len(gaps) != 0 {
		t.Errorf("gaps %+v", gaps)
	}
	got := facts[evidence.ContainerLogs](s)
	born := false
	for _, l := range got { // when a file was born is the machine's business
		for i := range l.Attempts {
			a := &l.Attempts[i]
			born = born || !a.Begun.IsZero()
			a.Begun = time.Time{}
		}
	}
	if birth(t.TempDir()).IsZero() != !born {
		t.Error("the birth of the files is not kept")
	}
	want := map[string]evidence.ContainerLogs{
		"shop/web-0/" + uid + "/a|": {Attempts: []evidence.LoggedAttempt{{Number: 3, Changed: written},
			{Number: 4, Changed: written}}},
		"shop/web-0/" + uid + "/docker|": {Attempts: []evidence.LoggedAttempt{{Number: 0, ContainerID: id}}},
		uid + "/old|":                    {Attempts: []evidence.LoggedAttempt{{Number: 1, Changed: written}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
