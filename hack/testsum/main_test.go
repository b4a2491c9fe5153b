package main

import (
	"strings"
	"testing"
)

const base = `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"noise of A\n"}
{"Action":"pass","Package":"p","Test":"TestA","Elapsed":0}
{"Action":"output","Package":"p","Output":"ok p\n"}
{"Action":"pass","Package":"p","Elapsed":1.5}
`

func TestSummarise(t *testing.T) {
	cases := map[string]struct {
		in          string
		ok          bool
		want, never string
	}{
		"a passing test is one figure and no noise": {base, true, "ok    p  1.5s\ntest: 1 passed, 0 failed, 0 skipped\n",
			"noise"},
		"a failing test shows its output": {
			base + `{"Action":"output","Package":"q","Test":"TestB","Output":"B is wrong\n"}
{"Action":"fail","Package":"q","Test":"TestB"}
{"Action":"fail","Package":"q"}`, false, "B is wrong\nFAIL  q  0.0s\ntest: 1 passed, 1 failed, 0 skipped\n", "noise"},
		"a build that fails counts as a failure": {
			base + `{"ImportPath":"q","Action":"build-output","Output":"undefined: x\n"}
{"Action":"fail","Package":"q","FailedBuild":"q"}`, false, "undefined: x\nFAIL  q  0.0s\ntest: 1 passed, 1 failed, 0 skipped\n", ""},
		"a test that never ended shows its output": {
			base + `{"Action":"output","Package":"q","Test":"TestD","Output":"goroutine 7 waits\n"}
{"Action":"output","Package":"r","Test":"TestE","Output":"of another package\n"}
{"Action":"output","Package":"q","Output":"FAIL q 600s\n"}
{"Action":"fail","Package":"q"}`, false, "FAIL q 600s\ngoroutine 7 waits\nFAIL  q  0.0s\ntest: 1 passed, 1 failed, 0 skipped\n", "another"},
		"a skip shows its reason": {
			base + `{"Action":"output","Package":"p","Test":"TestC","Output":"needs root\n"}
{"Action":"skip","Package":"p","Test":"TestC"}`, true, "needs root\ntest: 1 passed, 0 failed, 1 skipped\n", ""},
		"what is not an event is passed on": {"go: no such module\n", false,
			"go: no such module\ntest: 0 passed, 0 failed, 0 skipped\n", ""},
		"no test at all is not success": {"", false, "test: 0 passed, 0 failed, 0 skipped\n", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			if ok := summarise(strings.NewReader(c.in), &out); ok != c.ok {
				t.Errorf("ok = %v", ok)
			}
			if !strings.HasSuffix(out.String(), c.want) || c.never != "" && strings.Contains(out.String(), c.never) {
				t.Errorf("printed:\n%s\nwant at the end:\n%s", out.String(), c.want)
			}
		})
	}
}
