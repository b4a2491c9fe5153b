// Package docs holds what of the documents the program itself hands out.
package docs

import _ "embed" // the schema

// ReportSchema is the JSON Schema of reports.
//
//go:embed report.schema.json
var ReportSchema string
