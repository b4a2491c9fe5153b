// Structcolumn prints the hash of each container on standard input as a kubelet of the struct eras computed it: with
// that minor's own types (the package column/types, cut out by ../types) and the kubelet's print library and settings.
//
//	structcolumn HEADING adler32|fnv32a
package main

import (
	"bufio"
	types "column/types"
	"encoding/json"
	"fmt"
	"hash"
	"hash/adler32"
	"hash/fnv"
	"os"
	"strconv"

	"github.com/davecgh/go-spew/spew"
)

func main() {
	fmt.Println(os.Args[1])
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		c := types.Container{}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			fail(err)
		}
		var sum hash.Hash32 = fnv.New32a()
		if os.Args[2] == "adler32" {
			sum = adler32.New()
		}
		printer := spew.ConfigState{Indent: " ", SortKeys: true, DisableMethods: true, SpewKeys: true}
		printer.Fprintf(sum, "%#v", c)
		fmt.Println(strconv.FormatUint(uint64(sum.Sum32()), 16))
	}
	if err := lines.Err(); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "structcolumn:", err)
	os.Exit(1)
}
