package apijson

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/exitcode"
)

// maxMends is how many fields of one object are mended: what has more is no object of the API.
const maxMends = 32

// Mend returns raw with values that its fields can hold, for an object that a program or a person wrote down again: a
// number or a truth value in quotes loses these, a code of 32 bits without a sign gets one, and what a field cannot
// hold at all is left out. decode is what failed; left are the JSON pointers of what was left out. mended is nil if
// raw is no JSON, or if too much is wrong with it: a whole metadata or status. A spec is what people leave out.
func Mend(raw []byte, decode func([]byte) error) (mended []byte, left []string) {
	for range maxMends {
		err := decode(raw)
		if err == nil {
			return raw, left
		}
		var wrong *json.SemanticError
		if !errors.As(err, &wrong) || wrong.GoType == nil ||
			strings.Count(string(wrong.JSONPointer), "/") < 2 && wrong.JSONPointer != "/spec" {
			break
		}
		var kept bool
		if raw, kept = replace(raw, wrong.JSONPointer, wrong.GoType.Kind()); raw == nil {
			break
		}
		if !kept {
			left = append(left, string(wrong.JSONPointer))
		}
	}
	return nil, nil
}

// fitting returns what a field of a type holds if a value was written down in another one; nil is nothing.
func fitting(kind jsontext.Kind, text string, into reflect.Kind) jsontext.Value {
	switch into {
	case reflect.Int32:
		if code, ok := exitcode.Parse(text); ok {
			return strconv.AppendInt(nil, int64(code), 10)
		}
	case reflect.Int64:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return strconv.AppendInt(nil, n, 10)
		}
	case reflect.Bool:
		if is, err := strconv.ParseBool(text); err == nil {
			return strconv.AppendBool(nil, is)
		}
	case reflect.String:
		if kind == '0' || kind == 't' || kind == 'f' {
			quoted, _ := jsontext.AppendQuote(nil, text)
			return quoted
		}
	}
	return nil
}

// replace returns raw with a fitting value at a pointer, or without that member; nil if that is not in raw. In an array
// null stands for what is left out, because the order of the others counts.
func replace(raw []byte, at jsontext.Pointer, into reflect.Kind) (out []byte, kept bool) {
	var buffer bytes.Buffer
	in, to := jsontext.NewDecoder(bytes.NewReader(raw), lenient), jsontext.NewEncoder(&buffer, lenient)
	for found := false; ; {
		token, err := in.ReadToken()
		if errors.Is(err, io.EOF) && found {
			return buffer.Bytes(), kept
		}
		if err != nil {
			return nil, false
		}
		if found || in.StackPointer() != at {
			if to.WriteToken(token) != nil {
				return nil, false
			}
			continue
		}
		found = true
		holder, n := in.StackIndex(in.StackDepth())
		member := holder == '{' && n%2 == 1
		name := token.Clone()
		if member {
			if token, err = in.ReadToken(); err != nil {
				return nil, false
			}
		}
		value := fitting(token.Kind(), token.String(), into)
		for depth, open := in.StackDepth(), token.Kind(); (open == '{' || open == '[') && in.StackDepth() >= depth; {
			if _, err := in.ReadToken(); err != nil { // the rest of the value
				return nil, false
			}
		}
		if kept = value != nil; !kept {
			value = jsontext.Value("null")
		}
		if member && kept {
			err = to.WriteToken(name)
		}
		if kept || !member {
			err = errors.Join(err, to.WriteValue(value))
		}
		if err != nil {
			return nil, false
		}
	}
}
