package tables

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// width is where a line of names ends; rowSpace is what the rest of its row takes beside a list on one line.
const (
	width    = 116
	rowSpace = 30
)

func literal(file []byte, name string) (*ast.CompositeLit, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), "", file, 0)
	if err != nil {
		return nil, fmt.Errorf("parse: %w", err)
	}
	var found *ast.CompositeLit
	ast.Inspect(parsed, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Names) == 1 && v.Names[0].Name == name && len(v.Values) == 1 {
			found, _ = v.Values[0].(*ast.CompositeLit)
		}
		return found == nil
	})
	if found == nil {
		return nil, fmt.Errorf("find the variable %s: it is not there", name)
	}
	return found, nil
}

func names(e ast.Expr) ([]string, error) {
	list, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil, nil // nil
	}
	var all []string
	for _, x := range list.Elts {
		word, ok := x.(*ast.BasicLit)
		if !ok {
			return nil, fmt.Errorf("read a list of names: %T in it", x)
		}
		s, err := strconv.Unquote(word.Value)
		if err != nil {
			return nil, fmt.Errorf("read a list of names: %w", err)
		}
		all = append(all, s)
	}
	return all, nil
}

// number is that of a literal, 0 of any other expression.
func number(e ast.Expr) int {
	if word, ok := e.(*ast.BasicLit); ok {
		n, _ := strconv.Atoi(word.Value)
		return n
	}
	return 0
}

func rows(file []byte, name string) (map[int][]string, error) {
	table, err := literal(file, name)
	if err != nil {
		return nil, err
	}
	all := map[int][]string{}
	for _, e := range table.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return nil, fmt.Errorf("read %s: a row without a minor", name)
		}
		if all[number(kv.Key)], err = names(kv.Value); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// quoted is a list of strings, broken into lines if it is long.
func quoted(list []string, indent string) string {
	line, long := indent, false
	var b strings.Builder
	for n, s := range list {
		word := strconv.Quote(s)
		if n > 0 && len(line)+len(word)+2 > width {
			b.WriteString(strings.TrimSuffix(line, " ") + "\n")
			line, long = indent, true
		}
		line += word + ", "
	}
	if !long && len(line) < width-rowSpace {
		return strings.TrimSuffix(strings.TrimPrefix(line, indent), ", ")
	}
	b.WriteString(strings.TrimSuffix(line, " ") + "\n")
	return "\n" + b.String() + strings.TrimSuffix(indent, "\t")
}

// comment wraps words behind "// ".
func comment(text string) string {
	var b strings.Builder
	line := "//"
	for _, word := range strings.Fields(text) {
		if len(line)+len(word)+1 > 120 {
			b.WriteString(line + "\n")
			line = "//"
		}
		line += " " + word
	}
	return b.String() + line + "\n"
}

func formatted(text string) ([]byte, error) {
	out, err := format.Source([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("format: %w", err)
	}
	return out, nil
}
