package collectorpod

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

func golden(t *testing.T, name string, object any) {
	t.Helper()
	got, err := yaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	filetest.Golden(t, filepath.Join("testdata", name), string(got))
}

func options(grants ...Grant) Options {
	return Options{Image: "example.org/restartwhy@sha256:" + strings.Repeat("a", 64),
		Grants: grants, Now: func() time.Time { return t0 }}.withDefaults()
}

func planned(o Options) plan {
	sources, mounts, _ := seen(corev1.NodeSystemInfo{ContainerRuntimeVersion: "containerd://2.1.4"}, o.Grants, nil)
	owner := &batchv1.Job{}
	owner.Name, owner.UID = "restartwhy-collector-0", "u"
	return plan{name: "restartwhy-collector-0-0", node: "n1", owner: owner,
		sources: sources, mounts: mounts, left: o.Timeout}
}

// What a pod may do is read by people before they allow it.
func TestThePodAsPeopleReadIt(t *testing.T) {
	o := options()
	golden(t, "pod.yaml", pod(planned(o), o))
	o = options(Grants()...)
	golden(t, "pod-with-all-grants.yaml", pod(planned(o), o))
	golden(t, "job.yaml", timer("restartwhy-collector-0", "n1", o))
}

// None of this may change by a grant.
func TestNoGrantMakesThePodMoreThanAReader(t *testing.T) {
	for _, grants := range [][]Grant{nil, {GrantCRI}, {GrantProc}, {GrantSystemd},
		{GrantSELinux}, {GrantHostNetwork}, Grants()} {
		o := options(grants...)
		p := pod(planned(o), o)
		c := p.Spec.Containers[0]
		s := c.SecurityContext
		switch {
		case *s.Privileged, *s.AllowPrivilegeEscalation, !*s.ReadOnlyRootFilesystem:
			t.Errorf("%v: security context %+v", grants, s)
		case len(s.Capabilities.Add) > 0 || !slices.Equal(s.Capabilities.Drop, []corev1.Capability{"ALL"}):
			t.Errorf("%v: capabilities %+v", grants, s.Capabilities)
		case p.Spec.HostPID, p.Spec.HostIPC, p.Spec.HostNetwork != slices.Contains(grants, GrantHostNetwork):
			t.Errorf("%v: host namespaces", grants)
		case *p.Spec.AutomountServiceAccountToken, p.Spec.ServiceAccountName != "":
			t.Errorf("%v: it has an account", grants)
		case p.Spec.SecurityContext.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault:
			t.Errorf("%v: seccomp %+v", grants, p.Spec.SecurityContext)
		case p.Spec.RestartPolicy != corev1.RestartPolicyNever, *p.Spec.ActiveDeadlineSeconds != 120,
			*p.Spec.TerminationGracePeriodSeconds != 1:
			t.Errorf("%v: it may live on", grants)
		case !c.Stdin, !c.StdinOnce, c.TTY:
			t.Errorf("%v: it has no leash", grants)
		}
		for _, m := range c.VolumeMounts {
			if !m.ReadOnly || !strings.HasPrefix(m.MountPath, Root+"/") {
				t.Errorf("%v: mount %+v", grants, m)
			}
		}
		for _, v := range p.Spec.Volumes {
			if v.HostPath == nil || v.HostPath.Type == nil || *v.HostPath.Type == corev1.HostPathUnset ||
				*v.HostPath.Type == corev1.HostPathDirectoryOrCreate {
				t.Errorf("%v: volume %+v could be made on the node", grants, v)
			}
		}
	}
}

func TestWithoutAGrantNoSocketAndNoProcIsMounted(t *testing.T) {
	o := options()
	for _, v := range pod(planned(o), o).Spec.Volumes {
		if *v.HostPath.Type == corev1.HostPathSocket || v.HostPath.Path == "/proc" ||
			v.HostPath.Path == "/" || v.HostPath.Path == "/run" {
			t.Errorf("mounts %s", v.HostPath.Path)
		}
	}
}

func TestTheRuntimeDecidesWhichSocketIsMounted(t *testing.T) {
	for _, c := range []struct{ runtime, kubelet, want string }{
		{"containerd://1.6.20", "v1.30.14", "/run/containerd/containerd.sock"},
		{"containerd://2.1.4-k3s1", "v1.34.1+k3s1", "/run/k3s/containerd/containerd.sock"},
		{"containerd://2.1.4-k3s1", "v1.34.1+rke2r1", "/run/k3s/containerd/containerd.sock"},
		{"cri-o://1.31.0", "v1.31.0", "/run/crio/crio.sock"},
		{"docker://24.0.7", "v1.28.0", "/run/cri-dockerd.sock"},
		{"", "",
			"/run/containerd/containerd.sock /run/crio/crio.sock /run/cri-dockerd.sock /run/k3s/containerd/containerd.sock"},
	} {
		var got []string
		for _, m := range runtimes(corev1.NodeSystemInfo{ContainerRuntimeVersion: c.runtime, KubeletVersion: c.kubelet}) {
			got = append(got, m.path)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s with %s: %v, want %s", c.runtime, c.kubelet, got, c.want)
		}
	}
}

func TestTheClusterGivesUpAfterWeDo(t *testing.T) {
	o := options()
	o.Timeout = 5 * time.Minute
	p := planned(o)
	p.left = 100 * time.Millisecond
	if got := *pod(p, o).Spec.ActiveDeadlineSeconds; got != 1 {
		t.Errorf("a pod with no time left may run %d s", got)
	}
	job := timer("x", "n1", o)
	if got := time.Duration(*job.Spec.TTLSecondsAfterFinished) * time.Second; got <= o.Timeout {
		t.Errorf("the cluster removes the pod after %s, before we do", got)
	}
	if *job.Spec.Completions != 0 || *job.Spec.Parallelism != 0 {
		t.Error("the job would run something")
	}
}

func TestAbsentFindsOurMountWhereverItStands(t *testing.T) {
	mounts := []mount{{"journal", "/var/log/journal", directory}, {"a", "/run/a", socket},
		{"ab", "/run/a.b", socket}, {"below", "/run/a/b", socket}}
	for message, want := range map[string][]string{
		// Kubelets up to 1.36, and 1.37 and newer.
		`MountVolume.SetUp failed for volume "journal" : hostPath type check failed: /var/log/journal is not a directory`:                                               {"/var/log/journal"},
		`MountVolume.SetUp failed for volume "a" : hostPath type check failed: /run/a is not a socket file`:                                                             {"/run/a"},
		`MountVolume.SetUp failed for volume "a" : hostPath type check failed, /run/a is not a socket file, unable to determine its type: path "/run/a" does not exist`: {"/run/a"},
		`MountVolume.SetUp failed for volume "journal" : hostPath type check failed: /var/log/journal is not a directory, it's a File`:                                  {"/var/log/journal"},
		// What another kubelet might say.
		`path "/run/a": no such file`: {"/run/a"},
		`there is no /run/a.`:         {"/run/a"},
		`none of /run/a.b, /run/a/b`:  {"/run/a.b", "/run/a/b"},
		`volume "a" cannot be had`:    {"/run/a"},
		`/run/a`:                      {"/run/a"},
		`(/run/a/b) of "below"`:       {"/run/a/b"},
		// What is not ours.
		`MountVolume.SetUp failed for volume "b" : hostPath type check failed: /elsewhere is not a directory`: nil,
		`MountVolume.SetUp failed for volume "b" : /host/run/a /run/a-b /run/ab /run/a/c /run/a.c/run/a`:      nil,
		`volume a, volumes "x" "a"`: nil,
		"":                          nil,
	} {
		if diff := cmp.Diff(want, absent(message, mounts)); diff != "" {
			t.Errorf("%s: %s", message, diff)
		}
	}
}

// Each guess leaves less, and what every node has stays.
func TestAGuessLeavesOutWhatANodeMayLack(t *testing.T) {
	o := options(Grants()...)
	left := planned(o).mounts
	for n, want := range []int{len(left) - 5, 2, 0} {
		paths := guess(left)
		if len(paths) != want {
			t.Errorf("guess %d leaves out %v", n, paths)
		}
		left = slices.DeleteFunc(left, func(m mount) bool { return slices.Contains(paths, m.path) })
	}
	if len(left) != 3 {
		t.Errorf("%v is left", left)
	}
}

func TestImages(t *testing.T) {
	digest := "@sha256:" + strings.Repeat("0", 64)
	for image, want := range map[string]struct{ pinned, ok bool }{
		"ghcr.io/x/y" + digest: {true, true}, "x:1" + digest: {true, true}, "x:1": {false, true},
		"": {}, "a b": {}, "x@sha256:12": {},
	} {
		pinned, err := CheckImage(image)
		if pinned != want.pinned || (err == nil) != want.ok {
			t.Errorf("%q: pinned %v, error %v", image, pinned, err)
		}
	}
}

func TestGrantsAreReadStrictly(t *testing.T) {
	got, err := ParseGrants([]string{"systemd", "cri", "cri"})
	if err != nil || !slices.Equal(got, []Grant{GrantCRI, GrantSystemd}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := ParseGrants([]string{"root"}); err == nil ||
		!strings.Contains(err.Error(), "cri, hostnetwork, proc, selinux, systemd") {
		t.Errorf("error %v", err)
	}
}

func TestTheEndOfWhatWasSaid(t *testing.T) {
	w := &tail{max: 20}
	_, _ = w.Write([]byte("a long first line\n"))
	_, _ = w.Write([]byte("error: second\n"))
	if w.text() != "error: second" || w.buf.Len() > 20 {
		t.Errorf("kept %q", w.buf.String())
	}
}
