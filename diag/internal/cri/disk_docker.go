package cri

import (
	"path"
	"path/filepath"
	"strings"
)

// docker reads one container of /var/lib/docker/containers/<id>, unless no kubelet created it.
func (r *diskReader) docker(id, dir string, data []byte) error {
	var d dockerContainer
	if err := decode(data, &d); err != nil {
		return err
	}
	if _, kubelets := dockerName(d.Name); !kubelets {
		return nil
	}
	if text, err := readDisk(filepath.Join(dir, "hostconfig.json")); err == nil {
		_ = decode(text, &d.HostConfig) // without it, only the parent is unknown
	}
	parent, cgroup := d.HostConfig.CgroupParent, ""
	switch {
	case strings.HasSuffix(parent, ".slice"):
		cgroup = parent + ":docker:" + id
	case parent != "":
		cgroup = path.Join(parent, id)
	}
	n, _ := d.whose()
	runs := d.State.Running && r.runs(d.State.PID, id)
	if n.sandbox() {
		s := sandbox{ID: id, CgroupsPath: cgroup, CgroupParent: parent}
		d.fillSandbox(&s, n, runs)
		r.records.Sandboxes = append(r.records.Sandboxes, s)
		return nil
	}
	c := container{ID: id, CgroupsPath: cgroup}
	d.fill(&c, n, runs)
	r.records.Containers = append(r.records.Containers, c)
	return nil
}
