package data

import "io"

// indented writes what json.Indent would make of an encoder's output, four blanks per level. Unlike json.Indent it need
// not validate its input, which would take as long as all other work on a large cluster's report.
type indented struct {
	w               io.Writer
	out             []byte // reused
	level           int
	inText, escaped bool
	opened          bool // nothing follows the last opening bracket yet
}

func (d *indented) Write(in []byte) (int, error) {
	out := d.out[:0]
	for i := 0; i < len(in); i++ {
		if d.inText {
			from := i
			for ; d.inText && i < len(in); i++ {
				d.inText, d.escaped = in[i] != '"' || d.escaped, in[i] == '\\' && !d.escaped
			}
			i--
			out = append(out, in[from:i+1]...)
			continue
		}
		c := in[i]
		closing := c == '}' || c == ']'
		if closing {
			d.level--
		}
		if d.opened != closing {
			out = d.newLine(out)
		}
		out = append(out, c)
		d.inText, d.opened = c == '"', c == '{' || c == '['
		switch {
		case d.opened:
			d.level++
		case c == ',':
			out = d.newLine(out)
		case c == ':':
			out = append(out, ' ')
		}
	}
	d.out = out
	if _, err := d.w.Write(out); err != nil {
		return 0, err
	}
	return len(in), nil
}

func (d *indented) newLine(out []byte) []byte {
	out = append(out, '\n')
	for range d.level {
		out = append(out, "    "...)
	}
	return out
}
