package unwrap

// lists are keys of objects that contain records, or objects with records.
var lists = map[string]bool{
	"results": true, "events": true, "items": true, "hits": true, "data": true,
	"result": true, "entries": true, "logs": true, "records": true, "rows": true,
	"responses": true, "streams": true, "tables": true, "resourcelogs": true,
	"scopelogs": true, "logrecords": true, "messages": true, "rawresponse": true, "frames": true, "series": true,
	"resourcemetrics": true, "scopemetrics": true, "metrics": true, "alerts": true,
}
