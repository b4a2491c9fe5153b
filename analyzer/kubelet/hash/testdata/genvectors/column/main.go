// Column prints the hash of each container on standard input, one JSON object a line, as a kubelet of the given minor
// computes it: with the v1.Container that this program was built with, and the same print library and settings as the
// kubelet. Its first line is the column's heading.
//
//	column HEADING json|without-resources|name-image
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"strconv"

	"github.com/davecgh/go-spew/spew"
	corev1 "k8s.io/api/core/v1"
)

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("want two arguments: HEADING and json, without-resources or name-image"))
	}
	fmt.Println(os.Args[1])
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		c := &corev1.Container{}
		if err := json.Unmarshal(lines.Bytes(), c); err != nil {
			fail(err)
		}
		var text []byte
		var err error
		switch os.Args[2] {
		case "json":
			text, err = json.Marshal(c)
		case "without-resources":
			c.Resources = corev1.ResourceRequirements{}
			text, err = json.Marshal(c)
		case "name-image":
			text, err = json.Marshal(map[string]string{"name": c.Name, "image": c.Image})
		default:
			err = fmt.Errorf("no such hash: %s", os.Args[2])
		}
		if err != nil {
			fail(err)
		}
		sum := fnv.New32a()
		printer := spew.ConfigState{Indent: " ", SortKeys: true, DisableMethods: true, SpewKeys: true}
		printer.Fprintf(sum, "%#v", text)
		fmt.Println(strconv.FormatUint(uint64(sum.Sum32()), 16))
	}
	if err := lines.Err(); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "column:", err)
	os.Exit(1)
}
