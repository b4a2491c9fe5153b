package app_test

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/app"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// notMade is a container that waits for a reason, with a message.
func notMade(reason, message string) *finding.Findings {
	f := causestest.Base(0)
	f.R.Kind, f.R.From, f.Exit = timeline.KindRefused, &timeline.Instance{}, finding.Exit{}
	f.R.Waiting = timeline.Waiting{Reason: reason, Message: message, Evidence: []string{"e5"}}
	return f
}

func claimOf(t *testing.T, id causes.ID, f *finding.Findings) *causes.Claim {
	t.Helper()
	c := ruleOf(t, id).Claim(f)
	if c == nil {
		t.Fatalf("no claim of %s", id)
	}
	return c
}

func ruleOf(t *testing.T, id causes.ID) *causes.Rule {
	t.Helper()
	for _, r := range app.Rules() {
		if r.ID == id {
			return &r
		}
	}
	t.Fatalf("no rule for %s", id)
	return nil
}

// The first sentence says what is missing, and the advice what to do about exactly that.
func TestWhatAContainerCouldNotBeMadeOf(t *testing.T) {
	const waits = `Back-off pulling image "busybox:1"`
	pull := func(message string) *finding.Findings { return notMade("ErrImagePull", message) }
	for name, c := range map[string]struct {
		f            *finding.Findings
		says, advice string
	}{
		"a tag that the registry does not have": {
			pull(`failed to resolve reference "busybox:1": busybox:1: not found`),
			"image busybox:1 could not be pulled: the registry has no such image or tag (not found)", "correct the image"},
		"the answer in the message of the wait, as kubelets since v1.31 write it": {
			notMade("ImagePullBackOff", waits+": ErrImagePull: manifest unknown"), "no such image or tag", "correct the image"},
		"a wait without the answer": {notMade("ImagePullBackOff", waits),
			"it was never created; image busybox:1 could not be pulled", "kubectl describe pod web-0 -n shop"},
		"a repository that is not to be seen": {
			pull("pull access denied, repository does not exist or may require authorization: not found"),
			"the registry denied access", "imagePullSecrets names credentials"},
		"a limit":              {pull("429 Too Many Requests - toomanyrequests: limit"), "too many requests", "log in"},
		"another architecture": {pull("no matching manifest for linux/arm64"), "architecture", "nodeSelector"},
		"no DNS":               {pull("lookup registry: no such host"), "could not reach the registry", "check DNS"},
		"a certificate":        {pull("x509: certificate signed by unknown authority"), "does not trust", "CA"},
		"words in its name and address": {
			pull(`failed to resolve "registry.forbidden.io/x509/certificate-not found:1": ` +
				`Head "https://registry.forbidden.io/v2/unauthorized/manifests/1": lookup registry.forbidden.io: no such host`),
			"could not reach the registry", "check DNS"},
		"its proxy": {pull("proxyconnect tcp: Forbidden"), "through its proxy", "HTTPS_PROXY"},
		"a slow registry": {pull(`Get "https://r.example/v2/": dial tcp 10.0.0.1:443: i/o timeout`), "could not reach",
			"check DNS"},
		"something that is new": {pull("it is Monday"), "could not be pulled: it is Monday", "kubectl describe pod"},
		"a Secret": {notMade("CreateContainerConfigError", `secret "db-credentials" not found`),
			"it was never created; Secret db-credentials does not exist in namespace shop",
			"create Secret db-credentials in namespace shop"},
		"a step behind its creation": {notMade("PreStartHookError", "no device"),
			"it was never started; a step before its start failed: no device", "kubectl describe pod"},
		"a ConfigMap": {notMade("CreateContainerConfigError", `configmap "web" not found`),
			"ConfigMap web does not exist in namespace shop", "create ConfigMap web"},
		"a key": {notMade("CreateContainerConfigError", "couldn't find key port in ConfigMap other/web"),
			"ConfigMap web in namespace other has no key port", "add key port to ConfigMap web in namespace other"},
		"an old kubelet's key": {notMade("CreateContainerConfigError", "Couldn't find key port in Secret other/web"),
			"Secret web in namespace other has no key port", "add key port to Secret web in namespace other"},
		"an old kubelet's Secret": {notMade("CreateContainerConfigError", `secrets "web" not found`),
			"Secret web does not exist in namespace shop", "create Secret web"},
		"a user": {notMade("CreateContainerConfigError", "container has runAsNonRoot and image will run as root (pod: x)"),
			"its image runs as root", "runAsUser"},
		"a network plugin": {notMade("CreatePodSandboxError",
			`failed to setup network for sandbox "3d1f": plugin type="calico" failed (add): Unauthorized`),
			"its sandbox could not be created: network plugin calico failed: Unauthorized", "check network plugin calico on n1"},
		"a network plugin that is not there": {notMade("CreatePodSandboxError",
			`failed to find plugin "cilium-cni" in path [/opt]`), "network plugin cilium-cni is not installed", "install"},
		"a volume at another node": {notMade("FailedAttachVolume", `Multi-Attach error for volume "pvc-1" `),
			"a volume could not be attached: it is still attached to another node", "volumeattachments"},
		"a volume whose driver is gone": {notMade("FailedMount",
			"driver name ebs.csi.aws.com not found in the list of registered CSI drivers"),
			"a volume could not be mounted: CSI driver ebs.csi.aws.com is not registered", "nodeName=n1"},
		"a volume of a Secret": {notMade("FailedMount", `MountVolume.SetUp failed for volume "x" : secret "y" not found`),
			"Secret y does not exist in namespace shop", "create Secret y"},
		"the sandbox's own image": {notMade("CreatePodSandboxError",
			`failed to get sandbox image "registry.k8s.io/pause:3.9": EOF`), "registry.k8s.io/pause:3.9", "n1 can pull"},
	} {
		got := claimOf(t, causes.CreateError, c.f)
		if !strings.Contains(got.Summary, c.says) {
			t.Errorf("%s: %q, want %q", name, got.Summary, c.says)
		}
		if advice := strings.Join(got.Actions, "\n"); !strings.Contains(advice, c.advice) {
			t.Errorf("%s: %q, want %q", name, advice, c.advice)
		}
		if m := c.f.R.Waiting.Message; !strings.Contains(got.Chain[0].Text, m) && m != waits {
			t.Errorf("%s: the chain %q leaves out %q", name, got.Chain[0].Text, m)
		}
	}
}

// A kubelet before v1.31 says only that it waits; the event has the registry's answer.
func TestTheAnswerToThePullBeforeTheWait(t *testing.T) {
	f := notMade("ImagePullBackOff", `Back-off pulling image "busybox:1"`)
	answer := evidence.StartFailed{Reason: "ErrImagePull",
		Message: safetext.Clean(`Failed to pull image "busybox:1": not found`)}
	f.R.From.Marks = []timeline.Occurrence{{At: causestest.End, Obs: &evidence.Observation{ID: "p", Fact: answer}}}
	if got := claimOf(t, causes.CreateError, f).Summary; !strings.Contains(got, "no such image or tag") {
		t.Error(got)
	}
}

// A row of a table is no message, and what was only mentioned is not said twice to be uncertain.
func TestARowThatSaysThatAContainerWaits(t *testing.T) {
	const row = "shop   web-0   0/1   ImagePullBackOff   0   6m"
	f := notMade("ImagePullBackOff", row)
	f.R.PodUID = evidence.Mentioned + "shop/web-0"
	got := claimOf(t, causes.CreateError, f)
	if strings.Contains(got.Summary, row) || !strings.HasSuffix(got.Summary, "could not be pulled") || !got.Hedged {
		t.Errorf("%q, hedged: %v", got.Summary, got.Hedged)
	}
}

// What runtimes print of a start that failed, in plain words, with what to do about it.
func TestTheWordsForAFailedStart(t *testing.T) {
	const runc = "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create " +
		"failed: unable to start container process: "
	const docker = `OCI runtime create failed: container_linux.go:349: starting container process caused `
	for name, c := range map[string]struct{ message, says, do string }{
		"a limit that is too low": {runc + "container init was OOM-killed (memory limit too low?): unknown",
			"did not fit into its memory limit", "raise resources.limits.memory"},
		"no such program": {runc + `exec: "web": executable file not found in $PATH: unknown`,
			`program "web" is not in the image`, "correct command"},
		"no program at all": {runc + `error during container init: exec: "": executable file not found in $PATH`,
			`program "" is not in the image`, "correct command"},
		"no such program, quoted twice": {docker + `"exec: \\\"web\\\": executable file not found in $PATH": unknown`,
			`program "web" is not in the image`, "correct command"},
		"crun": {"executable file `web` not found in $PATH: No such file or directory", `program "web"`, "correct command"},
		"gVisor": {`error finding executable "web" in PATH ["/bin"]: no such file or directory`, `program "web"`,
			"correct command"},
		"an early Docker": {"Container command not found or does not exist.",
			"its program is not in the image", "correct command"},
		"no such file": {runc + `exec: "/run.sh": stat /run.sh: no such file or directory: unknown`,
			"/run.sh is not in the image, or the interpreter", "what runs it"},
		"a script's interpreter": {runc + "exec /run.sh: no such file or directory",
			"/run.sh is not in the image, or", "what runs it"},
		"not executable": {runc + `exec: "/run.sh": permission denied: unknown`, "/run.sh may not be executed", "chmod +x"},
		"another architecture": {runc + "exec /app: exec format error", "built for another architecture",
			"kubectl get node/n1 -o jsonpath='{.status.nodeInfo.architecture}'"},
		"a subPath whose ConfigMap was changed": {docker + `"process_linux.go:449: container init caused \"rootfs_linux` +
			`.go:58: mounting \\\"/var/lib/kubelet/pods/fb00e769/volume-subpaths/conf/web/5\\\" to rootfs caused \\\"no ` +
			`such file or directory\\\"\"": unknown`, "volume conf by subPath is no longer there", "delete the pod"},
		"a file on a directory": {runc + `error mounting "/a" to rootfs at "/b": mount src=/a, dst=/b: not a directory: ` +
			`Are you trying to mount a directory onto a file (or vice-versa)?`, "a directory on a file", "hostPath.type"},
		"a read-only file system": {`failed to mkdir "/usr/lib/rpm": mkdir /usr/lib: read-only file system`,
			"lies in a read-only file system", "mount it elsewhere"},
		"a working directory": {runc +
			`chdir to cwd ("/home/nonroot") set in config.json failed: permission denied: unknown`,
			"working directory /home/nonroot cannot be entered (permission denied)", "correct workingDir"},
		"a user": {runc + "unable to find user web: no matching entries in passwd file", "no user web", "runAsUser"},
		"a driver": {docker + `"nvidia-container-cli: initialization error: driver error: failed to process request"`,
			"NVIDIA's hook failed: initialization error", "nvidia-smi"},
		"capabilities": {runc + "unable to apply caps: operation not permitted: unknown",
			"capabilities could not be set", "securityContext.capabilities"},
		"a cgroup": {runc + `error setting cgroup config for procHooks process: failed to write "13000": write ` +
			"/sys/fs/cgroup/cpu.max: invalid argument", "could not be written to its cgroup", "compare its requests"},
		"a full disk":    {runc + "mkdir /run/user: no space left on device", "no space was left on the node", "df -i"},
		"a slow node":    {"context deadline exceeded", "did not finish in time", "slow disk"},
		"another matter": {"something new", "something new", "compare the command"},
	} {
		f := causestest.Base(128)
		f.Exit = finding.Exit{Known: true, Code: 128, Reason: "StartError", NotStarted: true, Evidence: []string{"e1"}}
		f.R.From.Message = safetext.Clean(c.message)
		claim := claimOf(t, causes.StartError, f)
		do := strings.Join(ruleOf(t, causes.StartError).Advise(f, claim), "\n")
		if !strings.Contains(claim.Summary, c.says) || !strings.Contains(do, c.do) {
			t.Errorf("%s: %q, %q, want %q, %q", name, claim.Summary, do, c.says, c.do)
		}
		if root := claim.Chain[0].Text; !strings.Contains(root, c.message) {
			t.Errorf("%s: the chain lacks the runtime's own words: %s", name, root)
		}
	}
}

// What a code says to everyone who knows shells, it says in the first sentence, unless the process said more.
func TestTheFirstSentenceOfAnExit(t *testing.T) {
	for name, c := range map[string]struct {
		code          int32
		message, want string
	}{
		"a command that is not there": {127, "", "code 127 after 1m, as a shell does when a command or its interpreter was not"},
		"one that may not be run":     {126, "", "found but could not be executed"},
		"its own words come first":    {127, "no port", "code 127 after 1m: no port; the evidence shows no request"},
		"another code":                {3, "", "code 3 after 1m; the evidence shows no request"},
	} {
		f := causestest.Base(c.code)
		f.Kill.Point, f.Stop = finding.Point{}, finding.Point{}
		f.R.From.Message = safetext.Clean(c.message)
		if got := claimOf(t, causes.AppExitError, f).Summary; !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A fault needs the kernel's word of the fault, not of the OOM killer; one of an unknown process is shown.
func TestAFaultOfTheProcess(t *testing.T) {
	f := causestest.Base(139)
	f.KernelLog, f.Exit.FaultNear = false, causestest.Yes(0)
	got := claimOf(t, causes.AppSignal, f)
	if n := got.Needs[len(got.Needs)-1].Words(f); !strings.Contains(n.Consequence, "the fault") {
		t.Errorf("it needs %+v", n)
	}
	if l := got.Chain[1]; !strings.Contains(l.Text, "a fault of a process on the node") || l.Evidence[0] != "e2" {
		t.Errorf("%+v", l)
	}
	f.Exit.FaultNear = finding.Point{}
	if got := claimOf(t, causes.AppSignal, f); strings.Contains(got.Chain[1].Text, "a fault") {
		t.Errorf("without a record: %+v", got.Chain)
	}
}

// Only the runtime's own answer says that nothing ran: the kubelet's cancellation looks the same, and the evidence need
// not have the end of the pod that it was for; who gives up waiting does not know what became of it.
func TestAStartThatTheRuntimeDidNotRefuse(t *testing.T) {
	refused, canceled, lost := [2]causes.Strength{causes.Decisive, causes.Decisive},
		[2]causes.Strength{causes.Strong, causes.Strong}, [2]causes.Strength{causes.Strong, causes.Decisive}
	for message, want := range map[string][2]causes.Strength{ // of a start, and of a creation
		"no space left on device": refused,
		`connection error: desc = "transport: Error while dialing: dial unix @: connect: connection refused"`: refused,
		"plugin: dial: connect refused": refused,
		`failed to start containerd task "a": exec: "transport is closing": not found: unknown`: refused,

		"context canceled": canceled,
		"failed to start containerd task: context canceled: unknown": canceled,

		"context deadline exceeded": lost,
		`failed to start containerd task "a": context deadline exceeded: unknown`:               lost,
		`failed to start containerd task "a": ttrpc: closed: unknown`:                           lost,
		"error reading from server: EOF":                                                        lost,
		`connection error: desc = "error reading from server: EOF"`:                             lost,
		"error reading from server: read unix @->/run/x.sock: use of closed network connection": lost,
		`closing transport due to: connection error: desc = "error reading from server: EOF"`:   lost,
		"stream terminated by RST_STREAM with error code: CANCEL":                               lost,
		"transport is closing": lost,
		"unexpected EOF":       lost,
		"rpc error: code = DeadlineExceeded desc = no answer in 2m": lost, // as a log has it
		"rpc error: code = Unavailable desc = transport is closing": lost,
	} {
		start := claimOf(t, causes.StartError, notMade("RunContainerError", message))
		create := claimOf(t, causes.CreateError, notMade("CreateContainerError", message))
		if got := [2]causes.Strength{start.Strength, create.Strength}; got != want {
			t.Errorf("%s: %v, want %v", message, got, want)
		}
		if told := strings.Contains(start.Summary, "it never ran"); told != (want == refused) {
			t.Errorf("%s: %s", message, start.Summary)
		}
		f := causestest.Base(128)
		f.Exit.NotStarted, f.Exit.Reason, f.R.From.Message = true, "StartError", safetext.Clean(message)
		if got := claimOf(t, causes.StartError, f).Strength; got != want[0] {
			t.Errorf("ended with %s: %v, want %v", message, got, want[0])
		}
	}
}
