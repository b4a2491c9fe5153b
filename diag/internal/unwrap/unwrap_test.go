package unwrap

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	klog    = `I0512 04:58:35.181219    2473 kubelet.go:2453] "SyncLoop (PLEG): event for pod" pod="a/b"`
	klog2   = `I0512 04:58:36.000000    2473 kubelet.go:2453] "SyncLoop DELETE" pods=["a/b"]`
	anEvent = `{"kind":"Event","involvedObject":{"kind":"Pod"},"reason":"Killing","metadata":{}}`
	quoth   = `I0512 04:58:35.181219    2473 kubelet.go:2453] \"SyncLoop (PLEG): event for pod\" pod=\"a/b\"`
)

const stopped = `time="2024-07-16T14:47:32.798846344+08:00" level=info msg="Kill container \"d161\""`

// found is what a text holds, in words.
func found(text string) (out []string, tally Tally, shape Shape) {
	shape = Sniff([]byte(text[:min(len(text), 256<<10)]))
	tally, err := Read(strings.NewReader(text), shape, Sink{
		Record: func(r Record) {
			out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", stampText(r.Time), r.Host, r.Unit, r.Message)))
		},
		Object:  func(kind string, raw []byte) { out = append(out, kind) },
		Journal: func(raw []byte) { out = append(out, "journal") },
	})
	if err != nil {
		out = append(out, err.Error())
	}
	return out, tally, shape
}

func stampText(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format("15:04:05")
}

func TestWhatRecordsHold(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a message that is a record": {
			`{"events":[{"timestamp":1747025915181,"message":"{\"hostname\":\"n1\",\"systemd_unit\":\"kubelet.service\",\"message\":\"` + strings.ReplaceAll(quoth, `\"`, `\\\"`) + `\"}"}]}`, []string{"04:58:35 n1 kubelet.service " + klog}},
		"a runtime's process, whose time and machine were taken away": {
			"... containerd[2]: " + stopped + "\n... containerd[2]: " + stopped + "\n",
			[]string{"-   " + stopped, "-   " + stopped}},
		"a runtime's line in a sentence": {"then it says " + stopped + "\n", nil},
		"klog's JSON, as it is": {
			`{"ts":1747025915181.2,"caller":"x.go:1","msg":"Probe failed","v":2,"pod":{"name":"b"}}` + "\n",
			[]string{`04:58:35   {"ts":1747025915181.2,"caller":"x.go:1","msg":"Probe failed","v":2,"pod":{"name":"b"}}`}},
		"klog's JSON about a container, behind a machine's address": {
			`10.5.0.2: {"ts":1747025915181.2,"caller":"x.go:1","msg":"Probe failed","v":2,"containerName":"c"}` + "\n",
			[]string{`04:58:35 10.5.0.2  {"ts":1747025915181.2,"caller":"x.go:1","msg":"Probe failed","v":2,"containerName":"c"}`}},
		"klog's JSON about a container, taken apart by a collector": {
			`{"jsonPayload":{"ts":1747025915181,"msg":"Probe failed","v":2,"containerName":"c","pod":"a/b"},` +
				`"resource":{"labels":{"node_name":"n1"}}}` + "\n",
			[]string{`04:58:35 n1  {"ts":1747025915181,"msg":"Probe failed","v":2,"containerName":"c","pod":"a/b"}`}},
		"klog's JSON about its own name, that a container prints": {
			`{"jsonPayload":{"ts":1747025915181,"msg":"Probe failed","v":2,"containerName":"c"},` +
				`"resource":{"labels":{"container_name":"c"}}}` + "\n", nil},
		"klog's JSON, taken apart by a collector": {
			`{"jsonPayload":{"ts":1747025915181,"caller":"x.go:1","msg":"Probe failed","v":2},"resource":{"labels":{"node_name":"n1"}},"timestamp":"2025-05-12T04:58:35Z"}` + "\n", []string{`04:58:35 n1  {"ts":1747025915181,"caller":"x.go:1","msg":"Probe failed","v":2}`}},
		"keys in capitals and of another collector": {`{"Time":"2025-05-12T04:58:35Z","Message":"` +
			quoth + `","Hostname":"n1"}`, []string{"04:58:35 n1  " + klog}},
		"a container's record": {`{"log":"` + quoth +
			`","kubernetes":{"pod_name":"p","container_name":"c"},"@timestamp":"2025-05-12T04:58:35Z"}` + "\n", nil},
		"a container's stream of Loki": {
			`{"data":{"result":[{"stream":{"pod":"p","container":"kubelet"},"values":[["1747025915181219000","` +
				quoth + `"]]}]}}`, nil},
		"a broken line among others": {`{"message":"` + quoth +
			`"}` + "\n" + `{"message":"half` + "\n" + `{"message":"` + quoth + `"}` + "\n",
			[]string{"-   " + klog, "-   " + klog}},
		"a list that breaks off": {"[\n {\n  \"message\": \"" + quoth + "\"\n },\n {\n  \"mess", []string{"-   " + klog}},
		"values that run into each other": {`{"message":"` + quoth + `"}{"message":"` + quoth + `"}`,
			[]string{"-   " + klog, "-   " + klog}},
		"pods without a kind": {`{"items":[{"metadata":{"name":"a"},"spec":{"containers":[]}}]}`, []string{"Pod"}},
		"a list of lists of objects": {
			`[{"items":[{"metadata":{"name":"a"},"spec":{"containers":[]}}]},{"metadata":{"name":"n"},"status":{"nodeInfo":{}}}]`, []string{"Pod", "Node"}},
		"a watch": {
			`{"type":"MODIFIED","object":{"kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[]}}}` +
				"\n" + `{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{}}}` + "\n", []string{"Pod", "Pod"}},
		"an exporter's line inside of a store's": {
			`{"timestamp":"2025-05-12T04:58:35Z","message":"{\"metadata\":{\"name\":\"e\"},\"involvedObject\":{\"kind\":\"Pod\"},\"reason\":\"Killing\"}"}` + "\n", []string{"Event"}},
		"an event that is the payload of a store's record": {
			`{"insertId":"1","jsonPayload":{"kind":"Event","involvedObject":{"kind":"Pod"},"reason":"Killing","metadata":{}}}` +
				"\n" + `{"_source":{"log":{"verb":"ADDED","event":{"involvedObject":{"kind":"Pod"},"reason":"x","metadata":{}}}}}` + "\n",
			[]string{"Event", "Event"}},
		"a secret is nothing": {
			`{"kind":"Secret","apiVersion":"v1","metadata":{"name":"a"},"data":{"x":"aHVudGVyMg=="}}` + "\n", nil},
		"a journal's own record": {`[{"__REALTIME_TIMESTAMP":"1747025915181219","MESSAGE":"x","_PID":"1"}]`,
			[]string{"journal"}},
		"a journal's record with a store's field": {`{"__REALTIME_TIMESTAMP":"1747025915181219","MESSAGE":"` +
			quoth + `","_HOSTNAME":"n1","ingested":"x"}` + "\n", []string{"04:58:35 n1  " + klog}},
		"events in a table of Azure Monitor": {
			"TimeGenerated,ObjectKind,Namespace,Name,Reason,Message,SourceComponent,LastSeen\n" +
				"2025-05-12T05:00:00Z,Pod,shop,web-0,Killing,\"Container web failed liveness probe\",kubelet,2025-05-12T04:58:35Z\n",
			[]string{"Event"}},
		"events that Alloy keeps": {
			`{"data":{"result":[{"stream":{"job":"loki.source.kubernetes_events"},"values":[["1747025915181219000",` +
				`"name=web-0 kind=Pod reportingcontroller=kubelet reason=Killing msg=\"Container web failed liveness probe\""]]}]}}`,
			[]string{"Event"}},
		"what a container calls an event": {`{"log":"name=web-0 kind=Pod reportingcontroller=kubelet reason=Killing",` +
			`"kubernetes":{"pod_name":"p","container_name":"c"}}` + "\n", nil},
		"what exporters print is known by the container's name": {
			`{"kubernetes":{"pod_name":"event-exporter-1","container_name":"event-exporter"},"log":` + anEvent + "}\n",
			[]string{"Event"}},
		"an event that another container prints": {
			`{"kubernetes":{"pod_name":"p","container_name":"c"},"log":` + anEvent + "}\n", nil},
		"an event beside what a collector adds": {
			anEvent[:len(anEvent)-1] + `,"kubernetes":{"pod_name":"p","container_name":"c"}}` + "\n", nil},
		"an event that a container prints, in Cloud Logging": {`{"jsonPayload":` + anEvent +
			`,"resource":{"type":"k8s_container","labels":{"container_name":"c","pod_name":"p"}}}` + "\n", nil},
		"samples that a container prints": {`{"metric":{"__name__":"kube_pod_container_status_restarts_total","pod":"p",` +
			`"namespace":"n"},"value":[1,"3"],"kubernetes":{"pod_name":"p","container_name":"c"}}` + "\n", nil},
		"a list that a container prints": {`{"events":[{"message":"` + quoth + `"}],"stream":"stdout",` +
			`"kubernetes":{"pod_name":"p","container_name":"c"}}` + "\n", nil},
		"a kubelet's JSON that a container prints": {`{"ts":1747025915181,"caller":"x.go:1","msg":"Probe failed","v":2,` +
			`"kubernetes":{"pod_name":"p","container_name":"c"}}` + "\n", nil},
		"an event of a pod, in Cloud Logging": {`{"jsonPayload":` + anEvent +
			`,"resource":{"type":"k8s_pod","labels":{"pod_name":"p"}}}` + "\n", []string{"Event"}},
		"a container's output in OpenTelemetry": {`{"resourceLogs":[{"resource":{"attributes":[{"key":"k8s.container.name",
			"value":{"stringValue":"c"}}]},"scopeLogs":[{"logRecords":[{"body":{"stringValue":"` + quoth + `"}},
			{"body":{"kvlistValue":{"values":[{"key":"type","value":{"stringValue":"ADDED"}}]}}}]}]}]}`, nil},
		"a kubelet's in OpenTelemetry": {`{"resourceLogs":[{"resource":{"attributes":[{"key":"host.name",
			"value":{"stringValue":"n1"}}]},"scopeLogs":[{"logRecords":[{"body":{"stringValue":"` + quoth + `"}}]}]}]}`,
			[]string{"- n1  " + klog}},
		"a watch in OpenTelemetry": {`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"kvlistValue":{"values":[
			{"key":"type","value":{"stringValue":"ADDED"}},{"key":"object","value":{"kvlistValue":{"values":[
			{"key":"kind","value":{"stringValue":"Event"}},{"key":"metadata","value":{"kvlistValue":{"values":[]}}},
			{"key":"count","value":{"intValue":"3"}}]}}}]}}}]}]}]}`, []string{"Event"}},
		"events that Alloy keeps as JSON": {`{"data":{"result":[{"stream":{"namespace":"shop"},"values":[["1747025915181219000",` +
			`"{\"name\":\"web-0\",\"kind\":\"Pod\",\"sourcecomponent\":\"kubelet\",\"reason\":\"Killing\",\"msg\":\"x\"}"]]}]}}` + "\n",
			[]string{"Event"}},
		"CSV with a message of several lines": {
			"timestamp,host,message\n2025-05-12T04:58:35Z,n1,\"a \"\"quoted\"\"\nmessage\"\n",
			[]string{"04:58:35 n1  a \"quoted\"\nmessage"}},
		"the kernel's lines, of which a store does not say who wrote them": {"@timestamp,@message\n" +
			"2025-05-12 04:58:35.000,[12.345678] Memory cgroup out of memory: Killed process 1 (java)\n" +
			"2025-05-12 04:58:35.000,oom-kill:constraint=CONSTRAINT_NONE\n" +
			"2025-05-12 04:58:35.000,the log says Memory cgroup out of memory: Killed process 1 (java)\n" +
			"2025-05-12 04:58:35.000,\"it says\nMemory cgroup out of memory: Killed process 1 (java)\"\n",
			[]string{"04:58:35  kernel [12.345678] Memory cgroup out of memory: Killed process 1 (java)",
				"04:58:35  kernel oom-kill:constraint=CONSTRAINT_NONE",
				"04:58:35   the log says Memory cgroup out of memory: Killed process 1 (java)",
				"04:58:35   it says\nMemory cgroup out of memory: Killed process 1 (java)"}},
		"the kernel's and a runtime's lines behind a time": {
			"2025-05-12 04:58:35.181\t[12.345678] Memory cgroup out of memory: Killed process 1 (java)\n" +
				"2025-05-12 04:58:36.000\ttime=\"2025-05-12T04:58:36Z\" level=info msg=x\n",
			[]string{"04:58:35  kernel [12.345678] Memory cgroup out of memory: Killed process 1 (java)",
				"04:58:36   time=\"2025-05-12T04:58:36Z\" level=info msg=x"}},
		"the kernel's words, by a program": {
			`{"time":"2025-05-12T04:58:35Z","level":"info","msg":"Memory cgroup out of memory: Killed process 1 (a)"}` + "\n", nil},
		"a sentence that quotes the kernel": {
			"We saw Memory cgroup out of memory: Killed process 1 (java)\n", nil},
		"lines as jq prints them": {`"` + quoth + `"` + "\n" + `"` + quoth + `"` + "\n",
			[]string{"-   " + klog, "-   " + klog}},
		"an object in a string":    {`"{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"},\"status\":{}}"`, []string{"Pod"}},
		"YAML without its indents": {"kind: Pod\nmetadata:\nname: a\nstatus:\nphase: Failed\n", nil},
		"lines in a list":          {`["` + quoth + `","` + quoth + `"]`, []string{"-   " + klog, "-   " + klog}},
		"lines of /var/log/messages, as an agent ships them": {"@timestamp,@message,@logStream\n" +
			"2025-05-12 04:58:35.000,May 12 04:58:35 n1 kernel: Out of memory,n1.host\n" +
			"2025-05-12 04:58:35.000,May 12 04:58:35 n1 systemd[1]: Stopped x,n1.host\n" +
			"2025-05-12 04:58:35.000,May 12 04:58:35 n1 app[7]: kernel: Out of memory,n1.host\n",
			[]string{"04:58:35 n1.host kernel Out of memory", "04:58:35 n1.host systemd Stopped x",
				"04:58:35 n1.host app kernel: Out of memory"}},
		"a unit that the store tells stays": {"timestamp,host,unit,message\n" +
			"2025-05-12T04:58:35Z,n1,app.service,May 12 04:58:35 n1 kernel: Out of memory\n",
			[]string{"04:58:35 n1 app.service May 12 04:58:35 n1 kernel: Out of memory"}},
		"CSV with semicolons": {"timestamp;host;message\n2025-05-12T04:58:35Z;n1;" + klog + "\n",
			[]string{"04:58:35 n1  " + klog}},
		"lines behind a prefix": {"[n1] 17 | " + klog + "\n[n1] 18 | \tmore\n", []string{"-   " + klog, "-   \tmore"}},
		"kubectl logs --timestamps --prefix": {"[pod/x/kubelet] 2025-05-12T04:58:35.1Z " + klog + "\n",
			[]string{"-   " + klog}},
		"the same of a container that is no kubelet": {"[pod/x/app] 2025-05-12T04:58:35.1Z " + klog + "\n", nil},
		"a line out of a container's file, as it is": {`{"time":"2025-05-12T04:58:35Z",` +
			`"log":"2025-05-12T04:58:35.1Z stdout F ` +
			quoth + `"}`, nil},
		"the same of a unit": {`{"time":"2025-05-12T04:58:35Z","unit":"kubelet.service",` +
			`"log":"2025-05-12T04:58:35.1Z stdout F ` +
			quoth + `"}`, []string{"04:58:35  kubelet.service " + klog}},
		"a program that quotes a kubelet": {"2025-05-12 app: got \"" + klog + "\"\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, tally, shape := found(c.text)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s\nas %q, %+v", diff, shape, tally)
			}
		})
	}
}

// A store's export may hold any number of records that stand on several lines each, with commas or without.
func TestRecordsOnSeveralLinesAreAllRead(t *testing.T) {
	const n = maxResyncs + 2000
	record := "{\n  \"time\": \"2025-05-12T04:58:35Z\",\n  \"message\": \"" + quoth + "\"\n}"
	for name, between := range map[string]string{"lines": "\n", "commas": ",\n", "nothing": ""} {
		out, tally, _ := found(strings.Repeat(record+between, n))
		if len(out) != n || len(tally.Why) > 0 || tally.Cut {
			t.Errorf("%s: %d records of %d, %+v", name, len(out), n, tally)
		}
	}
}

func TestBrokenPlacesAreBounded(t *testing.T) {
	_, tally, _ := found(strings.Repeat("{\n \"message\": oops\n}\n", 2*maxResyncs))
	if tally.Broken < maxResyncs || tally.Broken > 3*maxResyncs {
		t.Errorf("%+v", tally)
	}
}

func record(second int, id, text string) Record {
	return Record{Time: time.Date(2025, 5, 12, 4, 58, second, 0, time.UTC), Host: "n1", ID: id, Message: text}
}

func messages(t *testing.T, l *Log) (out []string) {
	t.Helper()
	f, err := l.File("x")
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		out = append(out, line[strings.LastIndexByte(line, separator)+1:len(line)-1])
	}
	return out
}

func TestRecordsStandInTheOrderOfTheirTimes(t *testing.T) {
	for name, c := range map[string]struct{ in, want []Record }{
		"the newest first, and lines of one moment": {[]Record{record(3, "", "c"),
			record(2, "", " >"), record(2, "", "\tb"), record(2, "", "b=<"), record(1, "", "a")},
			[]Record{{Message: "a"}, {Message: "b=<"}, {Message: "\tb"}, {Message: " >"}, {Message: "c"}}},
		"streams one behind the other": {[]Record{record(1, "", "a"),
			record(3, "", "c"), record(2, "", "b"), record(4, "", "d")},
			[]Record{{Message: "a"}, {Message: "b"}, {Message: "c"}, {Message: "d"}}},
		"one that a collector sent twice": {[]Record{record(1, "", klog),
			record(1, "", klog), record(2, "", klog2)}, []Record{{Message: klog}, {Message: klog2}}},
		"one that stands in two streams": {[]Record{record(1, "", klog),
			record(2, "", klog2), record(1, "", klog)}, []Record{{Message: klog}, {Message: klog2}}},
		"the same words of two messages": {[]Record{record(1, "x", "hello"),
			record(1, "y", "hello"), record(1, "y", "hello")}, []Record{{Message: "hello"}, {Message: "hello"}}},
		"a message of several lines becomes as many": {[]Record{record(1, "", "a\n\tb\n")},
			[]Record{{Message: "a"}, {Message: "\tb"}}},
	} {
		t.Run(name, func(t *testing.T) {
			var l Log
			for _, r := range c.in {
				l.Add(r)
			}
			var want []string
			for _, r := range c.want {
				want = append(want, r.Message)
			}
			if diff := cmp.Diff(want, messages(t, &l)); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("more than is sorted at once", func(t *testing.T) {
		var l Log
		long := strings.Repeat("x", 64<<10)
		for i := range 1200 {
			l.Add(record(59-i%60, fmt.Sprint(i), fmt.Sprintf("%02d %s", 59-i%60, long)))
		}
		last := ""
		for _, m := range messages(t, &l) {
			if m[:2] < last {
				t.Fatalf("%s behind %s", m[:2], last)
			}
			last = m[:2]
		}
	})
}
