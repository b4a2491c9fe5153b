// Command messages checks the reader of kubelet logs against the messages that kubelets write: every log call of v1.5
// and later is rendered as the kubelet of each minor version prints it, and must become the statement in the table, or
// none.
//
// It fails if a decisive message has no rule, if a rule matches no message of a minor version that it claims to know,
// or one of a version that it does not, and if a rule claims a verbosity that the message does not need. It may import
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

// run checks a table, prints what is wrong and the coverage of each minor version, and reports whether everything
// passed. The last line is a summary.
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
