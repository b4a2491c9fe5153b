package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// encoding is one way in which people keep a kubelet's log.
type encoding struct {
	name string
	// render writes lines of one host, in order.
	render func([]line) string
	// stored: what it renders is no log as it was written, and proves nothing alone.
	stored bool
}

// m is an object of JSON.
type m = map[string]any

func asJSON(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func pretty(v any) string {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err)
	}
	return string(b) + "\n"
}

// each renders line by line.
func each(f func(l line) string) func([]line) string {
	return func(lines []line) string {
		var b strings.Builder
		for _, l := range lines {
			b.WriteString(f(l) + "\n")
		}
		return b.String()
	}
}

func objects(f func(l line) any) func([]line) string {
	return each(func(l line) string { return asJSON(f(l)) })
}

func listed(lines []line, f func(l line) any) []any {
	var all []any
	for _, l := range lines {
		all = append(all, f(l))
	}
	return all
}

func table(head []string, f func(l line) []string) func([]line) string {
	return func(lines []line) string {
		var b strings.Builder
		w := csv.NewWriter(&b)
		_ = w.Write(head)
		for _, l := range lines {
			_ = w.Write(f(l))
		}
		w.Flush()
		return b.String()
	}
}

func rfc(l line) string   { return l.at.Format("2006-01-02T15:04:05.000000Z") }
func nanos(l line) string { return strconv.FormatInt(l.at.UnixNano(), 10) }
func seconds(l line) json.Number {
	return json.Number(fmt.Sprintf("%d.%06d", l.at.Unix(), l.at.Nanosecond()/1000))
}
func plainKlog(l line) string { return l.text }
func syslogOf(ident string) func([]line) string {
	return each(func(l line) string {
		return fmt.Sprintf("%s %s %s[%s]: %s", l.at.Format(short), l.host, ident, l.pid, l.text)
	})
}

func journald(l line) m {
	return m{"PRIORITY": "6", "_HOSTNAME": l.host, "_SYSTEMD_UNIT": "kubelet.service",
		"SYSLOG_IDENTIFIER": "kubelet", "_PID": l.pid, "MESSAGE": l.text}
}

func with(o m, key string, v any) m { o[key] = v; return o }

func gcloud(l line) any {
	return m{"insertId": "i" + nanos(l) + l.text[:min(30, len(l.text))], "jsonPayload": journald(l),
		"logName": "projects/p/logs/kubelet", "timestamp": rfc(l), "receiveTimestamp": rfc(l),
		"resource": m{"type": "k8s_node", "labels": m{"node_name": l.host, "cluster_name": "c"}}}
}

func insights(l line) any {
	return []m{{"field": "@timestamp", "value": l.at.Format("2006-01-02 15:04:05.000")},
		{"field": "@message", "value": l.text}, {"field": "@logStream", "value": l.host},
		{"field": "@ptr", "value": nanos(l) + l.text}}
}

func containerInsights(l line) any {
	return m{"logStreamName": l.host + "-dataplane.systemd.kubelet.service",
		"timestamp": l.at.UnixMilli(), "ingestionTime": l.at.UnixMilli(),
		"message": asJSON(m{"hostname": l.host, "systemd_unit": "kubelet.service", "message": l.text, "az": "a"})}
}

func ecs(l line) any {
	return m{"@timestamp": rfc(l), "message": l.text, "host": m{"name": l.host},
		"systemd": m{"unit": "kubelet.service"}, "process": m{"pid": l.pid}, "agent": m{"type": "filebeat"}}
}

func viaq(l line) any {
	return m{"@timestamp": rfc(l), "hostname": l.host, "level": "info", "log_type": "infrastructure",
		"message": l.text, "systemd": m{"t": m{"SYSTEMD_UNIT": "kubelet.service", "PID": l.pid},
			"u": m{"SYSLOG_IDENTIFIER": "kubelet"}}}
}

func loki(l line) m { return m{"node": l.host, "unit": "kubelet.service", "job": "systemd-journal"} }

func otlp(l line) any {
	return m{
		"resourceLogs": []m{{"resource": m{"attributes": []m{{"key": "host.name", "value": m{"stringValue": l.host}}}},
			"scopeLogs": []m{
				{"logRecords": []m{{"timeUnixNano": nanos(l), "body": m{"stringValue": l.text},
					"attributes": []m{{"key": "host.name", "value": m{"stringValue": l.host}}}}}}}}}}
}

func wide(s string, little bool) string {
	out := []byte{0xfe, 0xff}
	if little {
		out = []byte{0xff, 0xfe}
	}
	for _, u := range utf16.Encode([]rune(s)) {
		if little {
			out = append(out, byte(u), byte(u>>8))
		} else {
			out = append(out, byte(u>>8), byte(u))
		}
	}
	return string(out)
}

func backwards(lines []line) []line {
	out := slices.Clone(lines)
	slices.Reverse(out)
	return out
}

func yamlOf(l line) string {
	return fmt.Sprintf(
		"---\ninsertId: i%s\njsonPayload:\n  MESSAGE: %s\n  SYSLOG_IDENTIFIER: kubelet\n  _HOSTNAME: %s\n  _PID: '%s'\n  _SYSTEMD_UNIT: kubelet.service\nresource:\n  labels:\n    node_name: %s\n  type: k8s_node\ntimestamp: '%s'",
		nanos(l), asJSON(l.text), l.host, l.pid, l.host, rfc(l))
}

// encodings are those of docs/INPUTS.md, in its order.
func encodings() []encoding {
	klog := each(plainKlog)
	return []encoding{
		{"klog", klog, false},
		{"klog, CRLF", func(ls []line) string { return strings.ReplaceAll(klog(ls), "\n", "\r\n") }, false},
		{"klog, UTF-8 with a mark", func(ls []line) string { return "\xef\xbb\xbf" + klog(ls) }, false},
		{"klog, UTF-16 little endian", func(ls []line) string {
			return wide(strings.ReplaceAll(klog(ls), "\n", "\r\n"), true)
		}, false},
		{"klog, UTF-16 big endian", func(ls []line) string { return wide(klog(ls), false) }, false},
		{"klog, UTF-16 without a mark", func(ls []line) string { return wide(klog(ls), true)[2:] }, false},
		{"klog in colours", each(func(l line) string { return "\x1b[33m" + l.text + "\x1b[0m" }), false},
		{"klog behind what a shell traced", func(ls []line) string {
			return strings.Repeat("+ '[' -n x ']'\n+ echo something\n", 4000) + klog(ls)
		}, false},
		{"syslog", syslogOf("kubelet"), false},
		{"syslog, the newest first", func(ls []line) string { return syslogOf("kubelet")(backwards(ls)) }, false},
		{"syslog of kubelet.sh", syslogOf("kubelet.sh"), false},
		{"syslog of docker", syslogOf("docker"), false},
		{"syslog of a unit of somebody's own", syslogOf("start-node-agent"), false},
		{"syslog of MicroShift", each(func(l line) string {
			return fmt.Sprintf("%s %s microshift[%s]: kubelet %s", l.at.Format(short), l.host, l.pid, l.text)
		}), false},
		{"syslog of k0s", each(func(l line) string {
			return fmt.Sprintf("%s %s k0s[7]: time=\"%s\" level=info msg=%s component=kubelet stream=stderr",
				l.at.Format(short), l.host, l.at.Format(time.DateTime), strconv.Quote(l.text))
		}), false},
		{"journalctl -o json", objects(func(l line) any {
			return with(journald(l), "__REALTIME_TIMESTAMP", strconv.FormatInt(l.at.UnixMicro(), 10))
		}), false},
		{"journalctl -o json as a list", func(ls []line) string {
			return asJSON(listed(ls, func(l line) any {
				return with(journald(l), "__REALTIME_TIMESTAMP", strconv.FormatInt(l.at.UnixMicro(), 10))
			}))
		}, false},
		{"docker logs -t", each(func(l line) string { return l.at.Format("2006-01-02T15:04:05.000000000Z ") + l.text }),
			true},
		{"a container's file of a runtime",
			each(func(l line) string { return l.at.Format("2006-01-02T15:04:05.000000000Z stderr F ") + l.text }), true},
		{"talosctl", each(func(l line) string { return "10.5.0.2: " + l.text }), true},
		{"stern", each(func(l line) string { return "node-debugger › " + l.text }), true},
		{"stern with a container", each(func(l line) string { return "node-debugger-x2 kubelet " + l.text }), true},
		{"gcloud logging read --format=json", func(ls []line) string { return pretty(listed(ls, gcloud)) }, true},
		{"Cloud Logging, JSON lines", objects(gcloud), true},
		{"Cloud Logging, one list on one line, the newest first", func(ls []line) string {
			return asJSON(listed(backwards(ls), gcloud))
		}, true},
		{"gcloud logging read", each(yamlOf), true},
		{"Cloud Logging, CSV",
			table([]string{"insertId", "jsonPayload.MESSAGE", "jsonPayload._SYSTEMD_UNIT",
				"resource.labels.node_name", "timestamp"}, func(l line) []string {
				return []string{nanos(l) + l.text, l.text, "kubelet.service", l.host, rfc(l)}
			}), true},
		{"CloudWatch Insights, JSON", func(ls []line) string {
			return pretty(m{"results": listed(ls, insights), "status": "Complete"})
		}, true},
		{"CloudWatch Insights, CSV, the newest first", func(ls []line) string {
			return table([]string{"@timestamp", "@message", "@logStream"}, func(l line) []string {
				return []string{l.at.Format("2006-01-02 15:04:05.000"), l.text, l.host}
			})(backwards(ls))
		}, true},
		{"aws logs filter-log-events", func(ls []line) string {
			return pretty(m{"events": listed(ls, containerInsights), "searchedLogStreams": []any{}})
		}, true},
		{"aws logs get-log-events", func(ls []line) string {
			return pretty(m{"events": listed(ls, func(l line) any {
				return m{"timestamp": l.at.UnixMilli(), "message": l.text, "ingestionTime": l.at.UnixMilli()}
			}), "nextForwardToken": "f/1"})
		}, true},
		{"aws logs tail", each(func(l line) string {
			return l.at.Format("2006-01-02T15:04:05.000000+00:00 ") + l.host + "-dataplane.systemd.kubelet.service " + l.text
		}), true},
		{"Fluent Bit, JSON lines", objects(func(l line) any { return with(journald(l), "date", seconds(l)) }), true},
		{"Fluent Bit on standard output", each(func(l line) string {
			return "[0] host.kubelet: [[" + seconds(l).String() + ", {}], " + asJSON(journald(l)) + "]"
		}), true},
		{"Fluentd, a file", each(func(l line) string {
			return l.at.Format("2006-01-02T15:04:05+00:00") + "\tkubelet\t" + asJSON(journald(l))
		}), true},
		{"Elasticsearch, hits", func(ls []line) string {
			return asJSON(m{"took": 1, "hits": m{"total": m{"value": 1},
				"hits": listed(ls, func(l line) any { return m{"_index": "i", "_id": nanos(l) + l.text, "_source": ecs(l)} })}})
		}, true},
		{"Elasticsearch, lines of elasticdump",
			objects(func(l line) any { return m{"_index": "i", "_id": nanos(l) + l.text, "_source": ecs(l)} }), true},
		{"OpenSearch Dashboards, CSV", table([]string{"@timestamp", "host.name", "systemd.unit", "message"},
			func(l line) []string {
				return []string{l.at.Format("Jan 2, 2006 @ 15:04:05.000"), l.host, "kubelet.service", l.text}
			}), true},
		{"OpenShift Logging", objects(viaq), true},
		{"logcli", each(func(l line) string {
			return l.at.Format(time.RFC3339) + ` {node="` + l.host + `", unit="kubelet.service"} ` + l.text
		}), true},
		{"logcli -o jsonl, the newest first", func(ls []line) string {
			return objects(func(l line) any { return m{"labels": loki(l), "line": l.text, "timestamp": rfc(l)} })(backwards(ls))
		}, true},
		{"logcli -o raw", klog, false},
		{"Loki's API", func(ls []line) string {
			return asJSON(m{"status": "success", "data": m{"resultType": "streams",
				"result": []m{{"stream": loki(ls[0]),
					"values": listed(ls, func(l line) any { return []string{nanos(l), l.text} })}}}})
		}, true},
		{"Grafana, text", each(func(l line) string { return rfc(l) + "\t" + l.text }), true},
		{"Grafana, JSON", func(ls []line) string {
			return asJSON(listed(ls, func(l line) any {
				return m{"line": l.text, "timestamp": nanos(l), "date": rfc(l), "fields": loki(l)}
			}))
		}, true},
		{"Grafana, CSV", table([]string{"Time", "Line", "tsNs", "node"},
			func(l line) []string { return []string{rfc(l), l.text, nanos(l), l.host} }), true},
		{"Azure Monitor, CSV",
			table([]string{"TimeGenerated [UTC]", "Computer", "Facility", "SeverityLevel", "ProcessName", "SyslogMessage"},
				func(l line) []string {
					return []string{l.at.Format("1/2/2006, 3:04:05.000 PM"), l.host, "daemon", "info", "kubelet", l.text}
				}), true},
		{"Azure Monitor, JSON", func(ls []line) string {
			return pretty(listed(ls, func(l line) any {
				return m{"TimeGenerated": rfc(l), "Computer": l.host, "ProcessName": "kubelet",
					"SyslogMessage": l.text, "TableName": "PrimaryResult"}
			}))
		}, true},
		{"Azure Monitor, the API", func(ls []line) string {
			return asJSON(
				m{"tables": []m{{"name": "PrimaryResult",
					"columns": []m{{"name": "TimeGenerated", "type": "datetime"}, {"name": "Computer"}, {"name": "SyslogMessage"}},
					"rows":    listed(ls, func(l line) any { return []string{rfc(l), l.host, l.text} })}}})
		}, true},
		{"Datadog, CSV", table([]string{"Date", "Host", "Service", "Content"},
			func(l line) []string { return []string{rfc(l), l.host, "kubelet", l.text} }), true},
		{"Datadog, the API", func(ls []line) string {
			return asJSON(m{"data": listed(ls, func(l line) any {
				return m{"id": nanos(l) + l.text, "type": "log",
					"attributes": m{"host": l.host, "service": "kubelet", "message": l.text, "timestamp": rfc(l)}}
			})})
		}, true},
		{"Splunk, JSON", objects(func(l line) any {
			return m{"preview": false, "offset": 0, "result": m{"_raw": l.text,
				"_time": rfc(l), "host": l.host, "sourcetype": "kubelet"}}
		}), true},
		{"Splunk, CSV", table([]string{"_time", "host", "_raw"}, func(l line) []string {
			return []string{rfc(l), l.host, l.text}
		}), true},
		{"OpenTelemetry", objects(otlp), true},
	}
}
