package report_test

import (
	"encoding/json"
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// The output of `kubectl restartwhy -o json` is parsed unchanged. Each link of a verdict's chain cites its evidence.
func ExampleReport_Find() {
	var r report.Report
	err := json.Unmarshal([]byte(`{
	  "items": [{"pod": "web-0", "verdict": {"cause": "oom-container-limit", "confidence": "proven",
	    "chain": [{"cause": "oom-container-limit", "text": "the kernel killed it", "evidence": ["e1"]}]}}],
	  "evidence": [{"id": "e1", "source": {"kind": "kernel", "node": "n1"}, "text": "Memory cgroup out of memory"}]}`), &r)
	if err != nil {
		fmt.Println(err)
		return
	}
	v := r.Items[0].Verdict
	for _, link := range v.Chain {
		for _, id := range link.Evidence {
			e := r.Find(id)
			fmt.Printf("%s %s: %s says %q\n", v.Confidence, link.Text, e.Source.Kind, e.Text)
		}
	}
	// Output: proven the kernel killed it: kernel says "Memory cgroup out of memory"
}
