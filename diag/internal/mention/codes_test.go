package mention

import (
	"regexp"
	"strings"
	"testing"
)

func TestACodeIsReadBesideItsReason(t *testing.T) {
	for text, want := range map[string]string{
		"pod cart-0 of ns=shop reason=Error exit=143": `"exitCode":143`,
		"pod shop/cart-0: last state 137 OOMKilled":   `"exitCode":137`,
		`10.5.0.2: user: warning: [2025-12-31T13:36:54.2Z]: [talos] Sending SIGKILL to cgroup {"cgroup": "/sys/fs/cgroup/kubepods/burstable/podacb3"}`: `"OOMKilled"`,
		"pod shop/cart-0: OOMKilled (137)":                                                        `"exitCode":137`,
		"pod cart-0 exits with a non-zero exit code 3":                                            `"exitCode":3`,
		"pod cart-0 exits with a status of 3":                                                     `"exitCode":3`,
		"pod cart-0 crashed with status code 139":                                                 `"exitCode":139`,
		"the pod cart-0 exits with code 3":                                                        `"exitCode":3`,
		"pod cart-0 exited with non-zero status code 3":                                           `"exitCode":3`,
		"the pod cart-0 exited abnormally with code 3":                                            `"exitCode":3`,
		"the container of pod cart-0 terminated with status 3":                                    `"exitCode":3`,
		"Exit Code: 3, Exit Message: \"Docker container exited.\"":                                `"exitCode":3`,
		"pod cart-0 in back-off, exit code is 3":                                                  `"exitCode":3`,
		"pod cart-0: Error (exit code 3): main: exit status 2":                                    `"exitCode":3`,
		"the pod cart-0 dies with exit status 3":                                                  `"exitCode":3`,
		"the container exited 3, pod cart-0":                                                      `"exitCode":3`,
		"the pod cart-0 was restarted due to error code 137":                                      `"exitCode":137`,
		"pod cart-0 restarts hourly with return code 143":                                         `"exitCode":143`,
		"kubelet[1]: worker died; the container nginx exited with code 139":                       `"exitCode":139`,
		"Airflow: pod took longer than 120 seconds to start. Exit code 137.":                      `"exitCode":137`,
		"electron: failed to create the sandbox helper in container, then it exits with code 133": `"exitCode":133`,
		"Timed out waiting for pod to start because the container crashes with exit code 1":       `"exitCode":1`,
		"the containers quit with 139, and nobody knows why":                                      `"exitCode":139`,
		"the container keeps dying with 137.":                                                     `"exitCode":137`,
		"the container of pod cart-0 is killed, error code: 139":                                  `"exitCode":139`,
		"the container of cart-0 quits with rc=2":                                                 `"exitCode":2`,
		"the container of cart-0 keeps finishing with code 5":                                     `"exitCode":5`,
		"pod cart-0 got oomkilled":                                                                `"OOMKilled"`,
	} {
		if got := read(text, "said.txt"); !strings.Contains(got, want) {
			t.Errorf("%q tells %s, want %s", text, got, want)
		}
	}
}

var aCode = regexp.MustCompile(`"exitCode":\d`)

func TestANumberIsNoCodeWithoutTheWord(t *testing.T) {
	for _, text := range []string{
		"the pod cart-0 exits with a 30 second delay", "the pod cart-0 exits with a 404 from the API",
		"the pod cart-0 exits with an error 404", "the pod cart-0 crashed with status code 200",
		"the pod cart-0 failed with status code 503", "pod cart-0 restarts: the API has error code 128 and 160",
		"the container of pod cart-0 exited 3 minutes ago",
		"the pod cart-0 exits 5, then turns left", "the pod cart-0 exited 12. March",
		"ssh in my pod returns error code 255", "rsync in my pod fails with error code 255",
		"the API of my pod has status=255", "the API in my pod has status code 255",
		"curl fails with return code 135 inside the container", "curl in the container fails with return code 135",
		"Selenium tests fail with 139 failures on the pod", "Tests fail with 140 errors in the pod",
		"the tests of the pod fail with 139 failures", "curl in the pod quits with 139",
		"MySQL returns error code 150 when the pod creates the table", "the MySQL pod has error code 145",
		"pod cart-0: mount failed with exit status 32", "pod cart-0: mount failed: exit status 32",
		"many pods (137), and one restarts", "the pod cart-0 crashed (see line 143), (143)",
		"the crash of pod cart-0 is fixed in (137)", "the pods (139) are fine; one crashed",
		"pod cart-0 finished code 100 %", "pod cart-0 ended up at code 3 lines later", "The exit sign code is 42, pod cart-0",
		"pod cart-0 died with errno 111", "pod cart-0 stopped returning code 200", "pod cart-0 stopped (137) times",
	} {
		if got := read(text, "said.txt"); aCode.MatchString(got) {
			t.Errorf("%q tells %s", text, got)
		}
	}
}
