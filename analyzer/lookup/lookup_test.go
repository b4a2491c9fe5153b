package lookup

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/catalogue"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// must are terms that people ask for: a table may grow, but none of these may disappear.
var must = []string{
	"OOMKilled",
	"Error",
	"Completed",
	"ContainerCannotRun",
	"StartError",
	"ContainerStatusUnknown",
	"DeadlineExceeded",
	"Evicted",
	"Preempting",
	"NodeShutdown",
	"Terminated",
	"NodeLost",
	"UnexpectedAdmissionError",
	"NodeAffinity",
	"OutOfcpu",
	"OutOfmemory",
	"OutOfpods",
	"CrashLoopBackOff",
	"ImagePullBackOff",
	"ErrImagePull",
	"CreateContainerConfigError",
	"CreateContainerError",
	"RunContainerError",
	"PostStartHookError",
	"ContainerCreating",
	"PodInitializing",
	"0",
	"1",
	"2",
	"126",
	"127",
	"128",
	"129",
	"130",
	"131",
	"132",
	"133",
	"134",
	"135",
	"136",
	"137",
	"139",
	"141",
	"143",
	"159",
	"255",
	"BackOff",
	"Unhealthy",
	"Killing",
	"FailedPostStartHook",
	"FailedPreStopHook",
	"FailedKillPod",
	"FailedCreatePodSandBox",
	"SandboxChanged",
	"NodeNotReady",
	"TaintManagerEviction",
	"Preempted",
	"SystemOOM",
	"Rebooted",
	"FailedMount",
	"FailedAttachVolume",
	"FailedScheduling",
	"OOMKilling",
	"ErrImageNeverPull", "InvalidImageName", "PreStartHookError", "Unknown", "definition changed",
}

func TestTheWordsOfUsersAreKnown(t *testing.T) {
	for _, w := range must {
		if _, ok := Find(w); !ok {
			t.Errorf("%s is not known", w)
		}
	}
}

func TestSpellingsOfOneWordMeanTheSame(t *testing.T) {
	for want, spellings := range map[string][]string{
		"exit 137": {"137", "exit 137", "exit code 137", "Exit Code:    137",
			"ExitCode:137", "exited with 137", "code=137", "Init:ExitCode:137",
			"sigkill", "signal 9", "Signal:9", "kill -9", "signal: killed"},
		"exit 131": {"131", "SIGQUIT", "signal 3"},
		"OOMKilled": {"oomkilled", "OOM Killed", "oom-killed", "Init:OOMKilled", "out of memory",
			"Reason:       OOMKilled"},
		"State: Terminated": {"State:          Terminated", "Last State:     Terminated"},
		"CrashLoopBackOff":  {"crashloopbackoff", "Crash Loop Back Off", "Init:CrashLoopBackOff", "crashloop"},
		"exit 1":            {"1", "exit status 1"},
		"exit 3":            {"3", "exit code 3"},
		"exit 162":          {"162", "signal 34"},
		"Evicted":           {"evicted"},
	} {
		for _, s := range spellings {
			if e, ok := Find(s); !ok || e.Term != want {
				t.Errorf("%q is %q, want %q", s, e.Term, want)
			}
		}
	}
	for _, s := range []string{"", "-1", "exit -1", "256", "signal 0", "signal 65",
		"xyzzy", "137137", "web-0", "1.31", strings.Repeat("1", 100)} {
		if e, ok := Find(s); ok {
			t.Errorf("%q is taken for %q", s, e.Term)
		}
	}
}

func TestEveryEntryIsWhole(t *testing.T) {
	known := map[causes.ID]bool{}
	for _, c := range catalogue.All() {
		known[c.ID] = true
	}
	terms, pages := map[string]bool{}, map[string]bool{}
	for _, e := range All() {
		if terms[e.Term] {
			t.Errorf("%s is there twice", e.Term)
		}
		terms[e.Term] = true
		if e.Is == "" || e.Means == "" || e.Source == "" || len(e.Do) == 0 || e.Look != "" && e.Causes != nil {
			t.Errorf("%s is not whole: %+v", e.Term, e)
		}
		if e.Page != "" && (pages[e.Page] || !regexp.MustCompile(`^[a-z0-9-]+$`).MatchString(e.Page)) {
			t.Errorf("%s: page %q", e.Term, e.Page)
		}
		pages[e.Page] = true
		if !strings.HasSuffix(e.Means, ".") || strings.Contains(e.Means, "\n") {
			t.Errorf("%s: %q is no sentence", e.Term, e.Means)
		}
		a := Answer(&e)
		if (e.Look != "" || e.Causes != nil) && len(a.Causes) == 0 && e.Look != "an exit of which nothing is known" {
			t.Errorf("%s: look %q has no causes", e.Term, e.Look)
		}
		sum := 0
		for _, c := range a.Causes {
			sum += c.Percent
			if !known[causes.ID(c.Cause)] {
				t.Errorf("%s: no cause %s", e.Term, c.Cause)
			}
			if c.Text == "" || c.Decides == "" {
				t.Errorf("%s: %s has no words", e.Term, c.Cause)
			}
		}
		if len(a.Causes) > 0 && (sum < 90 || sum > 110) {
			t.Errorf("%s: the shares come to %d", e.Term, sum)
		}
	}
	if len(pages)-1 < 20 {
		t.Errorf("%d pages", len(pages)-1)
	}
}

// away are words that must not come back.
var away = regexp.MustCompile(
	`(?i)\b(anew|somebody|of this very|ought|what became of|made its end up|what is the matter|nobody)\b`)

func TestTheWordsArePlain(t *testing.T) {
	for _, e := range All() {
		a := Answer(&e)
		texts := []string{a.Means}
		for _, c := range a.Causes {
			texts = append(texts, c.Text, c.Decides, c.Only)
		}
		for _, d := range a.Do {
			texts = append(texts, d.For)
		}
		for _, s := range texts {
			if away.MatchString(s) {
				t.Errorf("%s: %q", e.Term, s)
			}
		}
	}
}

func TestMessagesAreFoundByTheirBeginning(t *testing.T) {
	const heap = "out of memory in the program itself"
	for message, want := range map[string]string{
		`back-off 5m0s restarting failed container=app pod=web-0_shop(0a1b)`:                                                    "CrashLoopBackOff",
		`Back-off restarting failed container app in pod web-0_shop(0a1b)`:                                                      "CrashLoopBackOff",
		`Back-off pulling image "nginx:1.99"`:                                                                                   "ImagePullBackOff",
		`Failed to pull image "nginx:1.99": rpc error: code = NotFound desc = failed to pull`:                                   "ErrImagePull",
		`The node was low on resource: memory. Threshold quantity: 100Mi, available: 40Mi.`:                                     "Evicted for memory",
		`Container app exceeded its local ephemeral storage limit "1Gi". `:                                                      "Evicted for disk",
		`The node was low on resource: nodefs. `:                                                                                "Evicted for disk",
		`The node was low on resource: pids. `:                                                                                  "Evicted for process IDs",
		`The node was low on resource: gpus. `:                                                                                  "Evicted",
		`Pod sandbox changed, it will be killed and re-created.`:                                                                "SandboxChanged",
		`MountVolume.SetUp failed for volume "x" : secret "y" not found`:                                                        "FailedMount",
		`Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "0a": no addresses`: "FailedCreatePodSandBox",
		`System OOM encountered, victim process: java, pid: 4711`:                                                               "SystemOOM",
		`Node n1 has been rebooted, boot id: 0a1b`:                                                                              "Rebooted",
		`failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: exec: "x": executable file not found in $PATH: unknown`: "StartError",
		`The container could not be located when the pod was terminated`:                "ContainerStatusUnknown",
		`0/3 nodes are available: 3 Insufficient memory.`:                               "FailedScheduling",
		`Marking for deletion Pod shop/web-0`:                                           "TaintManagerEviction",
		`Pod was terminated in response to imminent node shutdown.`:                     "Terminated",
		`Error: secret "db" not found`:                                                  "CreateContainerConfigError",
		`Container web was using 1Gi, request is 0, has larger consumption of memory. `: "Evicted",
		`panic: runtime error: invalid memory address or nil pointer dereference`:       "exit 2",
		`Exception in thread "main" java.lang.OutOfMemoryError: Java heap space`:        heap,
		`Caused by: java.lang.OutOfMemoryError: Java heap space`:                        heap,
		`exec /usr/local/bin/app: exec format error`:                                    "exec format error",
		`[1234.5] Out of memory: Killed process 4242 (java) total-vm:8388608kB`:         "oom-kill: the node's memory",
	} {
		if e, ok := OfMessage(message); !ok || e.Term != want {
			t.Errorf("%q is %q, want %q", message, e.Term, want)
		}
	}
	for _, s := range []string{"", "hello", "the container said: Back-off restarting failed"} {
		if e, ok := OfMessage(s); ok {
			t.Errorf("%q is taken for %q", s, e.Term)
		}
	}
}

// unsaid are facts that no log line states: they come from objects, files and records.
var unsaid = []string{
	"ContainerRecord",
	"SandboxRecord",
	"RestartCount",
	"UnitState",
	"CgroupState",
	"CgroupPlacement",
	"CgroupControllers",
	"CheckpointState",
	"ResourceRecord",
	"StaticManifest",
	"ContainerLogs",
	"SandboxCheckpoint",
	"ClockCompared",
	"ReadinessChanged",
	"APIEvent",
	"PodDeleted",
	"RuntimeEndpoint",
	"RuntimeSettings",
	"RunsSince",
	"RestartCounted",
	"Counted",
	"HostOOMKills",
	"MemoryNear",
	"ProbeTotals",
	"NameTold",
}

func TestEveryFactOfALineHasWords(t *testing.T) {
	var facts []string
	files, err := filepath.Glob(filepath.Join("..", "..", "diag", "evidence", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == "Statement" && fn.Recv != nil {
				facts = append(facts, fn.Recv.List[0].Type.(*ast.Ident).Name)
			}
		}
	}
	for _, f := range said {
		e, ok := OfFact(f)
		if !ok {
			t.Errorf("%T has no words", f)
		}
		name := reflect.TypeOf(f).Name()
		facts = slices.DeleteFunc(facts, func(s string) bool { return s == name })
		if e.Term == "" {
			t.Errorf("%T: no term", f)
		}
	}
	for _, name := range facts {
		if !slices.Contains(unsaid, name) {
			t.Errorf("%s is in no list: does a line say it?", name)
		}
	}
}

var code int32 = 137

// said are the facts that lines state.
var said = []evidence.Fact{
	evidence.KillDecided{Reason: evidence.KillOther},
	evidence.KillDecided{Reason: evidence.KillResize},
	evidence.KillStarted{},
	evidence.ContainerStarted{},
	evidence.ContainerDied{},
	evidence.ContainerFinished{ExitCode: 3},
	evidence.ProbeFailed{Probe: evidence.ProbeReadiness},
	evidence.HookFailed{Hook: "PostStart"},
	evidence.HookFailed{Hook: "PreStop"},
	evidence.BackedOff{},
	evidence.ContainerRemoved{},
	evidence.LogFileRead{},
	evidence.SandboxJudged{},
	evidence.SandboxJudged{Reason: evidence.SandboxNoIP},
	evidence.SandboxUnready{Reason: evidence.SandboxMultiple},
	evidence.SandboxChanged{},
	evidence.KubeletStarted{},
	evidence.PodConfig{Op: "ADD"},
	evidence.MissingActuatedRecord{},
	evidence.PodRejected{Reason: "OutOfcpu"},
	evidence.PodRejected{Reason: "OutOfexample.com/thing"},
	evidence.PodEvicted{Reason: "Preempting"},
	evidence.PodEvicted{Reason: "EvictedByController"},
	evidence.ImageSeen{},
	evidence.NodeRebooted{},
	evidence.NodeCordoned{}, evidence.SystemOOM{},
	evidence.OOMSeen{},
	evidence.KubeletSetting{},
	evidence.KubeletSettings{},
	evidence.KubeletExited{},
	evidence.RuntimeTrouble{},
	evidence.RuntimeTrouble{State: evidence.RuntimeNoNetwork},
	evidence.ProbeResultChanged{},
	evidence.RestartDecided{},
	evidence.StartFailed{Reason: "ErrImagePull"},
	evidence.StartFailed{},
	evidence.KillFinished{},
	evidence.KillFailed{},
	evidence.PodTeardown{},
	evidence.PodTeardown{Reason: evidence.TeardownOrphan},
	evidence.UIDReused{},
	evidence.PodReplaced{},
	evidence.EvictionPressure{},
	evidence.PreemptionPlanned{},
	evidence.NodeShutdown{},
	evidence.CgroupMissing{},
	evidence.ManifestRead{},
	evidence.StaticPodUID{},
	evidence.MirrorPod{},
	evidence.PodResize{},
	evidence.RestartAll{},
	evidence.RuntimeStopping{},
	evidence.TaskStarted{},
	evidence.SandboxStopped{},
	evidence.RuntimeFailed{},
	evidence.ShimLost{},
	evidence.StateLost{},
	evidence.HungTask{},
	evidence.UserspaceOOMKill{},
	evidence.Signalled{},
	evidence.PackageChanged{},
	evidence.RestartAsked{},
	evidence.PowerChange{},
	evidence.ClockSet{},
	evidence.RuntimeStarted{},
	evidence.RuntimeCreated{},
	evidence.SandboxCreated{},
	evidence.StopRequested{},
	evidence.SandboxStopRequested{},
	evidence.RemovalRequested{},
	evidence.ExecStarted{}, evidence.ExecExited{},
	evidence.TaskExited{},
	evidence.TaskExited{ExitCode: &code},
	evidence.TaskOOM{},
	evidence.OOMKill{},
	evidence.OOMKill{Global: true},
	evidence.Segfault{},
	evidence.KernelBooted{},
	evidence.UnitChanged{},
	evidence.ReadinessEarly{},
}

// A word within a longer one is another word.
func TestAPhraseStandsOnItsOwn(t *testing.T) {
	for text, want := range map[string]string{
		"com.example.OutOfMemoryErrors":              "",
		"the kubelet said: OutOfmemory, sorry":       "OutOfcpu",
		"xContainerStatusUnknown":                    "",
		"reason=ContainerStatusUnknown exitCode=137": "ContainerStatusUnknown",
	} {
		if e, _ := Within(text); e.Term != want {
			t.Errorf("%q is %q, want %q", text, e.Term, want)
		}
	}
}
