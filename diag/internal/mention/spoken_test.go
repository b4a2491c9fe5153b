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
