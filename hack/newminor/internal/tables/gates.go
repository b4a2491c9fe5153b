package tables

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// gate is a row of gates_table.go.
type gate struct {
	last, locked int
	value        bool
}

func gatesTable(old []byte, m Minors) ([]byte, error) {
	all, err := gateHistory(old)
	if err != nil {
		return nil, err
	}
	for minor := m.First(); minor <= m.Last(); minor++ {
		for name, stage := range m.knows(minor) {
			g := all[name]
			g.last = minor
			if stage.Locked && g.locked == 0 {
				g.locked, g.value = minor, stage.Default
			}
			all[name] = g
		}
	}
	var b strings.Builder
	b.WriteString("package preflight\n\n")
	b.WriteString(
		comment(
			fmt.Sprintf(`gates lists the feature gates that some minor no longer knows, or that some minor has locked. What is
		of 1.%d and later is generated (make generate) from the inventories of Kubernetes %s: pkg/features, k8s.io/apiserver,
		apiextensions-apiserver, client-go and component-base, whose gates the kubelet knows too. What is older was read
		from pkg/features/*.go of the last published patch of each minor from 1.6 on, and stays as it stands. The kubelets
		of 1.20, 1.30, 1.31, 1.34 and 1.36 themselves were given each gate of the table and answered as it says.`,
				Oldest, m.span())))
	b.WriteString("var gates = map[string]gateSpan{\n")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		g := all[name]
		if g.last == m.Last() {
			g.last = 0
		}
		if g.last != 0 || g.locked != 0 {
			fmt.Fprintf(&b, "\t%q: {last: %d, locked: %d, value: %t},\n", name, g.last, g.locked, g.value)
		}
	}
	b.WriteString("}\n")
	return formatted(b.String())
}

// gateHistory keeps what a table says of the minors before Oldest: gates that ended by then, and locks that were there
// then. A lock of Oldest itself is in the inventory too.
func gateHistory(old []byte) (map[string]gate, error) {
	table, err := literal(old, "gates")
	if err != nil {
		return nil, err
	}
	all := map[string]gate{}
	for _, e := range table.Elts {
		kv, _ := e.(*ast.KeyValueExpr)
		if kv == nil {
			continue
		}
		name, err := names(&ast.CompositeLit{Elts: []ast.Expr{kv.Key}})
		if err != nil {
			return nil, err
		}
		var g gate
		if row, ok := kv.Value.(*ast.CompositeLit); ok {
			for _, f := range row.Elts {
				field, _ := f.(*ast.KeyValueExpr)
				if field == nil {
					continue
				}
				key, _ := field.Key.(*ast.Ident)
				switch key.Name {
				case "last":
					g.last = number(field.Value)
				case "locked":
					g.locked = number(field.Value)
				case "value":
					on, _ := field.Value.(*ast.Ident)
					g.value = on != nil && on.Name == "true"
				}
			}
		}
		if g.last >= Oldest {
			g.last = 0
		}
		if g.locked >= Oldest {
			g.locked, g.value = 0, false
		}
		if g != (gate{}) {
			all[name[0]] = g
		}
	}
	return all, nil
}

// newGatesTable: what a minor knows and the one before it does not.
func newGatesTable(_ []byte, m Minors) ([]byte, error) {
	var b strings.Builder
	b.WriteString("package preflight\n\n")
	b.WriteString(
		comment(
			fmt.Sprintf(
				`newGates lists the feature gates that came with a minor: an older kubelet does not know them and ends at once
		when it is given one. It is generated (make generate) from the inventories of Kubernetes %s; what came with 1.%d or
		before is left out. A gate that came with a patch counts with its minor.`, m.span(), Oldest)))
	b.WriteString("var newGates = map[int][]string{\n")
	for minor := m.First() + 1; minor <= m.Last(); minor++ {
		before := m.knows(minor - 1)
		var came []string
		for name := range m.knows(minor) {
			if _, known := before[name]; !known {
				came = append(came, name)
			}
		}
		if len(came) > 0 {
			fmt.Fprintf(&b, "\t%d: {%s},\n", minor, quoted(sorted(came), "\t\t"))
		}
	}
	b.WriteString("}\n")
	return formatted(b.String())
}

// foundByHand are flags that end with a minor and that nothing in the sources of the modules names: up to 1.25 the
// kubelet took over klog's own flag set whole (component-base logs.go AddFlags); since 1.26 only v and vmodule.
var foundByHand = map[int][]string{
	26: {
		"add-dir-header", "alsologtostderr", "log-backtrace-at", "log-dir", "log-file", "log-file-max-size", "logtostderr",
		"one-output", "skip-headers", "skip-log-headers", "stderrthreshold",
	},
}

func flagsTable(old []byte, m Minors) ([]byte, error) {
	all, err := rows(old, "removedFlags")
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(all, func(minor int, _ []string) bool { return minor > Oldest })
	for minor := m.First() + 1; minor <= m.Last(); minor++ {
		gone := slices.Clone(foundByHand[minor])
		for _, flag := range m.At(minor - 1).Flags {
			if !slices.Contains(m.At(minor).Flags, flag) {
				gone = append(gone, flag)
			}
		}
		if len(gone) > 0 {
			all[minor] = sorted(gone)
		}
	}
	var b strings.Builder
	b.WriteString("package preflight\n\n")
	b.WriteString(
		comment(
			fmt.Sprintf(
				`removedFlags lists the command line flags that the kubelet of a minor no longer knows: it ends at once when it
		is given one. Rows behind 1.%d are generated (make generate) from the inventories of Kubernetes %s: the flags of
		cmd/kubelet/app/options, pkg/kubelet/config and component-base, and those of klog. Older rows were read from
		cmd/kubelet/app/options and pkg/kubelet/config/flags.go of the last published patch of each minor from 1.10 on, and
		stay as they stand. Flags that only moved to another package are left out.`, Oldest, m.span())))
	b.WriteString("var removedFlags = map[int][]string{\n")
	for _, minor := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "\t%d: {%s},\n", minor, quoted(all[minor], "\t\t"))
	}
	b.WriteString("}\n")
	return formatted(b.String())
}
