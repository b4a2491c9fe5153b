// Command messages checks the reader of kubelet logs against the messages that
// kubelets write: every log call of v1.5 and later is rendered as the kubelet of
// each minor prints it, and must become the statement that the table gives it,
// or none.
//
// It fails when a message that decides has no rule, when a rule meets no message
// of a minor that it claims to know, or one of a minor that it does not, and when
// a rule claims a verbosity that the message does not need. It may import
// analyzer/kubelet, diag/kubeletlog, diag/evidence and the standard library.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/program"
)

func main() {
	program.Main(func(context.Context) error {
		ok, err := run(os.Stdout, table)
		return cmp.Or(err, program.Hold(ok))
	})
}

// run checks a table, prints what is wrong and the coverage of each minor, and
// reports whether all held. The last line sums up.
func run(w io.Writer, table string) (bool, error) {
	rows, err := read(table)
	if err != nil {
		return false, err
	}
	r := check(rows)
	for _, p := range r.problems {
		fmt.Fprintln(w, p)
	}
	decide, read, all := 0, 0, 0
	for minor := first; minor <= last; minor++ {
		c := r.minors[minor]
		fmt.Fprintf(w, "v1.%-2d  %4d messages, %3d decide, %3d of them read, %3d rules\n",
			minor, c.messages, c.decide, c.read, c.rules)
		decide, read, all = decide+c.decide, read+c.read, all+c.messages
	}
	fmt.Fprintf(w, "verify: %d of %d deciding messages read over v1.%d to v1.%d, out of %d, by %d rules; %d problems\n",
		read, decide, first, last, all, r.rules, len(r.problems))
	return len(r.problems) == 0, nil
}
