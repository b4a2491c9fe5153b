package node

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// cgroup looks for the pod's cgroup: where the old instance was created, where the kubelet looks now, and where
// processes are.
func (f *finder) cgroup() {
	c := &f.Cgroup
	for _, m := range f.R.PodMarksWith(timeline.ToldCgroup) {
		// syncPod checks the cgroup and kills at once; a later message is about the one that it creates afterwards.
		if _, ok := m.Obs.Fact.(evidence.CgroupMissing); ok && f.Kill.Answer == basis.Yes &&
			m.At.Before(f.Kill.At.Add(time.Second)) && f.Kill.At.Sub(m.At) < 2*tolerance.Slack {
			c.Missing = basis.Found(m.At, append(c.Missing.Evidence, m.Obs.ID)...)
		}
	}
	f.moved()
	f.told()
	f.outside()
}

// moved compares the cgroups that two kubelets requested from the runtime, using records of the same kind.
func (f *finder) moved() {
	r, c := f.R, &f.Cgroup
	if r.To == nil {
		return
	}
	was, is := f.exchanged()
	switch {
	case was != nil && is != nil && was.CgroupParent != "" && is.CgroupParent != "":
		c.Old, c.New = was.CgroupParent, is.CgroupParent
		c.Moved.Evidence = []string{was.Record, is.Record}
	case r.From.CgroupsPath != "" && r.To.CgroupsPath != "":
		c.Old, c.New = parentOf(r.From.CgroupsPath), parentOf(r.To.CgroupsPath)
		c.Moved.Evidence = f.BothRecords()
	default:
		return
	}
	c.Moved.Answer = basis.No
	if c.Old != c.New {
		c.Moved.Answer = basis.Yes
	}
	c.Drivers = strings.HasSuffix(c.Old, ".slice") != strings.HasSuffix(c.New, ".slice")
}

// told compares the settings for a pod's cgroup that the kubelet which made the old instance logged with those of the
// one that stopped it.
func (f *finder) told() {
	c := &f.Cgroup
	if f.Node == nil || f.Kill.Answer != basis.Yes {
		return
	}
	for _, name := range []string{evidence.SettingCgroupDriver, evidence.SettingCgroupRoot,
		evidence.SettingCgroupsPerQOS} {
		was, is := f.printed(name)
		if was == nil || is == nil {
			continue
		}
		a, b := CgroupSetting(was), CgroupSetting(is)
		if a == b {
			if c.Told.Answer == basis.Unknown {
				c.Told = basis.Point{Answer: basis.No, Evidence: basis.IDs(was.Obs, is.Obs)}
			}
			continue
		}
		c.Told, c.Setting = basis.Found(is.At, basis.IDs(was.Obs, is.Obs)...), name
		if c.Moved.Answer == basis.Unknown {
			c.Old, c.New = a, b
			c.Drivers = name == evidence.SettingCgroupDriver
		}
		return
	}
}

// printed returns the last logged value of a setting before the old instance began, and before it was killed; nil where
// none was logged.
func (f *finder) printed(name string) (was, is *timeline.Occurrence) {
	began := f.R.From.Made()
	if began.IsZero() {
		return nil, nil
	}
	all, kill := f.Node.Printed(name), f.Kill.At.Add(time.Second)
	if kill.Before(began) {
		began = kill
	}
	return timeline.UpTo(all, began), timeline.UpTo(all, kill)
}

// CgroupSetting returns a setting's value; an empty root is "/".
func CgroupSetting(m *timeline.Occurrence) string {
	set := m.Obs.Fact.(evidence.KubeletSetting)
	if v := set.Value.String(); v != "" || set.Name != evidence.SettingCgroupRoot {
		return v
	}
	return "/"
}

// exchanged returns the pod's sandbox before this restart and the one after it, nil where the runtime has no record.
func (f *finder) exchanged() (was, is *timeline.Sandbox) {
	r := f.R
	was, is = f.T.SandboxOf(r.From), f.T.SandboxOf(r.To)
	if was != nil && is != nil {
		return was, is
	}
	var all []*timeline.Sandbox
	for _, sb := range f.Sandboxes() {
		if !sb.Created.IsZero() {
			all = append(all, sb)
		}
	}
	slices.SortFunc(all, func(a, b *timeline.Sandbox) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	for _, sb := range all {
		if sb.Created.Before(r.End().Add(-tolerance.Slack)) {
			was = sb
		} else if is == nil {
			is = sb
		}
	}
	return was, is
}

// parentOf returns the pod's part of linux.cgroupsPath: systemd's "kubepods-pod<uid>.slice:cri-containerd:<id>", or the
// directory of a path.
func parentOf(cgroupsPath string) string {
	if slice, _, ok := strings.Cut(cgroupsPath, ":"); ok {
		return slice
	}
	return path.Dir(cgroupsPath)
}

// outside looks for processes of the pod that run outside its cgroup now: a runtime that puts the new instance there
// had put the old one there, too.
func (f *finder) outside() {
	c := &f.Cgroup
	if f.Node == nil || f.R.To == nil {
		return
	}
	uid := f.R.PodUID
	if f.R.Pod != nil {
		uid = f.R.Pod.RuntimeUID()
	}
	for _, m := range f.Node.PlacementsOf(f.R.To.ID, f.R.To.SandboxID, f.R.PodUID, uid) {
		p := m.Obs.Fact.(evidence.CgroupPlacement)
		s := m.Obs.Subject
		if s.ContainerID != f.R.To.ID && s.ContainerID != f.R.To.SandboxID && !f.IsPod(s.PodUID) || s.ContainerID == "" {
			continue
		}
		if !p.Outside {
			if c.Outside.Answer != basis.Yes && p.Expected != "" {
				c.Outside = basis.Point{Answer: basis.No, Evidence: basis.IDs(m.Obs)}
			}
			continue
		}
		if c.Outside.Answer != basis.Yes {
			c.Outside = basis.Point{Answer: basis.Yes}
		}
		c.Outside.Evidence = append(c.Outside.Evidence, m.Obs.ID)
		c.Certain = c.Certain || p.DriverFrom == "tree"
		c.SpecForm = c.SpecForm || p.SpecForm
	}
}
