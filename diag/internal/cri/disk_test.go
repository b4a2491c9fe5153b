package cri

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

const (
	hidden = "hunter3"
	podUID = "16a32d29-24eb-4a75-84ed-4c4c71e507a7"
)

var (
	born  = time.Date(2026, 11, 21, 6, 0, 0, 500_000_000, time.UTC)
	begun = born.Add(time.Second)
	gone  = born.Add(time.Hour)
	ctrID = strings.Repeat("c0", 32)
	boxID = strings.Repeat("5a", 32)
)

func collectDisk(t *testing.T, files map[string]string) (containers []evidence.ContainerRecord,
	sandboxes []evidence.SandboxRecord, s *evidence.Snapshot, gaps []evidence.Gap) {
	t.Helper()
	pieces, gaps := NewOnDisk(
		Options{Node: "n1", Root: filetest.Plant(t, files), Now: func() time.Time { return gone }},
	).Collect(
		context.Background())
	b := evidence.NewBuilder(gone)
	for _, p := range pieces {
		p.Observe(b)
		f, data := p.Files()[0], filetest.Content(t, p)
		if f.Path != "nodes/n1/runtime-disk.json" || strings.Contains(data, hidden) {
			t.Errorf("stored %s:\n%s", f.Path, data)
		}
	}
	s = b.Build()
	if len(s.Nodes) != 0 {
		t.Errorf("files on disk tell which runtime the node uses: %+v", s.Nodes)
	}
	for _, o := range s.Observations {
		switch f := o.Fact.(type) {
		case evidence.ContainerRecord:
			containers = append(containers, f)
		case evidence.SandboxRecord:
			sandboxes = append(sandboxes, f)
		}
	}
	return containers, sandboxes, s, gaps
}

// dockerFile is a container of dockershim. kind is container or podsandbox.
func dockerFile(t *testing.T, kind string, change func(map[string]any)) string {
	t.Helper()
	state := map[string]any{"Running": false, "OOMKilled": false, "Pid": 0,
		"ExitCode": 137, "Error": "", "StartedAt": begun, "FinishedAt": gone}
	doc := map[string]any{
		"ID": ctrID, "Created": born, "Name": "/k8s_a_web-0_shop_" + podUID + "_3",
		"Image": "sha256:aa", "Path": "/app", "Args": []string{hidden}, "State": state,
		"Config": map[string]any{"Env": []string{"PASSWORD=" + hidden}, "Cmd": []string{hidden},
			"Image": "app:1", "Labels": map[string]string{
				"io.kubernetes.docker.type": kind, "io.kubernetes.sandbox.id": boxID,
				"annotation.io.kubernetes.container.hash": "c87f01d2", "annotation.io.kubernetes.container.restartCount": "3",
				"annotation.io.kubernetes.container.preStopHandler": hidden, "annotation.kubernetes.io/config.source": "api",
				"note": hidden}},
	}
	change(doc)
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestDockersOwnRecordsAreRead(t *testing.T) {
	code := int32(137)
	exited := evidence.ContainerRecord{State: evidence.StateExited, Attempt: 3,
		Created: born, Started: begun, Finished: gone, ExitCode: &code, Reason: "Error", Image: "app:1",
		Hash: "c87f01d2", RestartCount: 3, CgroupsPath: "kubepods-burstable-podx.slice:docker:" + ctrID}
	state := func(doc map[string]any) map[string]any { return doc["State"].(map[string]any) }
	for _, c := range []struct {
		name   string
		change func(map[string]any)
		proc   string
		want   func(*evidence.ContainerRecord)
	}{
		{"exited", func(map[string]any) {}, "", func(*evidence.ContainerRecord) {}},
		{"out of memory", func(d map[string]any) { state(d)["OOMKilled"] = true },
			"", func(r *evidence.ContainerRecord) { r.Reason = "OOMKilled" }},
		{"could not be started", func(d map[string]any) {
			state(d)["Error"], state(d)["ExitCode"] = "no such file", 127
			state(d)["StartedAt"], state(d)["FinishedAt"] = time.Time{}, time.Time{}
		}, "", func(r *evidence.ContainerRecord) {
			n := int32(127)
			r.Reason, r.Message, r.ExitCode = "ContainerCannotRun", safetext.Clean("no such file"), &n
			r.Started, r.Finished = born, born
		}},
		{"completed", func(d map[string]any) { state(d)["ExitCode"] = 0 }, "",
			func(r *evidence.ContainerRecord) { n := int32(0); r.Reason, r.ExitCode = "Completed", &n }},
		{"running", func(d map[string]any) { state(d)["Running"], state(d)["Pid"] = true, 77 },
			"4:memory:/x/docker-" + ctrID + ".scope\n", func(r *evidence.ContainerRecord) {
				r.State, r.PID, r.Finished, r.ExitCode, r.Reason = evidence.StateRunning, 77, time.Time{}, nil, ""
			}},
		{"running, says a record from before the last boot", func(d map[string]any) {
			state(d)["Running"], state(d)["Pid"] = true, 77
		}, "4:memory:/system.slice/cron.service\n", func(r *evidence.ContainerRecord) {
			r.State, r.Finished, r.ExitCode, r.Reason = evidence.StateUnknown, time.Time{}, nil, ""
		}},
		{"never started", func(d map[string]any) {
			state(d)["ExitCode"], state(d)["StartedAt"], state(d)["FinishedAt"] = 0, time.Time{}, time.Time{}
		},
			"", func(r *evidence.ContainerRecord) {
				r.State, r.Started, r.Finished, r.ExitCode, r.Reason = evidence.StateCreated, time.Time{}, time.Time{}, nil, ""
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := "var/lib/docker/containers/" + ctrID + "/"
			files := map[string]string{dir + "config.v2.json": dockerFile(t, "container", c.change),
				dir + "hostconfig.json": `{"CgroupParent":"kubepods-burstable-podx.slice","Binds":["` + hidden + `"]}`}
			if c.proc != "" {
				files["proc/77/cgroup"] = c.proc
			}
			got, _, s, gaps := collectDisk(t, files)
			want := exited
			c.want(&want)
			if d := cmp.Diff([]evidence.ContainerRecord{want}, got, cmp.AllowUnexported(safetext.Text{})); d != "" ||
				len(gaps) != 0 {
				t.Errorf("%s gaps %+v", d, gaps)
			}
			if sub := s.Observations[0].Subject; sub != (evidence.Subject{Node: "n1",
				Namespace: "shop", Pod: "web-0", PodUID: podUID, Container: "a", ContainerID: ctrID, SandboxID: boxID}) {
				t.Errorf("%+v", sub)
			}
		})
	}
}

func TestDockersSandboxesAndStrangers(t *testing.T) {
	dir := "var/lib/docker/containers/"
	containers, sandboxes, _, gaps := collectDisk(t, map[string]string{
		dir + boxID + "/config.v2.json": dockerFile(t, "podsandbox",
			func(d map[string]any) { d["Name"] = "/k8s_POD_web-0_shop_" + podUID + "_1" }),
		dir + boxID + "/hostconfig.json": `{"CgroupParent":"/kubepods/podx"}`,
		dir + ctrID + "/config.v2.json":  dockerFile(t, "container", func(d map[string]any) { d["Name"] = "/registry" }),
		dir + "tmp/config.v2.json":       "broken", // no container's directory
	})
	want := []evidence.SandboxRecord{{Attempt: 1, Created: born, CgroupParent: "/kubepods/podx", ConfigSource: "api"}}
	if d := cmp.Diff(want, sandboxes); d != "" || len(containers) != 0 || len(gaps) != 0 {
		t.Errorf("%s containers %+v gaps %+v", d, containers, gaps)
	}
}

func ociFile(t *testing.T, annotations map[string]string) string {
	t.Helper()
	data, err := json.Marshal(map[string]any{"ociVersion": "1.0",
		"process": map[string]any{"env": []string{"A=" + hidden}, "args": []string{hidden}}, "annotations": annotations,
		"linux":  map[string]any{"cgroupsPath": "kubepods-podx.slice:r:" + ctrID},
		"mounts": []any{map[string]any{"source": hidden}}})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestSpecsOfContainerdAreRead(t *testing.T) {
	dir := "run/containerd/io.containerd.runtime.v2.task/k8s.io/"
	common := func(kind string) map[string]string {
		return map[string]string{"io.kubernetes.cri.container-type": kind, "io.kubernetes.cri.sandbox-id": boxID,
			"io.kubernetes.cri.sandbox-name": "web-0", "io.kubernetes.cri.sandbox-namespace": "shop",
			"io.kubernetes.cri.sandbox-uid": podUID, "io.kubernetes.cri.container-name": "a",
			"io.kubernetes.cri.image-name": "app:1"}
	}
	containers, sandboxes, s, gaps := collectDisk(t, map[string]string{
		dir + ctrID + "/config.json": ociFile(t, common("container")), dir + ctrID + "/init.pid": "77",
		"proc/77/cgroup":                                "0::/x/cri-containerd-" + ctrID + ".scope\n",
		dir + boxID + "/config.json":                    ociFile(t, common("sandbox")),
		dir + strings.Repeat("ab", 32) + "/config.json": ociFile(t, nil), // of ctr
		"run/k3s/containerd/io.containerd.runtime.v2.task/k8s.io/" + strings.Repeat("cd", 32) + "/init.pid": "7",
	})
	path := "kubepods-podx.slice:r:" + ctrID
	if d := cmp.Diff([]evidence.ContainerRecord{{State: evidence.StateRunning,
		Attempt: -1, RestartCount: -1, Image: "app:1", PID: 77, CgroupsPath: path}},
		containers, cmp.AllowUnexported(safetext.Text{})); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]evidence.SandboxRecord{{Attempt: -1}}, sandboxes); d != "" || len(gaps) != 0 {
		t.Errorf("%s gaps %+v", d, gaps)
	}
	for _, o := range s.Observations {
		if o.Subject.PodUID != podUID || o.Subject.SandboxID != boxID || o.Subject.Namespace != "shop" {
			t.Errorf("%+v", o.Subject)
		}
	}
}

func TestRecordsOfCRIOAreRead(t *testing.T) {
	dir := "var/lib/containers/storage/overlay-containers/"
	common := func(kind, metadata string) map[string]string {
		p := "io.kubernetes.cri-o."
		return map[string]string{p + "ContainerType": kind, p + "SandboxID": boxID,
			p + "Metadata": metadata, p + "ImageName": "app:1", p + "ImageRef": "sha256:aa",
			p + "Namespace": "shop", p + "KubeName": "web-0", p + "CgroupParent": "kubepods-podx.slice",
			p + "Labels":      `{"io.kubernetes.container.name":"a","io.kubernetes.pod.name":"web-0","io.kubernetes.pod.namespace":"shop","io.kubernetes.pod.uid":"` + podUID + `"}`,
			p + "Annotations": `{"io.kubernetes.container.hash":"c87f01d2","io.kubernetes.container.restartCount":"3","kubernetes.io/config.source":"file","secret":"` + hidden + `"}`, p + "Volumes": hidden}
	}
	state := func(status string, more string) string {
		return `{"ociVersion":"1","id":"x","status":"` + status + `","pid":77,"created":"` +
			born.Format(time.RFC3339Nano) + `","started":"` + begun.Format(time.RFC3339Nano) +
			`","finished":"` + gone.Format(time.RFC3339Nano) + `"` + more + `}`
	}
	code := int32(137)
	base := evidence.ContainerRecord{State: evidence.StateExited, Attempt: 3,
		Created: born, Started: begun, Finished: gone, ExitCode: &code, Reason: "OOMKilled",
		Image: "app:1", Hash: "c87f01d2", RestartCount: 3,
		CgroupsPath: "kubepods-podx.slice:r:" + ctrID}
	for _, c := range []struct {
		name, state, proc string
		want              func(*evidence.ContainerRecord)
	}{
		{"exited", state("stopped", `,"exitCode":137,"oomKilled":true`), "", func(*evidence.ContainerRecord) {}},
		{"exited by itself", state("stopped", `,"exitCode":137,"error":"x"`),
			"", func(r *evidence.ContainerRecord) { r.Reason, r.Message = "Error", safetext.Clean("x") }},
		{"completed", state("stopped", `,"exitCode":0`), "", func(r *evidence.ContainerRecord) {
			n := int32(0)
			r.Reason, r.ExitCode = "Completed", &n
		}},
		{"running", state("running", ""), "0::/crio-" + ctrID + ".scope\n", func(r *evidence.ContainerRecord) {
			r.State, r.PID, r.Finished, r.ExitCode, r.Reason = evidence.StateRunning, 77, time.Time{}, nil, ""
		}},
		{"ended, and nobody wrote how", state("stopped", ""), "", func(r *evidence.ContainerRecord) {
			r.State, r.Finished, r.ExitCode, r.Reason = evidence.StateUnknown, time.Time{}, nil, ""
		}},
		{"no state at all", "", "", func(r *evidence.ContainerRecord) {
			r.State, r.Created, r.Started, r.Finished, r.ExitCode, r.Reason = evidence.StateUnknown,
				time.Time{}, time.Time{}, time.Time{}, nil, ""
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{dir + ctrID + "/userdata/config.json": ociFile(t,
				common("container", `{"name":"a","attempt":3}`)), dir + boxID +
				"/userdata/config.json": ociFile(t, common("sandbox", `{"name":"web-0"}`)),
				dir + strings.Repeat("ab", 32) + "/userdata/config.json": ociFile(t,
					map[string]string{"io.podman.annotations": "x"})}
			if c.state != "" {
				files[dir+ctrID+"/userdata/state.json"] = c.state
			}
			if c.proc != "" {
				files["proc/77/cgroup"] = c.proc
			}
			got, boxes, _, gaps := collectDisk(t, files)
			want := base
			c.want(&want)
			if d := cmp.Diff([]evidence.ContainerRecord{want}, got, cmp.AllowUnexported(safetext.Text{})); d != "" ||
				len(gaps) != 0 {
				t.Errorf("%s gaps %+v", d, gaps)
			}
			box := []evidence.SandboxRecord{{CgroupParent: "kubepods-podx.slice", ConfigSource: "file"}}
			if d := cmp.Diff(box, boxes); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestWhatIsBrokenOnDiskCostsOnlyItself(t *testing.T) {
	dir := "var/lib/docker/containers/"
	containers, _, _, gaps := collectDisk(t,
		map[string]string{dir + ctrID + "/config.v2.json": dockerFile(t, "container", func(map[string]any) {}),
			dir + boxID + "/config.v2.json": `{"State":"` + hidden + `"}`, dir +
				strings.Repeat("ab", 32) + "/config.v2.json": hidden,
			dir + strings.Repeat("cd", 32) + "/config.v2.json": strings.Repeat(" ", maxDiskFile+1)})
	if len(containers) != 1 || len(gaps) != 1 || !strings.Contains(gaps[0].Why, "3 unreadable") ||
		strings.Contains(gaps[0].Why, hidden) {
		t.Errorf("%d containers, gaps %+v", len(containers), gaps)
	}
	if pieces, gaps := NewOnDisk(Options{Node: "n1", Root: t.TempDir()}).Collect(context.Background()); len(pieces)+
		len(gaps) != 0 {
		t.Errorf("a node without any: %v %+v", pieces, gaps)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	root := filetest.Plant(t, map[string]string{dir + ctrID + "/config.v2.json": "{}"})
	if pieces, gaps := NewOnDisk(Options{Node: "n1", Root: root}).Collect(ctx); len(pieces) != 0 ||
		len(gaps) != 1 || !strings.Contains(gaps[0].Why, "not all of them") {
		t.Errorf("no time: %v %+v", pieces, gaps)
	}
}

func FuzzDisk(f *testing.F) {
	f.Add(
		[]byte(
			`{"Name":"/k8s_a_web-0_shop_uid_3","State":{"Running":true,"Pid":1},"Config":{"Labels":{"io.kubernetes.docker.type":"podsandbox"}}}`,
		))
	f.Add([]byte(`{"annotations":{"io.kubernetes.cri.container-type":"container"},"linux":{"cgroupsPath":"/k"}}`))
	f.Add(
		[]byte(
			`{"annotations":{"io.kubernetes.cri-o.ContainerType":"container","io.kubernetes.cri-o.Metadata":"{\"attempt\":1}"}}`,
		))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		r := diskReader{ctx: context.Background(), root: dir}
		for _, take := range []func(string, string, []byte) error{r.docker, r.crio, r.containerd} {
			if err := take(ctrID, dir, data); err != nil && len(err.Error()) > 1000+len(data) {
				t.Fatal(err)
			}
		}
		for _, c := range r.records.Containers {
			o := c.observation()
			if rec := o.Fact.(evidence.ContainerRecord); rec.State == evidence.StateRunning ||
				rec.PID != 0 || !safetext.Safe(o.Text.String()) {
				t.Fatalf("%+v from %q", o, data)
			}
		}
	})
}
