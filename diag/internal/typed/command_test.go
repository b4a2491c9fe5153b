package typed

import "testing"

func TestTheHostOfAPrompt(t *testing.T) {
	for line, want := range map[string]string{"core@n1:~$ uptime": "n1", "[root@n2 ~]# last": "n2",
		"$ ssh core@n3 last -x": "n3", "$ ssh -i key n4 'sudo crictl ps'": "n4", "$ ssh n5": "", "$ uptime": ""} {
		if c, _ := Of(line); c.Host != want {
			t.Errorf("%s: %q, want %q", line, c.Host, want)
		}
	}
}

func TestThePodOfACommand(t *testing.T) {
	for end, want := range map[string]string{
		"":                                    "web-0",
		" -o yaml | grep -A 10 lastState":     "web-0",
		" -o yaml|grep -A 10 lastState":       "web-0",
		" -o yaml > web-0.yaml":               "web-0",
		" -o yaml 2>&1":                       "web-0",
		" -o yaml; date":                      "web-0",
		" -o jsonpath='{.a}|{.b}'":            "web-0",
		" # this one":                         "web-0",
		" web-1 -o yaml":                      "",
		" -o 'custom-columns=A:.a|B:.b;c' -w": "web-0",
	} {
		if c, ok := Of("$ kubectl get pod web-0" + end); !ok || c.Pod != want {
			t.Errorf("%q: %q, want %q", end, c.Pod, want)
		}
	}
}
