package naming

import "testing"

// A person names a pod by its place in a sentence: before "pod", beside a version or a namespace, as a change's title.
func TestTheNameInASentence(t *testing.T) {
	for text, want := range map[string]Names{
		"The web-api pod in shop-eu went into CrashLoopBackOff this morning.":        {"shop-eu", "web-api", ""},
		"Our web-api pods in the shop namespace keep restarting, all of them.":       {"shop", "web-api", ""},
		"One of the web-api pods restarts every hour, and nobody knows why.":         {"", "web-api", ""},
		"We see that each web-api pod is killed after a minute or so.":               {"", "web-api", ""},
		"web-api pods of all three clusters are killed again and again.":             {"", "web-api", ""},
		"The `web-api` deployment in `shop` crashes as soon as it starts.":           {"shop", "web-api", ""},
		"The web-api deployment in shop crashes as soon as it is started.":           {"shop", "web-api", ""},
		"After the upgrade the web-api statefulset in shop never came up again.":     {"shop", "web-api", ""},
		"web-api v1.14.0 in kube-system, in its default mode, crashes at noon.":      {"kube-system", "web-api", ""},
		"traefik 2.11.3 in kube-system dies as soon as it gets its certificate.":     {"kube-system", "traefik", ""},
		"We run web-api 3.2.1 in kube-system and it is killed every night.":          {"kube-system", "web-api", ""},
		"web-api in traefik-system is restarted whenever the certificate is new.":    {"traefik-system", "web-api", ""},
		"calico-typha (calico-system), like all the others, cannot start any more.":  {"calico-system", "calico-typha", ""},
		"After that traefik (kube-system) was gone for about ten minutes each.":      {"kube-system", "traefik", ""},
		"The node lost web-api's pods, all of them at the same moment.":              {"", "web-api", ""},
		"All pods of web-api were gone after the upgrade of the cluster.":            {"", "web-api", ""},
		"web-api: liveness and readiness probes had no timeout, so one second.":      {"", "web-api", ""},
		"fix(web-api): raise the memory limit, it was OOMKilled every day":           {"", "web-api", ""},
		"web-api: raise the memory limit, since it was killed every day":             {"", "web-api", ""},
		"[web-api] startup probe gives up before the migration is through":           {"", "web-api", ""},
		"Increase web-api memory limit because it is OOMKilled at the start":         {"", "web-api", ""},
		"Relax the web-api liveness probe, which killed it under load every day":     {"", "web-api", ""},
		"It then terminates the coredns pod in kube-system to make room for mine":    {"kube-system", "coredns", ""},
		"Why does my postgres pod restart every time that I restart the node?":       {},
		"The `log-writer` container of ours was killed again at noon, says the log":  {"", "", "log-writer"},
		"The init container fix-owner of web-0 in shop fails all the time:":          {"shop", "web-0", "fix-owner"},
		"In kube-system the metrics-server pods are evicted from this node.":         {"kube-system", "metrics-server", ""},
		"The long-running pod in production keeps restarting since this morning.":    {},
		"The crashing pod in the cluster had been restarted by somebody else.":       {},
		"The unhealthy pods are restarted one after the other, says the log.":        {},
		"The same happens to a single-node deployment in the other zone too.":        {},
		"The memory-hungry pods in eu-central-1 are killed again and again.":         {},
		"Each worker pod is killed when its build needs too much memory.":            {},
		"My Redis-backed pods in the lab keep crashing, the others do not.":          {},
		"note: raise your hand, and please do not restart the machine now":           {},
		"The web-api pods in us-east-1 are restarted, in the other regions not.":     {"", "web-api", ""},
		"The files of a pod in file-system order are removed after that one":         {},
		"follow-up: fix the memory limit of the other one as soon as possible":       {},
		"The third pod was evicted, and the next pod came up on another node.":       {},
		"In our test cluster the gke-shop-pool pods of that node were all gone":      {},
		"the kube-system pods are all restarted when the machine comes back":         {},
		"pod cart-0 restarts; the web-api pods are fine, as they always were":        {"", "cart-0", ""},
		"cart-x7k2p   0/1   Error   3   77s\nOur coredns pod is fine, it always was": {"", "cart-x7k2p", ""},
	} {
		var read Text
		read.Add(text + "\n")
		if got := read.Only(); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}
