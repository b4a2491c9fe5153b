package naming

import "testing"

// What a container is given is left out up to the next line at its heading's indent, and nothing else is.
func TestWhatContainersAreGivenIsLeftOut(t *testing.T) {
	for text, want := range map[string]string{
		"  Environment:\n    A:  x\n  Mounts:\n    b\n":                 "  Environment:\n  Mounts:\n    b\n",
		"  Environment:\n    A:  web-0 (v1:metadata.name)\n    B:  x\n": "  Environment:\n    A:  web-0 (v1:metadata.name)\n",
		"  Environment:  <none>\n    A:  x\n":                           "  Environment:  <none>\n    A:  x\n",
		"Environment:\n- web-0 restarts\n":                              "Environment:\n- web-0 restarts\n",
		"Environment:\n\n    web-0 restarts\n":                          "Environment:\n\n    web-0 restarts\n",
		"- env:\n  - name: A\n    value: x\n  image: y\n- name: z\n":    "- env:\n  image: y\n- name: z\n",
		"args: [\"x\",\n  \"y\"]\nimage: z\n":                           "args:\nimage: z\n",
		"Command: kubectl logs web-0\n":                                 "Command: kubectl logs web-0\n",
		`{"env":[{"value":"]x"}],"a":["b"]}`:                            `{"env":[],"a":["b"]}`,
		`{"template":{"a":"x"},"b":"{\"env\":[\"x\"]}"}`:                `{"template":{},"b":"{\"env\":[]}"}`,
		"{\"args\":[\"x": "{\"args\":[",
		"job_name = a\npod = x-kube-state-metrics-5f69cf9d49-tr24p\n": "job_name = a\n\n",
		"pod = kube-state-metrics-5f69cf9d49-tr24p restarted\n":       "pod = kube-state-metrics-5f69cf9d49-tr24p restarted\n",
	} {
		if got := WithoutValues(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
