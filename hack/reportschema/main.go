// Command reportschema writes the JSON Schema of the report from its Go types: `make generate` keeps it at
// docs/report.schema.json. A field's comment becomes its description, the constants of a string type become its values,
// and fields that are never omitted are required.
//
// It belongs to the Makefile. It reads the source of analyzer/report and imports nothing of the project.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: reportschema DIR > FILE")
		os.Exit(2)
	}
	data, err := generate(os.Args[1])
	if err == nil {
		_, err = os.Stdout.Write(data)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}
