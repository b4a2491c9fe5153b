package unwrap

import "regexp"

var (
	// Unnested matches what was YAML until a form or a chat removed the indents.
	Unnested = regexp.MustCompile(`(?m)^metadata:[ \t]*\r?\n[A-Za-z]`)

	// Keys that records or objects have; one of them must be there.
	recordKeys = regexp.MustCompile(`(?i)"(?:@?message|textPayload|jsonPayload|_raw|line|log|content|body|SyslogMessage|` +
		`RawData|event\.original|field|stream|MESSAGE|columns|involvedObject|regarding|containerStatuses|nodeInfo|metadata|` +
		`msg|restarts|metric|restart_?Count|exit_?Code|pod_?Name|auditID|protoPayload|short_message|date_happened|names|` +
		`[\w.]*reason|resourceMetrics)"\s*:`)
	yamlKeys = regexp.MustCompile(
		`(?m)^(?:- )?(?:  )?(?:jsonPayload|textPayload|insertId|MESSAGE|message|_source|['"]?@timestamp['"]?|` +
			`metadata|pod|pod_name|podName):`)
	pairOf = regexp.MustCompile(`\[\s*"?1[0-9]{9,18}`)
)

// lists are keys of objects that contain records, or objects with records.
var lists = map[string]bool{
	"results": true, "events": true, "items": true, "hits": true, "data": true,
	"result": true, "entries": true, "logs": true, "records": true, "rows": true,
	"responses": true, "streams": true, "tables": true, "resourcelogs": true,
	"scopelogs": true, "logrecords": true, "messages": true, "rawresponse": true, "frames": true, "series": true,
	"resourcemetrics": true, "scopemetrics": true, "metrics": true, "alerts": true,
}
