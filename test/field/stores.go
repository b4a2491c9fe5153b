package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// record is a log of a node: its lines, and their times if they are known.
type record struct {
	lines []string
	times []time.Time
}

// stores are ways in which a log comes out of a store, a tool or an editor, by the name of the file.
var stores = map[string]func(r record) string{
	"plain.log": func(r record) string { return strings.Join(r.lines, "\n") + "\n" },
	"cloudwatch.json": func(r record) string {
		return `{"events":[` + r.records(",", `{"timestamp":%[2]d,"message":%[3]s}`) + "]}\n"
	},
	"cloudwatch-host.json": nested(`{"timestamp":%[2]d,"message":%[3]s}`, `{"host":"n1","message":%[3]s}`),
	"cloud-logging.json": func(r record) string {
		return "[" + r.records(",", `{"timestamp":%[1]q,"resource":{"labels":{"node_name":"n1"}},`+
			`"jsonPayload":{"message":%[3]s}}`) + "]\n"
	},
	"cloud-logging-text.json": func(r record) string {
		return "[" + r.records(",", `{"timestamp":%[1]q,"resource":{"labels":{"node_name":"n1"}},`+
			`"textPayload":%[3]s}`) + "]\n"
	},
	"elastic.jsonl":     each(`{"_source":{"@timestamp":%[1]q,"host":{"name":"n1"},"message":%[3]s}}`),
	"loki.jsonl":        each(`{"labels":{"instance":"n1"},"timestamp":%[1]q,"line":%[3]s}`),
	"opentelemetry.txt": each(`{"timestamp":%[1]q,"body":%[3]s,"resource":{"host.name":"n1"}}`),
	"splunk.json":       each(`{"preview":false,"result":{"_time":%[1]q,"host":"n1","_raw":%[3]s}}`),
	"strings.txt":       each(`%[3]s`),
	"strings.json":      func(r record) string { return "[\n" + r.records(",\n", `%[3]s`) + "\n]\n" },
	"insights.csv": func(r record) string {
		var b strings.Builder
		w := csv.NewWriter(&b)
		rows := [][]string{{"@timestamp", "@message"}}
		for i, line := range r.lines {
			rows = append(rows, []string{r.at(i).Format(time.RFC3339), line})
		}
		_ = w.WriteAll(rows) // into memory
		return b.String()
	},
	"timed.txt":   each(`%[1]s %[4]s`),
	"explore.txt": each("%[1]s\t%[4]s"),
	"talos.txt":   each(`10.5.0.2: %[4]s`),
	"grep.txt":    each(`/var/log/x.log:%[4]s`),
	"issue.md": func(r record) string {
		return "The pod restarts:\n```\n" + strings.Join(r.lines, "\n") + "\n```\nWhy?\n"
	},
	"mail.txt":     each(`> %[4]s`),
	"indented.txt": each(`    %[4]s`),
}

// at returns the time of a line: its own, or a second behind the one before.
func (r record) at(i int) time.Time {
	if i < len(r.times) {
		return r.times[i]
	}
	return begin.Add(time.Duration(i) * time.Second)
}

var begin = time.Date(2025, 5, 16, 18, 34, 49, 0, time.UTC)

// records formats each line: its time as RFC 3339 and in milliseconds, and the line as a JSON string and as it is.
func (r record) records(between, form string) string {
	out := make([]string, len(r.lines))
	for i, line := range r.lines {
		quoted, _ := json.Marshal(line) // of a string
		form := form + "%[1]s"          // all arguments are used
		text := fmt.Sprintf(form, r.at(i).Format(time.RFC3339), r.at(i).UnixMilli(), quoted, line)
		out[i] = strings.TrimSuffix(text, r.at(i).Format(time.RFC3339))
	}
	return strings.Join(out, between)
}

func each(form string) func(record) string {
	return func(r record) string { return r.records("\n", form) + "\n" }
}

func nested(outer, inner string) func(record) string {
	return func(r record) string {
		in := record{times: r.times, lines: strings.Split(r.records("\n", inner), "\n")}
		return `{"events":[` + in.records(",", outer) + "]}\n"
	}
}

// hostless are stores that say nothing of a machine.
var hostless = []string{"cloudwatch.json", "insights.csv", "strings.json", "strings.txt", "timed.txt", "explore.txt",
	"grep.txt"}

var (
	logBegins = regexp.MustCompile(`^(?:[IWEF]\d{4} \d\d:|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d |time="|` +
		`\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\{"ts")`)
	klogTime   = regexp.MustCompile(`[IWEF]((?:0\d|1[012])\d\d \d\d:\d\d:\d\d(?:\.\d+)?) `)
	syslogTime = regexp.MustCompile(`^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d`)
	isoTime    = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?`)
	aYear      = regexp.MustCompile(`\b20[12]\d-\d\d-\d\d`)
)

// fromStore puts the logs among an entry's files into a store; other files stay.
func fromStore(name string) func(map[string][]byte) map[string][]byte {
	return func(in map[string][]byte) map[string][]byte {
		out, year := map[string][]byte{}, begin.Year()
		for _, data := range in {
			if m := aYear.Find(data); m != nil {
				year, _ = strconv.Atoi(string(m[:4]))
			}
		}
		for p, data := range in {
			var r record
			logged, last := 0, begin
			for line := range strings.Lines(string(data)) {
				if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) == "" {
					continue
				}
				if logBegins.MatchString(line) {
					logged++
				}
				last = timeOf(line, year, last)
				r.lines, r.times = append(r.lines, line), append(r.times, last)
			}
			if logged == 0 || 10*logged < 9*len(r.lines) {
				out[p] = data
				continue
			}
			out[p+"."+name] = []byte(stores[name](r))
		}
		return out
	}
}

// timeOf returns the time of a log's line, or else a moment after the last.
func timeOf(line string, year int, last time.Time) time.Time {
	if m := isoTime.FindString(line); m != "" {
		if t, err := time.Parse("2006-01-02T15:04:05", strings.Replace(m, " ", "T", 1)); err == nil {
			return t
		}
	}
	if m := syslogTime.FindString(line); m != "" {
		if t, err := time.Parse("2006 Jan _2 15:04:05", strconv.Itoa(year)+" "+m); err == nil {
			return t
		}
	}
	if m := klogTime.FindStringSubmatch(line); m != nil {
		if t, err := time.Parse("2006 0102 15:04:05", strconv.Itoa(year)+" "+m[1]); err == nil {
			return t
		}
	}
	return last.Add(time.Millisecond)
}
