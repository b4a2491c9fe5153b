package mention

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
)

var printed = time.Date(2026, 3, 4, 8, 0, 0, 0, time.UTC)

// read is what a text tells, as one string.
func read(text, name string) string {
	return string(bytes.Join(rawOf(Of(text, name, printed).Read(naming.Names{}, false)), []byte("\n")))
}

func rawOf(list []json.RawMessage) [][]byte {
	out := make([][]byte, len(list))
	for i := range list {
		out[i] = list[i]
	}
	return out
}

func TestWordsAboutAnEndAreRead(t *testing.T) {
	for text, wants := range map[string][]string{
		"step failed, pod train-x7k2p: OOMKilled (exit code 137)":                                            {`"train-x7k2p"`, "137"},
		"❯ kubectl logs cart-0 -p\nerror: app exited: signal: killed\nno app, terminating":                   {`"cart-0"`, "signal: killed"},
		"Apr 3, 4:22:07 pm: Events from the Pod shop/cart-0 - Evicted pod - Events emitted by the karpenter": {`"cart-0"`, `"Evicted"`},
		"Liveness probe failed for pod `cart-0`, restarted by kubelet":                                       {`"cart-0"`, "Liveness probe failed: as"},
		"pod shop/cart-0: Liveness probe failed: HTTP 503":                                                   {`"cart-0"`, "Liveness probe failed: HTTP 503"},
		"OOMKilled again in pod `cart-0`":                                                                    {`"cart-0"`, "OOMKilled"},
		"cart pod: reason: OOMKilled, restarts: 3":                                                           {"OOMKilled"},
		"The heapster pod in kube-system is OOMKilled":                                                       {`"namespace":"kube-system"`},
		"{{control-plane}} in {{kuma-system}}: the pod was in a crashloopbackoff":                            {`"namespace":"kuma-system"`, "CrashLoop"},
		"pod shop/cart-0 is in CrashLoopBackOff":                                                             {`"cart-0"`, `"shop"`, "CrashLoop"},
		"container cart of pod shop/cart-0 exited with exit code 3":                                          {`"cart-0"`, `"exitCode":3`},
		"INFO: At 12:00 - event for cart-0: {kubelet n1} Evicted: The node was low on compute resources.":    {`"cart-0"`, "compute"},
		"Pod shop/cart-0 was evicted: The node was low on resource: memory.":                                 {`"cart-0"`, "memory"},
		"LastState: map[terminated:map[exitCode:137 reason:OOMKilled]] pod=cart-0":                           {`"cart-0"`, "137"},
		"ml/train-7f9c6d5b8-x2l5k was rejected: Predicate NodeAffinity failed":                               {`"ml"`, `"reason":"NodeAffinity"`},
		"OOMKilled web-7f9c6d5b8-x2l5k\nweb-6bd4c9d57c-tq7nh exit code 2":                                    {`"web-7f9c6d5b8-x2l5k"`, `"web-6bd4c9d57c-tq7nh"`},
		"Name:  migrate\nBackoffLimitExceeded\nCreated pod: migrate-x9qkd":                                   {`"migrate-x9qkd"`, `"reason":"Error"`},
		"2025-09-01T09:52:40Z\tshop/cart-0\tapp\tError\t127":                                                 {`"cart-0"`, `"exitCode":127`},
		`Namespace:shop \\nName:web-7f9c6d5b8-x2l5k \\nback-off 5m0s restarting failed container`:            {`"shop"`, "CrashLoop"},
		"Found failed daemon pod shop/cart-x7k2p on node n1, will try to kill it":                            {`"cart-x7k2p"`, `"shop"`, `{"phase":"Failed"}`},
		"StatefulSet shop/cart is recreating failed Pod cart-0":                                              {`"cart-0"`, `{"phase":"Failed"}`},
		"Error: Job failed: DeadlineExceeded (pod cart-0)":                                                   {`"cart-0"`, `"reason":"DeadlineExceeded"`},
		"We had a lot of SandboxChanged events, and then the pods were gone.":                                {"it will be killed and re-created"},
		"Both pods fail their liveness and readiness checks again and again.":                                {"Liveness probe failed"},
		"Error web-6bd4c9d57c-tq7nh":                                                                         {`"web-6bd4c9d57c-tq7nh"`, `"reason":"Error"`},
		"pod=cart-0 ns=shop Back-off restarting failed container":                                            {`"cart-0"`, `"shop"`},
		"# cat memory.events\noom 3\noom_kill 3":                                                             {"OOMKilled"},
		"cart-0   0/1   0   waits\nerror: Failed: Error: secret \"x\" not found":                             {`"cart-0"`, "CreateContainerConfigError"},
		"In project shop on server https://x\n* container \"cart\" in pod/cart-0 is crash-looping": {`"cart-0"`, `"shop"`,
			`"name":"cart"`, "CrashLoop"},
		`"SyncLoop DELETE" source="api" pods=["shop/cart-0"]`: {`"cart-0"`, "deletionTimestamp"},
		`Killing unwanted pod "cart-0"`:                       {`"cart-0"`, "deletionTimestamp"},
		`"Shutdown manager finished killing pod" pod="shop/cart-0"`: {
			`"cart-0"`, "imminent node shutdown"},
		`failed to reserve sandbox name "cart-0_shop_0f8a1b2c_3": it is held`:                       {`"cart-0"`, `"shop"`, "SandboxChanged"},
		"RunPodSandbox for &PodSandboxMetadata{Name:cart-0,Uid:0f8a1b2c,Namespace:shop,Attempt:2,}": {`"cart-0"`, "SandboxChanged"},
		`"CreateContainer in sandbox from runtime service failed" err="failed to reserve container name ` +
			`\"cart_cart-0_shop_0f8a1b2c_0\": it is held"`: {`"cart-0"`, `"name":"cart"`, "CreateContainerError"},
		`CreateContainer within sandbox "6d" for container &ContainerMetadata{Name:cart,Attempt:2,}`:              {`"name":"cart"`},
		"container start failed: rpc error: code = Unknown desc = no such file":                                   {"RunContainerError"},
		"Task in /kubepods/pod0f8a1b2c/6d killed as a result of limit of /kubepods/pod0f8a1b2c/6d":                {"OOMKilled"},
		"My service does a clean exit, and its pod goes into CrashLoopBackoff.":                                   {`"exitCode":0`, "CrashLoopBackOff"},
		"The container is restarted because the liveness probe times out under load.":                             {"Liveness probe failed"},
		"The default startup probe is too short, which forces the container to restart.":                          {"Startup probe failed"},
		"Its memory limit is reached, so the pod is killed by the kernel every night.":                            {"OOMKilled"},
		"The init container `fix` exits non-zero, and the pod never starts.":                                      {"initContainerStatuses", `"Error"`},
		"The web-api pod in the shop-eu namespace keeps restarting since Monday.":                                 {`"web-api"`, `"shop-eu"`},
		"After a reboot of the node all containers were started again.":                                           {"reboot"},
		"We see that these pods are evicted with no space left, so the disk is full.":                             {"low on resource: ephemeral-storage"},
		"cart-0   0/1   OOMKilled   3 (28s ago)   77s   <-- this one":                                             {`"cart-0"`, "OOMKilled", `"terminated":{"message":`},
		"| cart-0 | 0/1 | Error | 3 | 77s |":                                                                      {"Error", `"terminated":{"message":`},
		"oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),task=java,pid=7,uid=0":                               {"OOMKilled"},
		"Removed container " + strings.Repeat("6d", 32) + ": shop/cart-0/cart":                                    {`"cart-0"`, `"shop"`, `"name":"cart"`},
		`"Pod is being evicted by the kubelet, begin teardown" pod="shop/cart-0"`:                                 {`"cart-0"`, `"reason":"Evicted"`},
		`"PreStop hook failed" err="command 'sh' exited with 1" pod="shop/cart-0"`:                                {`"cart-0"`, "Need to kill Pod"},
		`"Failed to execute PostStartHook" pod="shop/cart-0" containerName="cart"`:                                {`"cart-0"`, "FailedPostStartHook"},
		`Creation of container k8s_cart_cart-0_shop_0f8a1b2c_0 not yet finished`:                                  {`"cart-0"`, "CreateContainerError"},
		"Liveness probe for \"cart-0_shop(0f8a1b2c):cart\" failed (failure): x":                                   {`"cart-0"`, `{cart}`},
		"Pod shop/cart-0 (cart) is restarting 2.11 times / 10 minutes.":                                           {`"cart-0"`},
		"└-·-⚠ render(0)   cart-2120165667   pod deleted":                                                         {`"cart-2120165667"`, "deletionTimestamp"},
		"The new pod crash-looped in the `fix` init container:":                                                   {`"?"`, "initContainerStatuses", `"fix"`},
		"BackOff restarting failed container cart":                                                                {`"name":"cart"`, "CrashLoop"},
		"I had `Completed` status before the `CrashLoopBackOff` one in this pod.":                                 {`"exitCode":0`, "CrashLoop"},
		"Starting workspace ws-3f2a91cc\nEvicted: The node had condition: [DiskPressure]":                         {`"ws-3f2a91cc"`, "Evicted"},
		"[pod/cart-0/cart] panic: runtime error: index out of range [3] with length 3":                            {`"cart-0"`, `"reason":"Error"`},
		"cart-0 cart Exception in thread \"main\" java.lang.IllegalStateException: no database":                   {`"reason":"Error"`},
		"2026-03-04T07:59:00Z exec /app/cart: exec format error":                                                  {`"reason":"Error"`},
		"standard_init_linux.go:228: exec user process caused: no such file or directory":                         {`"reason":"Error"`},
		"F0712 18:16:20.314448   21329 main.go:197] listen tcp :9100: bind: address already in use":               {`"reason":"Error"`},
		"thread 'main' panicked at 'called `Option::unwrap()`', src/main.rs:7:5":                                  {`"reason":"Error"`},
		"The pod is in CrashLoopBackOff.\nDAMN ! worker 1 (pid: 9) died, killed by signal 9 :( trying respawn":    {"CrashLoop"},
		"The pod keeps restarting, and the log of the one before, aws-node-b6jrg, is empty.":                      {`"aws-node-b6jrg"`},
		" cart-app-1-hmns2.161980c1ad1c1f0b  9  BackOff  Back-off restarting failed container":                    {`"cart-app-1-hmns2"`},
		"> oc get events --field-selector involvedObject.name=cart-0\n\nYes, the pod is OOMKILLED now and then.":  {`"cart-0"`},
		"Error: failed to create containerd task: OCI runtime create failed: exec: \"/app\": permission denied":   {`"StartError"`},
		"OCI runtime create failed: container_linux.go:380: starting container process caused: exec: \"x\": x":    {`"StartError"`},
		"Error: container create failed: time=\"x\" level=error msg=\"runc create failed\"":                       {"CreateContainerError"},
		"The pod of cart fails right away.\nExit status code: 139":                                                {`"exitCode":139`},
		"My pod is stuck on CrashLoopBack, and nothing is in its log.":                                            {"CrashLoopBackOff"},
		"Of all pods the controllers in kube-system are dying every night.":                                       {`"lastState"`},
		"$ kubectl logs cart-0\n2020-01-11 21:16:40.719: Killed":                                                  {`"exitCode":137`},
		"my pod:\n/start.sh: line 7:     9 Killed                  java -jar /app.jar":                            {`"exitCode":137`},
		"I0622 11:53:36.367329       1 drain.go:140] Not deleted yet shop/cart-0":                                 {`"cart-0"`, `"shop"`, `"reason":"Evicted"`},
		"actuator.go:212] Scale-down: removing node n1, utilization: {0.6}, pods to reschedule: cart-0,web-0":     {`"cart-0"`, `"reason":"Evicted"`},
		"2018/11/05 13:48:22 [FATAL] plugin/loop: Seen \"HINFO IN 4.1.\" more than twice, loop detected":          {`"reason":"Error"`},
		"[1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]":        {`"reason":"Error"`},
		"All pods restart with reason **SandboxChanged**: Pod sandbox changed, it will be killed and re-created.": {"SandboxChanged"},
		"I have multiple restarts of the `cart-log` pod, whatever I do.":                                          {`"cart-log"`},
		"updater.go:205] Event(v1.ObjectReference{Kind:\"Pod\", Namespace:\"shop\", Name:\"cart-0\", UID:\"u\"}): " +
			"type: 'Normal' reason: 'EvictedByVPA' Pod was evicted by VPA Updater": {`"cart-0"`, `"shop"`, `"reason":"Evicted"`},
		"Pods Statuses:  0 Running / 0 Succeeded / 1 Failed": {`"reason":"Error"`},
		"log: exiting because of error: log: cannot create log: open /tmp/trust.cart-5d6f7b9c8-x7k2p.user.log.INFO.20200610-195916.1: " +
			"permission denied": {`"cart-5d6f7b9c8-x7k2p"`, `"reason":"Error"`},
		"CRITICAL |  http-manager | http manager server has failed, error: open /tls.crt: permission denied":  {`"reason":"Error"`},
		"The pod is crash looping with an exit code of 1.":                                                    {`"exitCode":1`},
		`{"level":"info","msg":"Liveness probe failing","logging_pod":"cart-1","err":"no connection"}`:        {`"cart-1"`, "Liveness probe failing"},
		"podevictor.go:110] PodEvictor is evicting Pods on Node: n1":                                          {"TaintManagerEviction"},
		"node_controller.go:539] Starting deletion of pod shop/cart-0":                                        {"TaintManagerEviction", `"cart-0"`},
		"The pods of cart are terminated with 139 now and then.":                                              {`"exitCode":139`},
		"About once a day they restart, all pods in the namespace shop.":                                      {`"shop"`},
		"unable to ensure pod container exists: failed to create container for [kubepods podx]":               {"FailedCreatePodContainer"},
		"$ kubectl log deployment/cart -n shop\nModuleNotFoundError: No module named 'cv2'":                   {`"cart"`, `"shop"`, `"reason":"Error"`},
		"$ kubectl logs -p --tail 20 cart-0\nError: Unable to access jarfile /app.jar":                        {`"cart-0"`, `"reason":"Error"`},
		"2022-07-22T23:05:16Z\tDEBUG\tcontroller\tEvicted pod\t{\"pod\": \"shop/cart-0\"}":                    {`"cart-0"`, `"reason":"Evicted"`},
		"time,namespace,kind,name,type,reason,message\nt,shop,Pod,cart-0,Normal,EvictedByVPA,Pod was evicted": {`"cart-0"`, `"reason":"Evicted"`},
		"level=info evicting pod shop/cart-0":                                                                 {`"cart-0"`, `"reason":"Evicted"`},
		"│ cart-0  ●  0/1   CrashLoopBackOff   12 10.42.1.17  n1 3h  │":                                       {`"cart-0"`, "CrashLoop"},
		"mkdir: cannot create directory '/data': Permission denied\n":                                         {`"reason":"Error"`},
		"[    9.1] Kernel panic - not syncing: Fatal exception in interrupt":                                  {"Kernel panic"},
		"root@n1:~# reboot\n": {"reboot"},
		"$ k logs cart-0\n1:M 21 Nov 2023 01:39:40.411 # Bad file format reading the append only file: make a backup of " +
			"your AOF file": {`"cart-0"`, `"reason":"Error"`},
		"cart-0 -n shop\n1:M 05 Sep 2020 21:45:20.492 # Can't open the append-only file: Read-only file system": {
			`"cart-0"`, `"shop"`, `"reason":"Error"`},
		"/run.sh: line 344:    46 Illegal instruction     (core dumped) \"$@\"":            {`"reason":"Error"`},
		"0> 2023-06-22T11:35:02.673+0000 7fcf -1 *** Caught signal (Aborted) **":           {`"reason":"Error"`},
		"RocksDBStore.cc: 1152: ceph_abort_msg(\"block checksum mismatch\")":               {`"reason":"Error"`},
		"ERROR [KafkaServer id=0] Fatal error during KafkaServer startup. Prepare to stop": {`"reason":"Error"`},
		`{"level":"info","msg":"received signal; shutting down","signal":"terminated"}`:    {`"lastState"`},
		"2018-12-07 15:47:03 N | pkg/osutil: received terminated signal, shutting down...": {`"lastState"`},
		"5f53debaa3ddc  3cab8e1b9802c  4 minutes ago  Exited  cart  25  5c17fc84618de":     {`"name":"cart"`, `"lastState"`},
		"[talos] service[cri](Waiting): Error running Process, going to restart forever: exit code 255": {
			`"terminated":{"message":`},
		"The postgres of namespace pg-eu goes round in namespace pg-eu today.\nCrashLoopBackOff": {`"namespace":"pg-eu"`},
		"level=fatal msg=\"no database\"\nthe pod is in CrashLoopBackOff":                        {"CrashLoopBackOff", `"reason":"Error"`},
	} {
		got := read(text, "notes.txt")
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%q: no %s in %s", text, want, got)
			}
		}
		if !Of(text, "notes.txt", printed).In() {
			t.Errorf("%q has no words", text)
		}
	}
}

// What is healthy, taught or an application's own is not about an end.
func TestHealthyTextHasNoWords(t *testing.T) {
	for _, text := range []string{
		"",
		"NAME    READY   STATUS    RESTARTS   AGE\ncart-0  1/1     Running   0          3d\n",
		"status:\n  containerStatuses:\n  - name: cart\n    ready: true\n    restartCount: 0\n    state:\n" +
			"      running:\n        startedAt: \"2026-03-04T07:00:00Z\"\n",
		"2026-03-04T07:00:00Z INFO listening on :8080\n2026-03-04T07:00:01Z INFO request served in 3 ms\n",
		"This container has no liveness probe, and everything works as it should.\n",
		"Error creating: Pod \"sum-zj7pd\" is invalid: spec.containers[0].startupProbe: Forbidden\n",
		"It is not an OOMKill, the pod uses little of what it may have.\n",
		"If the liveness probe of a container fails, the kubelet restarts it.\n",
		"The liveness probe of the pod asks its port every ten seconds.\n",
		"GET /healthz 200\nworker 7 finished 12 jobs with exit code 0\n",
		"If a container is killed with OOMKilled you should raise its limit.\n",
		`"OOMKilled": false`,
		"message: Pod {{ $labels.pod }} is in CrashLoopBackOff",
		`expr: kube_pod_container_status_waiting_reason{reason="CrashLoopBackOff"} > 0`,
		"oom_kill 0\n",
		`containerd: RunPodSandbox for &PodSandboxMetadata{Name:cart-0,Uid:0f8a1b2c,Namespace:shop,Attempt:0,}`,
		`containerd: CreateContainer within sandbox "6d" for container &ContainerMetadata{Name:cart,Attempt:0,}`,
		`Start writing stream "stdout" to log file "/var/log/pods/shop_cart-0_0f8a1b2c/cart/0.log"`,
		`"Shutdown manager detected new shutdown event, isNodeShuttingDownNow" event=false`,
		`"Pod indicated lifecycle completed naturally and should now terminate" pod="shop/job-x"`,
		`"Container of pod is not in the desired state and shall be started" containerName="cart" pod="shop/cart-0"`,
		`"SyncLoop (PLEG): event for pod" pod="shop/job-x" event={"Type":"ContainerDied","Data":"6d"}`,
		"2024-05-02T10:00:00Z WARN upstream: Error, 503, retry\n",
		"2024-05-02T10:00:00Z ERROR http: panic serving 10.0.0.7:51234: runtime error: index out of range\n",
		"2024-05-02T10:00:00Z ERROR recovered from panic: index out of range\n",
		"2024-05-02T10:00:00Z WARN listen tcp :9100: bind: address already in use, retrying in 1s\n",
		"Mar  4 07:00:00 n1 k3s[900]: panic: runtime error: index out of range\n",
		"containerd[900]: time=\"2026-03-04T07:00:00Z\" level=fatal msg=\"containerd-shim: ttrpc server failure\"\n",
		"time=\"2026-03-04T07:00:00Z\" level=fatal msg=\"starting kubernetes: preparing server\"\n",
		"I0304 07:00:00.977913       1 leaderelection.go:278] failed to renew lease shop/cart: timed out\n",
		"2024-05-02T10:00:00Z WARN ImportError: No module named 'orjson', ignored\n",
		"We plan to reboot the machine of the pod.\n",
		"Exec of a probe: OCI runtime exec failed: exec failed: unable to start container process: exec: \"cat\"\n",
		"Killed 3 of 4 idle connections\n",
		"the jobs of the pod\nKilled    3     4\n",
		"2026-03-04T08:00:00Z Killed\n",
		"/start.sh: line 7:     9 Killed                  java -jar /app.jar\n",
		"2024-05-02T10:00:00Z WARN upstream said [FATAL] out of slots\n",
		"2024-05-02T10:00:00Z [FATAL] one message could not be sent\n",
		"2021/01/02 10:00:00 [alert] 1#1: worker process 29 exited on signal 9\n",
		"updater.go:90] EvictedByVPA is a reason for an event\n",
		"2024-05-02 10:00:00 CRITICAL disk is 91 % full\n",
		"Adding pods to evict: 2015-10-20 is later\n",
		"Pods Statuses:  1 Running / 3 Succeeded / 0 Failed\n",
		"vm.max_map_count [262144] is high enough\n",
		"I0622 11:53:33.205692       1 cluster.go:160] node1 for removal\n",
		"2018/11/05 13:48:22 [ERROR] plugin/errors: 2 a.example. A: read udp: i/o timeout\n",
		"The request failed with 3 errors, and the pods answered again.\n",
		"received signal SIGHUP, reloading configuration\n",
		"10:M 05 Sep 2020 21:45:20.492 * DB saved on disk\n",
		"[talos] service[ext-iscsid](Waiting): Error running Containerd: exit code 255\n",
		"5f53debaa3ddc  3cab8e1b9802c  4 minutes ago  Running  cart  25  5c17fc84618de\n",
	} {
		if got := read(text, "notes.txt"); got != "" {
			t.Errorf("%q: %s", text, got)
		}
	}
	const guide = "# Troubleshooting\n\nA pod that is in CrashLoopBackOff with exit code 137 was OOMKilled.\n"
	if got := read(guide, "docs/guide.md"); got != "" {
		t.Errorf("a guide: %s", got)
	}
	if got := read(guide+"The state `CrashLoopBackOff` of `cart-0` is one.\n`CrashLoopBackOff` is one.\n", "a.md"); got != "" {
		t.Errorf("words in backticks are no output: %s", got)
	}
	if got := read(guide+"- `14m  Normal  TaintManagerEviction  pod/cart-0  Marking for deletion Pod shop/cart-0` (events)\n",
		"a.md"); !strings.Contains(got, `"cart-0"`) {
		t.Errorf("a line of output in backticks is not read: %s", got)
	}
	if read(guide+"```\npod/cart-0 CrashLoopBackOff, OOMKilled, exit code 137\n```\n", "docs/guide.md") == "" {
		t.Error("an output in the fences of a page is not read")
	}
}

func FuzzMentions(f *testing.F) {
	for _, text := range []string{"pod shop/cart-0 OOMKilled exit code 137", "```\nEvicted\n```",
		"exit code 99999999999999999999",
		"Mar  4 07:12:01 n1 kernel: Out of memory: Killed process 12 (java)", "\x00\xff OOMKilled"} {
		f.Add(text, "a.txt")
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		objects := Of(text, name, printed).Read(naming.Names{}, true)
		for _, raw := range objects {
			if !json.Valid(raw) {
				t.Fatalf("%s", raw)
			}
		}
		objects = append(objects, Of(text, name, printed).Printed(naming.Names{})...)
		if Of(text, name, printed).In() != (len(objects) > 0) {
			t.Fatal("words and objects differ")
		}
	})
}

func TestAKubeletThatMayEvictNothingEndsNothing(t *testing.T) {
	const must = "The pod web-0 is still there.\neviction manager: must evict pod(s) to reclaim memory\n"
	if got := read(must, "kubelet.txt"); !strings.Contains(got, `"Evicted"`) {
		t.Errorf("without another line: %s", got)
	}
	for _, none := range []string{
		"eviction manager: unable to evict any pods from the node\n",
		"eviction manager: eviction thresholds have been met, but no pods are active to evict\n",
		"eviction manager: no ranking function for resource imagefs\n",
		"\"Eviction manager: no ranking function for signal\" threshold=\"imagefs.available\"\n",
		"eviction manager: able to reduce memory pressure without evicting pods.\n",
	} {
		if got := read(must+none, "kubelet.txt"); strings.Contains(got, `"Evicted"`) {
			t.Errorf("with %q: %s", none, got)
		}
	}
}

func TestATextThatAsksIsNotPassedOver(t *testing.T) {
	for text, want := range map[string]string{
		"The pod web-0 is stuck since the morning.\n":                            `"web-0"`,
		"why is the pod shop/cart-0 restarted?\n":                                `"cart-0"`,
		"Под cart-7684df4fdc-r84vk в namespace shop постоянно перезапускается":   `"cart-7684df4fdc-r84vk"`,
		"Der Pod cart-0 startet alle paar Minuten neu, im Log steht nichts":      `"cart-0"`,
		"k8s 集群里 pod cart-7684df4fdc-r84vk 一直重启":                                 `"cart-7684df4fdc-r84vk"`,
		"which pod?\ncart-7684df4fdc-r84vk went away again, it got a SIGKILL\n":  `"cart-7684df4fdc-r84vk"`,
		"ProgressDeadlineExceeded\n":                                             `"?"`,
		"my redis-master keeps crashing, why?\n":                                 `"redis-master"`,
		"Last night dockerd was shut down by an upgrade, with our containers.\n": `"?"`,
		"The upgrade of the daemon took our whole API down, all in docker.\n":    `"?"`,
		"The automatic updates appear to kill Docker, on several servers.\n":     `"?"`,
		"It makes cri-o send a SIGTERM to all processes of the node.\n":          `"?"`,
		"The instance was retired and all pods on it were lost.\n":               `"?"`,
		"The runner has received a shutdown signal. It runs on EKS.\n":           `"?"`,
		"The self-hosted runner: arc-1 lost communication with the server.\n" +
			"It is a pod.\n": `"?"`,
		"coredns keeps crashing\n":                                              `"coredns"`,
		"Our container is a small one. It is stuck again. What now?\n":          `"?"`,
		"Our deployment cannot start in the new cluster; no idea where to look": `"?"`,
		"The pods die, nobody knows why. Are they dead?\n" +
			"2024-05-02T10:00:00Z ERROR store: no such table\n": `"reason":"Error"`,
	} {
		got := string(bytes.Join(rawOf(Of(text, "notes.txt", printed).Read(naming.Names{}, true)), nil))
		if !strings.Contains(got, want) || !strings.Contains(got, "lastState") {
			t.Errorf("%q: %s", text, got)
		}
	}
	for _, text := range []string{
		"All pods are ready, and none was killed.\n",
		"My laptop keeps crashing.\n",
		"The quarterly report is stuck in the printer.\n",
		"The request failed with 3 errors, and the pods answered again.\n",
		"If a pod crashes, the kubelet usually restarts it.\n",
		"The Reason of a pod is not Killing here.\n",
		"The job of the pod is Completed.\n",
		"kubectl rollout restart deployment/cart\nrestarts the pods\n",
		"The container was terminated gracefully.\n",
		"The pods were restarted successfully.\n",
		"crashed pods: none found\n",
		"The container runtime may be shut down while pods run.\n",
		"The engineers of containerd appear to agree about that.\n",
		"171  Done  today at 04:35 UTC  today at 04:36 UTC  Auto-refresh snap \"lxd\"\n",
		"Logs of pods are lost after a week.\n",
		"The docker daemon was never stopped.\n",
		"It would be nice if the daemon took the containers down in order.\n",
		"We use kubernetes.\n\nThe office has a new door.\n\nThe lift is stuck again.\n",
		"restarts of pods: 0\n0 restarts of pods so far\n",
		"POD  RESTARTS  KILLED\n",
		"# Runbook\n\nA pod that is stuck may be deleted.\n",
	} {
		name := "notes.txt"
		if strings.HasPrefix(text, "#") {
			name = "runbook.md"
		}
		if got := rawOf(Of(text, name, printed).Read(naming.Names{}, true)); len(got) > 0 {
			t.Errorf("%q asks nothing: %s", text, bytes.Join(got, nil))
		}
	}
}

func TestATextOfAPersonBeginsAsOne(t *testing.T) {
	for text, want := range map[string]bool{
		"The pod goes down again and again.\n{\"ts\":1}": true, "$ kubectl get pods\n": true, "# Bug\n": true, "```\n": true,
		`{"ts":"2024-05-02T10:00:00Z","level":"error"}`: false, "2024-05-02T10:00:00Z cart was here and is gone": false,
	} {
		if textkind.Personal(text) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
}

// A previous log that is there tells of an end whatever it says; a command without one, or one that is taught, of none.
func TestTheReasonOfOneEndIsNotPutBesideTheCodeOfAnother(t *testing.T) {
	got := read("pods of prod: one was OOMKilled (exit code 137).\nAfter that it exited with code 1.", "said.txt")
	if strings.Contains(got, "OOMKilled") {
		t.Error(got)
	}
}
