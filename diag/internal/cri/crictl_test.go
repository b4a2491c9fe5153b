package cri

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

const (
	containerA = "cfbbbf3f70d6994adc39f392fb9750a9e7d70445fca6d1fc5e265b88c024f0fa"
	sandboxA   = "0d4e8a1535ff50a48ce3204880af7cafddcc8521f56ff3382fdf0621d2b36338"
	canary     = "hunter2-in-the-environment"

	crictlPS = `{"containers":[{"id":"` + containerA + `","podSandboxId":"` +
		sandboxA + `","metadata":{"name":"a","attempt":3},
"image":{"image":"sha256:aa","userSpecifiedImage":"busybox:1.36"},"imageRef":"sha256:aa","state":"CONTAINER_EXITED","createdAt":"1795244400000000000",
"labels":{"io.kubernetes.container.name":"a","io.kubernetes.pod.name":"web-0","io.kubernetes.pod.namespace":"shop","io.kubernetes.pod.uid":"u1"},
"annotations":{"io.kubernetes.container.hash":"c87f01d2","io.kubernetes.container.restartCount":"3","other":"` + canary + `"}}]}`
	crictlPods = `{"items":[{"id":"` + sandboxA +
		`","metadata":{"name":"web-0","uid":"u1","namespace":"shop","attempt":1},"state":"SANDBOX_READY","createdAt":"1795244399000000000","labels":{},"annotations":{},"runtimeHandler":""}]}`
	// Keys in the order of recent crictl: info before status.
	crictlInspect = `{"info":{"config":{"envs":[{"key":"PASSWORD","value":"` +
		canary + `"}]},"pid":0,"sandboxID":"` + sandboxA + `",
"runtimeSpec":{"process":{"args":["sh","-c","` + canary + `"],"env":["PASSWORD=` + canary + `"]},"linux":{"cgroupsPath":"kubepods-pod1.slice:cri-containerd:` + containerA + `"}}},
"status":{"id":"` + containerA + `","metadata":{"attempt":3,"name":"a"},"state":"CONTAINER_EXITED","createdAt":"2026-11-21T07:00:00Z","startedAt":"2026-11-21T07:00:01.5Z","finishedAt":"2026-11-21T07:00:09Z",
"exitCode":137,"reason":"OOMKilled","message":"","resources":{"linux":{"memoryLimitInBytes":"268435456"}},"image":{"image":"busybox:1.36"},"imageRef":"sha256:aa","mounts":[{"hostPath":"/` + canary + `"}],
"labels":{"io.kubernetes.container.name":"a","io.kubernetes.pod.name":"web-0","io.kubernetes.pod.namespace":"shop","io.kubernetes.pod.uid":"u1"},
"annotations":{"io.kubernetes.container.hash":"c87f01d2","io.kubernetes.container.restartCount":"3"}}}`
	crictlInspectP = `{"status":{"id":"` + sandboxA +
		`","metadata":{"attempt":1,"name":"web-0","namespace":"shop","uid":"u1"},"state":"SANDBOX_READY","createdAt":"2026-11-21T06:59:59Z",
"network":{"ip":"10.0.0.7"},"linux":{"namespaces":{"options":{"network":"NODE"}}},"labels":{},"annotations":{}},"info":{"pid":81,"runtimeSpec":{"linux":{"cgroupsPath":"/p"}}}}`
	dockerInspect = `[{"Id":"` + containerA + `","Created":"2026-11-21T07:00:00Z","Path":"sh","Args":["` + canary + `"],
"State":{"Status":"exited","Running":false,"OOMKilled":true,"Pid":0,"ExitCode":137,"Error":"","StartedAt":"2026-11-21T07:00:01.5Z","FinishedAt":"2026-11-21T07:00:09Z"},
"Image":"sha256:aa","Name":"/k8s_a_web-0_shop_u1_3","Config":{"Env":["PASSWORD=` + canary + `"],"Image":"busybox:1.36","Labels":{"annotation.io.kubernetes.container.hash":"c87f01d2",
"annotation.io.kubernetes.container.restartCount":"3","io.kubernetes.container.name":"a","io.kubernetes.docker.type":"container","io.kubernetes.pod.name":"web-0","io.kubernetes.pod.namespace":"shop","io.kubernetes.pod.uid":"u1","io.kubernetes.sandbox.id":"` + sandboxA + `"}},"HostConfig":{"Memory":268435456}},
{"Id":"` + sandboxA + `","Created":"2026-11-21T06:59:59Z","State":{"Running":true,"Pid":81},"Name":"/k8s_POD_web-0_shop_u1_1","Config":{"Labels":{"io.kubernetes.container.name":"POD","io.kubernetes.docker.type":"podsandbox","io.kubernetes.pod.name":"web-0","io.kubernetes.pod.namespace":"shop","io.kubernetes.pod.uid":"u1"}},"HostConfig":{"NetworkMode":"host"}},
{"Id":"ff","Name":"/registry","State":{"Running":true},"Config":{"Labels":{}}}]`
)

// printedFacts reads what was printed into a snapshot, through the file that a
// bundle would have.
func printedFacts(t *testing.T, texts ...string) (*evidence.Snapshot, string) {
	t.Helper()
	var files []evidence.File
	for _, text := range texts {
		files = append(files, evidence.Bytes("x.json", []byte(text)))
	}
	f, found, gaps := FromPrinted("n1", "n1", files, time.Time{})
	if !found || len(gaps) != 0 || f.Path != "nodes/n1/cri.json" {
		t.Fatalf("found %v at %s, gaps %v", found, f.Path, gaps)
	}
	b := evidence.NewBuilder(time.Time{})
	NewPiece("n1", f, time.Time{}).Observe(b)
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	raw, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b.Build(), string(raw)
}

func TestWhatCrictlAndDockerPrintIsTheSameRecord(t *testing.T) {
	code := int32(137)
	at := func(clock string) time.Time {
		x, err := time.Parse(time.RFC3339Nano, "2026-11-21T"+clock+"Z")
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	want := evidence.ContainerRecord{State: evidence.StateExited, Attempt: 3,
		RestartCount: 3, Created: at("07:00:00"), Started: at("07:00:01.5"), Finished: at("07:00:09"),
		ExitCode: &code, Reason: "OOMKilled", Image: "busybox:1.36",
		Hash: "c87f01d2", CgroupsPath: "kubepods-pod1.slice:cri-containerd:" + containerA, MemoryLimit: 256 << 20}
	withoutCgroup := want
	withoutCgroup.CgroupsPath = ""
	for name, c := range map[string]struct {
		texts []string
		want  evidence.ContainerRecord
	}{
		"inspect alone":           {[]string{crictlInspect, crictlPods}, want},
		"the list, then inspect":  {[]string{crictlPS, crictlInspect, crictlInspectP}, want},
		"inspect, then the list":  {[]string{crictlInspectP, crictlInspect + "\n" + crictlPS}, want},
		"several in one list":     {[]string{"[" + crictlInspect + "," + crictlInspectP + "]"}, want},
		"what docker prints":      {[]string{dockerInspect}, withoutCgroup},
		"a container still alone": {[]string{crictlInspect + crictlPods}, want},
	} {
		t.Run(name, func(t *testing.T) {
			s, raw := printedFacts(t, c.texts...)
			if strings.Contains(raw, canary) {
				t.Errorf("the environment is in the file: %s", raw)
			}
			var got []evidence.ContainerRecord
			var boxes []evidence.SandboxRecord
			for _, o := range s.Observations {
				if o.Subject.Namespace != "shop" || o.Subject.Pod != "web-0" || o.Subject.PodUID != "u1" ||
					o.Subject.SandboxID != sandboxA {
					t.Errorf("subject %+v", o.Subject)
				}
				switch f := o.Fact.(type) {
				case evidence.ContainerRecord:
					got = append(got, f)
				case evidence.SandboxRecord:
					boxes = append(boxes, f)
				}
			}
			if len(got) != 1 || len(boxes) != 1 || !boxes[0].Ready || boxes[0].Attempt != 1 {
				t.Fatalf("containers %+v, sandboxes %+v", got, boxes)
			}
			if diff := cmp.Diff(c.want, got[0], cmpopts.EquateComparable(safetext.Text{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAListTellsNoExitCode(t *testing.T) {
	s, _ := printedFacts(t, crictlPS)
	r := s.Observations[0].Fact.(evidence.ContainerRecord)
	if r.State != evidence.StateExited || r.ExitCode != nil || r.Created.IsZero() {
		t.Errorf("%+v", r)
	}
}

func TestWhatIsNoRecordIsAGap(t *testing.T) {
	for name, text := range map[string]string{
		"an empty list": `{"containers":[]}`, "numbers": `[1,2]`, "cut": crictlInspect[:len(crictlInspect)/2],
		"not JSON":                "CONTAINER  IMAGE\n",
		"a container of no pod":   `[{"Id":"ff","State":{"Running":true},"Config":{"Labels":{}}}]`,
		"a state of another type": `{"status":{"id":1}}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, found, gaps := FromPrinted("n1", "n1", []evidence.File{evidence.Bytes("x.json", []byte(text))},
				time.Unix(1_700_000_000, 0))
			if found || len(gaps) != 1 || gaps[0].Source != evidence.SourceCRI || gaps[0].Node != "n1" {
				t.Errorf("found %v, gaps %v", found, gaps)
			}
		})
	}
}

func FuzzFromPrinted(f *testing.F) {
	for _, text := range []string{crictlPS, crictlPods, crictlInspect, crictlInspectP,
		dockerInspect, "[]", "{}", "[[{}]]"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		out, found, gaps := FromPrinted("n1", "n1", []evidence.File{evidence.Bytes("x.json", data)},
			time.Unix(1_700_000_000, 0))
		if !found {
			if len(gaps) == 0 {
				t.Fatal("nothing came of it, and nothing is said")
			}
			return
		}
		b := evidence.NewBuilder(time.Time{})
		NewPiece("n1", out, time.Time{}).Observe(b)
		s := b.Build()
		if len(s.Gaps) > 0 || len(s.Observations) == 0 {
			t.Fatalf("its own file cannot be read: %v", s.Gaps)
		}
	})
}

func TestPrintedAsYAML(t *testing.T) {
	for name, text := range map[string]string{
		"ps": "containers:\n- id: " + containerA + "\n  labels:\n    io.kubernetes.container.name: a\n" +
			"    io.kubernetes.pod.name: web-0\n    io.kubernetes.pod.namespace: shop\n    io.kubernetes.pod.uid: u1\n" +
			"  metadata:\n    attempt: 3\n    name: a\n  podSandboxId: s\n  state: CONTAINER_EXITED\n",
		"inspect": "info:\n  sandboxID: s\nstatus:\n  exitCode: 137\n  id: " + containerA + "\n  labels:\n" +
			"    io.kubernetes.container.name: a\n    io.kubernetes.pod.name: web-0\n" +
			"    io.kubernetes.pod.namespace: shop\n    io.kubernetes.pod.uid: u1\n" +
			"  metadata:\n    attempt: 3\n    name: a\n  state: CONTAINER_EXITED\n",
	} {
		if !IsYAML([]byte(text)) || IsYAML([]byte("items:\n- kind: Pod\n  status:\n    phase: Running\n")) {
			t.Errorf("%s is not recognized", name)
		}
		f, found, gaps := FromPrinted("n1", "n1", []evidence.File{evidence.Bytes("x.yaml", []byte(text))}, time.Time{})
		data, err := nodefile.Read(f)
		if !found || len(gaps) > 0 || err != nil || !strings.Contains(string(data), `"pod": "web-0"`) {
			t.Errorf("%s: %v %v %v %s", name, found, gaps, err, data)
		}
	}
}
