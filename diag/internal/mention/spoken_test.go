package mention_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/mention"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// What people and programs say of an end, each with a part of the object that it becomes.
func TestWordsOfManyKindsBecomeAnEnd(t *testing.T) {
	const about = "pod web-0 in namespace shop, container app\n\n"
	for said, want := range map[string]string{
		"Le conteneur s'est arrêté avec le code de sortie 1":                                `"exitCode":1`,
		"O contêiner terminou com código de saída 137":                                      `"exitCode":137`,
		"コンテナは終了コード137で終了しました":                                                              `"exitCode":137`,
		"컨테이너가 종료 코드 3로 종료되었습니다":                                                            `"exitCode":3`,
		"Контейнер завершился с кодом 1":                                                    `"exitCode":1`,
		"make: *** [run] Error 137":                                                         `"exitCode":137`,
		"npm ERR! errno 137":                                                                `"exitCode":137`,
		"terminated by signal SIGFPE":                                                       `"exitCode":136`,
		"# A fatal error has been detected by the Java Runtime Environment:":                `"exitCode":134`,
		"LOG:  received fast shutdown request":                                              `"lastState"`,
		"[Note] mysqld: Normal shutdown":                                                    `"lastState"`,
		"FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory": `"reason":"Error"`,
		"it just says Completed with exit code 0 and starts over":                           `"exitCode":0`,
		"The container keeps exiting with code 0 and gets restarted":                        `"exitCode":0`,
		"It exits with code 0 every hour":                                                   `"exitCode":0`,
		"systemd-oomd killed it at night":                                                   `"OOMKilled"`,
		"VPA evicts the pod each morning":                                                   `Evicted pod`,
		"0/3 nodes are available: preemption: 1 Preempted by shop/urgent on node n1":        `default-scheduler`,
		"It is updated with InPlaceIfPossible, and then the new image restarts it":          `hash changed (its image)`,
		"We released it in place (image v1 -> v2), and each time the container restarts":    `hash changed (its image)`,
		"An in-place update of the image ended it this morning, as it seems":                `hash changed (its image)`,
		"When the spot instance is evicted, the pod of the step is gone with it":            `imminent node shutdown`,
		"Azure evicted a spot node last night and the pod did not come back":                `imminent node shutdown`,
		"The preemptible VM was reclaimed by Google while the job was running":              `imminent node shutdown`,
		"Container app resize requires restart":                                             `resize requires restart`,
	} {
		raw := fmt.Sprintf("%s", mention.Of(about+said+"\n", "a.txt", time.Time{}).Read(naming.Names{}, true))
		if !strings.Contains(raw, want) || !strings.Contains(raw, `"web-0"`) {
			t.Errorf("%q: %s, want %s of web-0", said, raw, want)
		}
	}
}

// People say in everyday words what a probe, a limit or a node's kubelet did.
func TestEverydayWordsBecomeAnEnd(t *testing.T) {
	const (
		liveness, startup = `"Liveness probe failed`, `"Startup probe failed`
		memory, disk      = `"OOMKilled"`, `low on resource: ephemeral-storage`
	)
	for said, want := range map[string]string{
		"The kubelet shoots it every two minutes, /healthz takes longer than the livenessProbe allows":     liveness,
		"Liveness is too tight for a JVM, it gets recycled before it has finished booting":                 liveness,
		"With `livenessProbe.enabled: false` it stays up. With it on, it's down every 50s":                 liveness,
		"Redis loads 10 GB, that takes 4 min. liveness waits for 2 of them. Loop.":                         liveness,
		"readiness and liveness both point to the login, which is a 302. k8s thinks it's dead, bounces it": liveness,
		"startupProbe is 30 x 10s, the migration takes 8 minutes, so it begins anew each time":             startup,
		"It isn't through with the replay when its startupProbe (15 min) runs out, and starts over":        startup,
		"The default limit of 128Mi is too small for many secrets, the controller dies on start":           memory,
		"Its memory goes to 100% of its limit and the container is gone, 12 times a day":                   memory,
		"Each starts, gets over its 4Mi as soon as it is initialized and is killed for it":                 memory,
		"Raised resources.limits.memory to 1Gi, no more restarts since then":                               memory,
		"It eats up all the memory that we give it and then it is killed by the kernel":                    memory,
		"The builds fill up the disk of the node, and the kubelet then throws our pods out":                disk,
		"Pods on that node get kicked out because of DiskPressure":                                         disk,
		"The kubelet says MemoryPressure and removes the pods of BestEffort first":                         `low on resource: memory`,
		"Job has activeDeadlineSeconds: 600 and the import takes 20 min. It is always cut off":             `"DeadlineExceeded"`,
		"A pod with a higher priority class needed the room, so the scheduler pushed ours out":             `"Preempted"`,
		"our postStart hook isn't executable. The container is killed each time right after the start":     `"FailedPostStartHook"`,
		"The node pool was upgraded last night and the only replica was down for 3 minutes":                `"Evicted pod"`,
		"A spot node was taken back by the cloud last night, and the job's pod is gone with it":            `imminent node shutdown`,
		"Reloader did a rollout when the ConfigMap changed and all pods were replaced":                     `Need to kill Pod`,
		"It can't find its database at the start and quits with 1. Then k8s starts it again":               `"reason":"Error"`,
		"Since the command is `echo hi` the status goes Completed -> CrashLoopBackOff":                     `"exitCode":0`,
		"Its log ends with java.lang.OutOfMemoryError: Java heap space, and so every day at noon":          `"reason":"Error"`,
		"The log of the last round ends in the middle of the build, no error at all":                       "",
		"With the liveness probe as it is nothing happens, all is well for days":                           "",
		"Could you add a limit of 128Mi? That is what the other charts have, thanks":                       "",
		"The disk of the node is an SSD of the newest kind, and has plenty of space":                       "",
	} {
		raw := fmt.Sprintf("%s", mention.Of("pod web-0 in namespace shop\n\n"+said+"\n", "a.txt", time.Time{}).
			Read(naming.Names{}, true))
		if want == "" && strings.Contains(raw, `"reason"`) || !strings.Contains(raw, want) {
			t.Errorf("%q: %s, want %s", said, raw, want)
		}
	}
}
