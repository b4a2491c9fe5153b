package cgroup

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	uid    = "2d1f9ab4-4c1b-4c50-8d8c-6d3c53fd3a10"
	uidEsc = "2d1f9ab4_4c1b_4c50_8d8c_6d3c53fd3a10"
	id     = "3f0c0b8e0a1a4be7f2c4bfe5a1c0de5573e4d1c27f4b0f8ae1b7fdc2a7c8d901"
)

func TestParsePathReadsBothDrivers(t *testing.T) {
	base := Ref{Level: LevelContainer, PodUID: uid, ContainerID: id, Driver: DriverSystemd, QOS: QOSBurstable, Root: "/"}
	slice := "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" + uidEsc + ".slice"
	with := func(f func(*Ref)) *Ref { r := base; f(&r); return &r }
	fs := func(f func(*Ref)) *Ref {
		return with(func(r *Ref) { r.Driver = DriverCgroupfs; f(r) })
	}
	cases := map[string]struct {
		path string
		want *Ref
	}{
		"containerd with systemd": {slice + "/cri-containerd-" + id + ".scope", &base},
		"CRI-O with systemd":      {slice + "/crio-" + id + ".scope", &base},
		"docker with systemd":     {slice + "/docker-" + id + ".scope", &base},
		"CRI-O's monitor is no container": {slice + "/crio-conmon-" + id + ".scope",
			with(func(r *Ref) { r.Level = LevelMonitor })},
		"the OCI spec's form for systemd": {"kubepods-burstable-pod" + uidEsc + ".slice:cri-containerd:" + id,
			with(func(r *Ref) { r.Spec = true })},
		"that form as a directory below the runtime's unit": {"/system.slice/containerd.service/kubepods-burstable-pod" +
			uidEsc + ".slice:crio:" + id,
			with(func(r *Ref) { r.Spec = true })},
		"a pod's slice": {slice, with(func(r *Ref) { r.Level, r.ContainerID = LevelPod, "" })},
		"a guaranteed pod's slice": {"/kubepods.slice/kubepods-pod" + uidEsc + ".slice",
			with(func(r *Ref) { r.Level, r.ContainerID, r.QOS = LevelPod, "", QOSGuaranteed })},
		"the QoS slice": {"/kubepods.slice/kubepods-besteffort.slice",
			&Ref{Level: LevelQOS, Driver: DriverSystemd, QOS: QOSBestEffort, Root: "/"}},
		"the node's slice": {"/kubepods.slice", &Ref{Level: LevelNode, Driver: DriverSystemd, Root: "/"}},
		"a cgroup root in slice names": {
			"/docker/x/kubelet_a.slice/kubelet_a-kubepods.slice/kubelet_a-kubepods-burstable.slice/kubelet_a-kubepods-burstable-pod" + uidEsc + ".slice/cri-containerd-" + id + ".scope", with(func(r *Ref) { r.Root = "/kubelet-a" })},
		"a cgroup made inside": {slice + "/crio-" + id + ".scope/container/init.scope",
			with(func(r *Ref) { r.Inner = "container/init.scope" })},
		"a pod slice without parents": {"kubepods-burstable-pod" + uidEsc + ".slice/cri-containerd-" + id + ".scope", &base},
		"a scope outside kubepods": {"/system.slice/cri-containerd-" + id + ".scope",
			&Ref{Level: LevelContainer, ContainerID: id, Driver: DriverSystemd}},
		"cgroupfs, burstable":  {"/kubepods/burstable/pod" + uid + "/" + id, fs(func(*Ref) {})},
		"cgroupfs, guaranteed": {"/kubepods/pod" + uid + "/" + id, fs(func(r *Ref) { r.QOS = QOSGuaranteed })},
		"cgroupfs, besteffort, CRI-O": {"/kubepods/besteffort/pod" + uid + "/crio-" + id,
			fs(func(r *Ref) { r.QOS = QOSBestEffort })},
		"cgroupfs, a cgroup root": {"/lab-n1/kubepods/burstable/pod" + uid + "/" + id,
			fs(func(r *Ref) { r.Root = "/lab-n1" })},
		"a static pod's hash": {"/kubepods/burstable/pod0123456789abcdef0123456789abcdef/" + id,
			fs(func(r *Ref) { r.PodUID = "0123456789abcdef0123456789abcdef" })},
		"the pod alone": {"/kubepods/burstable/pod" + uid, fs(func(r *Ref) { r.Level, r.ContainerID = LevelPod, "" })},
		"a foreign child of the pod": {"/kubepods/burstable/pod" + uid + "/helper",
			fs(func(r *Ref) { r.Level, r.ContainerID, r.Inner = LevelPod, "", "helper" })},
		"a cluster inside a pod gives the outer pod": {"/kubepods/burstable/pod" +
			uid + "/" + id + "/kubelet/kubepods/podx/" + id,
			fs(func(r *Ref) { r.Inner = "kubelet/kubepods/podx/" + id })},
		"cgroupfs, the node": {"/kubepods", &Ref{Level: LevelNode, Driver: DriverCgroupfs, Root: "/"}},
		"cgroupfs, the QoS class": {"/kubepods/burstable",
			&Ref{Level: LevelQOS, Driver: DriverCgroupfs, QOS: QOSBurstable, Root: "/"}},
		"another service":               {"/system.slice/ssh.service", nil},
		"the root":                      {"/", nil},
		"nothing":                       {"", nil},
		"a name that only starts alike": {"/kubepodsx/pod" + uid, nil},
		"a slice with a bad UID":        {"/kubepods-pod.slice/x", nil},
		"a user's container":            {"/user.slice/docker-" + id + ".scope", nil},
		"a scope without an id":         {"/system.slice/crio-foo.scope", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, ok := ParsePath(c.path)
			if ok != (c.want != nil) {
				t.Fatalf("ParsePath(%q) = %+v, %v", c.path, got, ok)
			}
			if c.want != nil {
				if d := cmp.Diff(*c.want, got); d != "" {
					t.Error(d)
				}
			}
		})
	}
}

func TestExpectedPathFollowsTheKubelet(t *testing.T) {
	cases := map[string]struct{ driver, root, qos, want string }{
		"cgroupfs guaranteed":  {DriverCgroupfs, "/", QOSGuaranteed, "/kubepods/pod" + uid},
		"cgroupfs burstable":   {DriverCgroupfs, "", QOSBurstable, "/kubepods/burstable/pod" + uid},
		"cgroupfs with a root": {DriverCgroupfs, "/lab-n1", QOSBestEffort, "/lab-n1/kubepods/besteffort/pod" + uid},
		"systemd guaranteed":   {DriverSystemd, "/", QOSGuaranteed, "/kubepods.slice/kubepods-pod" + uidEsc + ".slice"},
		"systemd besteffort": {DriverSystemd, "/", QOSBestEffort,
			"/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" + uidEsc + ".slice"},
		"systemd with a dashed root": {DriverSystemd, "/lab-n1", QOSBurstable,
			"/lab_n1.slice/lab_n1-kubepods.slice/lab_n1-kubepods-burstable.slice/lab_n1-kubepods-burstable-pod" +
				uidEsc + ".slice"},
		"a driver that is none":       {"openrc", "/", QOSBurstable, ""},
		"a QoS class that is unknown": {DriverSystemd, "/", "", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := ExpectedPath(c.driver, c.root, c.qos, uid)
			if got != c.want {
				t.Fatalf("got  %s\nwant %s", got, c.want)
			}
			if got == "" {
				return
			}
			// What we build, we read back.
			ref, ok := ParsePath(got)
			if !ok || ref.PodUID != uid || ref.QOS != c.qos || ref.Driver != c.driver || ref.Level != LevelPod {
				t.Errorf("read back %+v, %v", ref, ok)
			}
		})
	}
	if got := ExpectedPath(DriverCgroupfs, "/", QOSBurstable, ""); got != "" {
		t.Errorf("a pod without UID got %q", got)
	}
}

func FuzzParsePath(f *testing.F) {
	for _, s := range []string{
		"/kubepods/burstable/pod" + uid + "/" + id,
		"/kubepods.slice/kubepods-pod" + uidEsc + ".slice/crio-" + id + ".scope",
		"kubepods-besteffort-pod" + uidEsc + ".slice:cri-containerd:" + id,
		"/system.slice/cri-containerd-" + id + ".scope", "////", ".slice:", "kubepods.slice:a",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ref, ok := ParsePath(s)
		if !ok {
			if ref != (Ref{}) && ref.ContainerID != "" {
				t.Fatalf("refused %q but returned %+v", s, ref)
			}
			return
		}
		if ref.Level == "" && ref.Inner == "" {
			t.Fatalf("%q: accepted without a level", s)
		}
		for _, part := range []string{ref.PodUID, ref.ContainerID} {
			if len(part) > 128 || strings.ContainsAny(part, "/ \n\x1b") {
				t.Fatalf("%q: unsafe id %q", s, part)
			}
		}
	})
}
