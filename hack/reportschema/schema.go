package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// root is the type of a report.
const root = "Report"

// schema is the part of JSON Schema 2020-12 that a report needs. Its fields are in the order of the file.
type schema struct {
	Schema      string             `json:"$schema,omitempty"`
	ID          string             `json:"$id,omitempty"`
	Title       string             `json:"title,omitempty"`
	Ref         string             `json:"$ref,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        string             `json:"type,omitempty"`
	Format      string             `json:"format,omitempty"`
	Const       string             `json:"const,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	AnyOf       []*schema          `json:"anyOf,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	Required    []string           `json:"required,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Defs        map[string]*schema `json:"$defs,omitempty"`
}

// source is what the package declares.
type source struct {
	types  map[string]*ast.TypeSpec
	docs   map[string]string
	values map[string][]string // of the constants of a type
	named  map[string]string   // constants by name
	defs   map[string]*schema
}

func generate(dir string) ([]byte, error) {
	s, err := read(dir)
	if err != nil {
		return nil, err
	}
	if err := s.define(root); err != nil {
		return nil, err
	}
	top := s.defs[root]
	delete(s.defs, root)
	version, kind := s.named["APIVersion"], s.named["Kind"]
	if version == "" || kind == "" {
		return nil, errors.New("read " + dir + ": no constants APIVersion and Kind")
	}
	top.Properties["apiVersion"].Const, top.Properties["kind"].Const = version, kind
	top.Schema, top.ID, top.Title = "https://json-schema.org/draft/2020-12/schema",
		"https://"+version+"/report.schema.json", kind
	top.Defs = s.defs
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(top); err != nil {
		return nil, fmt.Errorf("encode schema: %w", err)
	}
	return b.Bytes(), nil
}

// read parses the files of a package, without tests.
func read(dir string) (*source, error) {
	s := &source{types: map[string]*ast.TypeSpec{}, docs: map[string]string{},
		values: map[string][]string{}, named: map[string]string{}, defs: map[string]*schema{}}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err == nil && len(files) == 0 {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", dir, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("parse %s: %w", file, err)
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				s.declare(g)
			}
		}
	}
	return s, nil
}

func (s *source) declare(g *ast.GenDecl) {
	for _, spec := range g.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			s.types[spec.Name.Name] = spec
			s.docs[spec.Name.Name] = sentence(g.Doc)
		case *ast.ValueSpec:
			for i, v := range spec.Values {
				literal, ok := v.(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					continue
				}
				text, err := strconv.Unquote(literal.Value)
				if err != nil {
					continue
				}
				s.named[spec.Names[i].Name] = text
				if t, ok := spec.Type.(*ast.Ident); ok {
					s.values[t.Name] = append(s.values[t.Name], text)
				}
			}
		}
	}
}

// define adds a type of the package, and those that it uses, to the definitions.
func (s *source) define(name string) error {
	if s.defs[name] != nil {
		return nil
	}
	spec := s.types[name]
	if spec == nil {
		return fmt.Errorf("type %s: it is not of this package and has no schema", name)
	}
	def := &schema{Description: s.docs[name]}
	s.defs[name] = def
	body, ok := spec.Type.(*ast.StructType)
	if !ok {
		def.Type, def.Enum = "string", s.values[name]
		if id, isIdent := spec.Type.(*ast.Ident); !isIdent || id.Name != "string" || len(def.Enum) == 0 {
			return fmt.Errorf("type %s: neither a struct nor a word with constants", name)
		}
		return nil
	}
	def.Type, def.Properties = "object", map[string]*schema{}
	for _, f := range body.Fields.List {
		if len(f.Names) != 1 || f.Tag == nil {
			return fmt.Errorf("type %s: a field without a name or a tag of its own", name)
		}
		raw, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			return fmt.Errorf("type %s: tag %s: %w", name, f.Tag.Value, err)
		}
		key, opts, _ := strings.Cut(reflect.StructTag(raw).Get("json"), ",")
		if key == "" || key == "-" {
			return fmt.Errorf("type %s, field %s: no name in JSON", name, f.Names[0].Name)
		}
		optional := slices.Contains(strings.Split(opts, ","), "omitempty")
		property, err := s.of(f.Type, optional)
		if err != nil {
			return fmt.Errorf("type %s, field %s: %w", name, f.Names[0].Name, err)
		}
		if text := sentence(f.Doc); text != "" {
			property.Description = text
		} else if text := sentence(f.Comment); text != "" {
			property.Description = text
		}
		def.Properties[key] = property
		if !optional {
			def.Required = append(def.Required, key)
		}
	}
	return nil
}

// of returns the schema of a field's type. A pointer that is always printed may be null; one that may be omitted, or is
// in a list, never is.
func (s *source) of(t ast.Expr, optional bool) (*schema, error) {
	switch t := t.(type) {
	case *ast.StarExpr:
		inner, err := s.of(t.X, optional)
		if err != nil || optional {
			return inner, err
		}
		return &schema{AnyOf: []*schema{inner, {Type: "null"}}}, nil
	case *ast.ArrayType:
		inner, err := s.of(t.Elt, true)
		return &schema{Type: "array", Items: inner}, err
	case *ast.SelectorExpr:
		if x, ok := t.X.(*ast.Ident); ok && x.Name == "time" && t.Sel.Name == "Time" {
			return &schema{Type: "string", Format: "date-time"}, nil
		}
	case *ast.Ident:
		switch t.Name {
		case "string":
			return &schema{Type: "string"}, nil
		case "bool":
			return &schema{Type: "boolean"}, nil
		case "int", "int32", "int64":
			return &schema{Type: "integer"}, nil
		case "float64":
			return &schema{Type: "number"}, nil
		}
		if named := s.types[t.Name]; named != nil {
			if list, ok := named.Type.(*ast.ArrayType); ok {
				return s.of(list, optional)
			}
		}
		return &schema{Ref: "#/$defs/" + t.Name}, s.define(t.Name)
	}
	return nil, fmt.Errorf("type %T has no schema", t)
}

func sentence(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
