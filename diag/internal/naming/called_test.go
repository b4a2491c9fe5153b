package naming

import "testing"

// What a person calls the thing that ended is a name only where nothing else can be meant.
func TestWhatAPersonCallsIt(t *testing.T) {
	for line, want := range map[string]string{
		"dex-0 died":                                            "dex-0",
		"dex-0 got preempted by a bigger one":                   "dex-0",
		"The data node (es-data-2) died with exit code 137":     "es-data-2",
		"Why does my-app exit with code 143 after every deploy": "my-app",
		"`api-gateway` container was killed":                    "api-gateway",
		"Every night the vector pod is OOM killed":              "vector",
		"tempo got OOM killed twice":                            "tempo",
		"* harbor-core: CrashLoopBackOff":                       "harbor-core",
		"influxdb statefulset: pod OOMKilled":                   "influxdb",
		"postgres container was killed (137)":                   "postgres",
		"after upgrading grafana with helm":                     "grafana",
		"docker run -d --name cache redis":                      "cache",
		"es-data-2 (exit 137)":                                  "es-data-2",
		"the app-1 pod: exit 137":                               "app-1",
		"cart-db (namespace shop) vanished":                     "cart-db",
		"vault v1.2 exits with code 1":                          "vault",
		"the java was OOMKilled":                                "",
		"the affected pod was OOMKilled":                        "",
		"the same pod was OOMKilled":                            "",
		"this is killed again":                                  "",
		"memory was exceeded and it is killed":                  "",
		"worker-7 was restarted":                                "",
		"ip-10-0-0-1 was restarted":                             "",
		"out-of-memory kills are rare":                          "",
		"a long-running pod is killed":                          "",
		"kubelet.service died at night":                         "",
		"crio.service fails to start":                           "",
		"reason: OOMKilled":                                     "",
		"dex-0 runs, as it always did":                          "",
	} {
		if got, _ := Called(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
