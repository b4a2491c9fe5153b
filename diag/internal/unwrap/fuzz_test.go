package unwrap

import (
	"encoding/json"
	"strings"
	"testing"
)

// Whatever a file holds, reading it ends, and what comes out are whole lines and JSON.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"insertId":"x","jsonPayload":{"MESSAGE":"` + quoth +
			`","_HOSTNAME":"n1"},"timestamp":"2025-05-12T04:58:35.181219Z"}` + "\n",
		`[{"line":"` + quoth + `","timestamp":"1747025915181219000","fields":{"node":"n1"}}]`,
		`{"results":[[{"field":"@timestamp","value":"2025-05-12 04:58:35.181"},{"field":"@message","value":"` +
			quoth + `"}]]}`,
		`{"status":"success","data":{"resultType":"streams","result":[{"stream":{"node":"n1"},"values":[["1747025915181219000","` + quoth + `"]]}]}}`,
		`{"hits":{"hits":[{"_source":{"@timestamp":"2025-05-12T04:58:35Z","message":"` + quoth + `"}}]}}`,
		`{"tables":[{"columns":[{"name":"TimeGenerated"},{"name":"SyslogMessage"}],"rows":[["2025-05-12T04:58:35Z","` +
			quoth + `"]]}]}`,
		`[0] host.kubelet: [[1747025915.181219, {}], {"MESSAGE":"` + quoth + `"}]` + "\n",
		"@timestamp,@message,@logStream\n2025-05-12 04:58:35.181,\"" + strings.ReplaceAll(klog, `"`, `""`) + "\",n1\n",
		"---\njsonPayload:\n  MESSAGE: hello\ntimestamp: '2025-05-12T04:58:35Z'\n",
		`2025-05-12T04:58:35Z {node="n1", unit="kubelet.service"} ` + klog + "\n",
		"10.5.0.2: " + klog + "\n10.5.0.2: \tmore\n",
		`{"type":"MODIFIED","object":{"kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[]}}}` + "\n",
		"W1122 10:00:00.000000   12 loader.go:221] x\n{\n \"kind\": \"PodList\",\n \"items\": [\n  {\"metadata\":{\"name\":\"a\"},\"spec\":{\"containers\":[]}}\n ]\n}\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, shape := range []Shape{Sniff([]byte(text)), Lines, Values, YAML, CSV, Text} {
			var l Log
			_, _ = Read(strings.NewReader(text), shape, Sink{
				Record: func(r Record) {
					line := string(r.Append(nil))
					if !strings.HasSuffix(line, "\n") || strings.Count(line[:strings.IndexByte(line, '\n')], string(separator)) < 4 {
						t.Fatalf("%q", line)
					}
					l.Add(r)
				},
				Object: func(_ string, raw []byte) {
					if !json.Valid(raw) {
						t.Fatalf("%q", raw)
					}
				},
				Journal: func(raw []byte) {
					if !json.Valid(raw) || strings.Contains(string(raw), "\n") {
						t.Fatalf("%q", raw)
					}
				},
			})
			if _, err := l.File("x"); err != nil {
				t.Fatal(err)
			}
		}
	})
}
