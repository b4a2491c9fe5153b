package secrets

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
)

// variable cuts out the value of a container's variable in JSON, whatever its name is.
func variable(p *pass, from, end int) int {
	quote := end - 1 // at the name's end, with its backslashes
	if lex.At(p.S, from-1) != '"' {
		return from + 1
	}
	i, ok := p.afterName(quote)
	if !ok {
		return from + 1
	}
	var opener string
	to, _, ok := p.Within(i, i+256)
	if lex.Small[p.S[from]] == 'n' { // "name":"x","value":"y"
		if !ok {
			return from + 1
		}
		i, ok = p.attribute(to, "value")
		if !ok {
			return from + 1
		}
		if to, opener, ok = p.Quoted(i); !ok {
			return from + 1
		}
		if p.Unended(i, to, opener) {
			p.Open = "password=" + opener
		}
		return p.Cut(i, to)
	}
	if to, _, ok = p.Within(i, i+lex.Near); !ok { // "value":"y","name":"x"
		if to, opener, ok = p.Quoted(i); !ok || !p.Unended(i, to, opener) {
			return from + 1
		}
		return p.Cut(i, to)
	}
	if _, named := p.attribute(to, "name"); !named && p.Blanks(to, true) < len(p.S) {
		return from + 1
	}
	return p.Cut(i, to)
}

// assignment matches where a list of variables begins: ["A=x", [A=x, [{"key":"A","value":"x"}.
var assignment = regexp.MustCompile(`^\[\s{0,64}(?:[\\"']{0,8}[A-Za-z_][\w.-]{0,127}=|\{\s{0,64}[\\"']{0,8}(?:key|name)[\\"':])`)

// mapped matches where variables begin that are written as the keys of an object, {A: x}, {"A":"x"}, map[A:x]; setting
// matches one in its own line, up to its value.
var (
	mapped    = regexp.MustCompile(`^(?:map\[(?:string\]string\{)?|\{)\s{0,64}[\\"']{0,8}[A-Z_][A-Z0-9_]{0,127}[\\"']{0,8}\s?:`)
	setLine   = regexp.MustCompile(`^[ \t]{0,8}(?:\r?\n|\\{1,8}n)[ \t]{0,64}(?:- ?)?[\\"']{0,8}[A-Z_][A-Z0-9_]{0,127}[\\"']{0,8}(?:=|:[ \t])[ \t]{0,64}`)
	elsewhere = regexp.MustCompile(`\(v1:|<set to the key|^$`)
)

// constants matches the name of a variable with its sign; keyed a map of whatever keys, as Go and JSON print it;
// refers matches one that only names a Secret.
var (
	constants = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*=`)
	keyed     = regexp.MustCompile(`^(?:map\[(?:\w{1,16}\][\[\]\w]{1,16}\{)?|[\w.]{0,32}\{)\s{0,64}` +
		`[\\"']{0,8}\w[\w.-]{0,127}[\\"']{0,8}\s?:`)
	refers = regexp.MustCompile(`^\{(?:[\s\\"']{0,16}(?:name|secretName|namespace)[\\"']{0,8}:[\s\\"']{0,16}` +
		`[a-z0-9.-]{1,253}[\\"']{0,8},?){1,3}\s{0,8}\}`)
)

// group cuts out a map that begins at i, and returns its end.
func (p *pass) group(i int, begins *regexp.Regexp) int {
	m := begins.FindString(p.S[i:min(len(p.S), i+lex.Longest)])
	if m == "" {
		return i
	}
	i += strings.LastIndexAny(m, "[{")
	return p.Cut(i, p.vectorEnd(i))
}

// grouped cuts out the secrets of a volume and the headers of a request, whatever their names are.
func grouped(p *pass, _, end int) int {
	i, _, ok := p.Sign(p.ShutName(end))
	i = p.Blanks(i, true)
	if lex.At(p.S, i) == '{' && p.Blanks(i+1, true) >= len(p.S) {
		p.Open = "secrets:{a:" // it begins in the next line
	}
	if !ok || refers.MatchString(p.S[i:min(len(p.S), i+lex.Farthest)]) {
		return end
	}
	return max(end, p.group(i, keyed))
}

// settings cuts out the values of variables that stand in a line each, and returns where the last one ends.
func (p *pass) settings(i int) int {
	for {
		m := setLine.FindString(p.S[i:min(len(p.S), i+lex.Farthest)])
		if m == "" {
			if p.Blanks(i, true) >= len(p.S) {
				p.Open = "env:" // they continue in the next line
			}
			return i
		}
		from, escaped := i+len(m), strings.Contains(m, `\`)
		for i = from; i < len(p.S) && p.S[i] != '\n' && (!escaped || p.S[i] != '\\' && p.S[i] != '"'); i++ {
		}
		if !elsewhere.MatchString(p.S[from:i]) && !strings.HasPrefix(p.S[from:i], Mark) {
			p.Cut(from, i)
		}
	}
}

// restOfEnv matches the rest of such a list's name: environ, envs, env vars, environment variables.
var restOfEnv = regexp.MustCompile(`^(?i:iron(?:ment)?|s)?(?i:[ _-]?var(?:iable)?s)?`)

// environment cuts out a list of variables, whatever their names are: as docker inspect ("Env"), an OCI spec ("env")
// and crictl inspect ("envs") print it.
func environment(p *pass, from, end int) int {
	if lex.Letter(lex.At(p.S, from-1)) {
		return end
	}
	end += len(restOfEnv.FindString(p.S[end:min(len(p.S), end+lex.Longest)]))
	i, _, ok := p.Sign(p.ShutName(end))
	if !ok {
		return end
	}
	begin := i
	i = p.Blanks(i, true)
	if to := p.settings(begin); to > begin {
		return to
	}
	if lex.At(p.S, i) == '[' && p.Blanks(i+1, true) >= len(p.S) {
		p.Open = "env=[" // it begins in the next line
	}
	if to := p.group(i, mapped); to > i {
		return to
	}
	if constants.MatchString(p.S[i:min(len(p.S), i+lex.Longest)]) && p.isParameter(i) { // env: A=x B=y
		return p.Cut(i, p.parameters(i))
	}
	if !assignment.MatchString(p.S[i:min(len(p.S), i+lex.Near)]) {
		return end
	}
	return p.Cut(i, p.vectorEnd(i))
}

// ofYAML matches a variable, or a header of a probe, from its name on.
var ofYAML = regexp.MustCompile(`^["']?[\w.-]{1,128}["']?(?:$|(?:\r?\n|\\{1,8}n) {1,64}(?:$|value: ))`)

// inBraces matches what is between the names of a variable and of its value on the same line: {name: x, value: y}.
var inBraces = regexp.MustCompile(`^["']?[\w.-]{1,128}["']?, ?value: `)

// nameNext matches what is between a value and the name below it.
var nameNext = regexp.MustCompile(`^(?:\r?\n|\\{1,8}n) {1,64}name: `)

// listed cuts out the value of such a variable, - name: x, whatever its name is, also where the value comes first.
func listed(p *pass, from, end int) int {
	before := strings.TrimRight(p.S[max(0, from-lex.Longest):from], " ")
	if before != "" && strings.IndexByte("-{", before[len(before)-1]) < 0 || strings.HasSuffix(before, "--") {
		return from + 1
	}
	if lex.Small[p.S[from]] == 'v' {
		value, to, ok := p.Value(end, false)
		if ok && (nameNext.MatchString(p.S[to:min(len(p.S), to+96)]) ||
			to == len(p.S) && before != "" && strings.Trim(p.S[value:to], "\"'0123456789.") != "") {
			return p.Cut(value, to)
		}
		return from + 1
	}
	if m := inBraces.FindString(p.S[end:min(len(p.S), end+lex.Farthest)]); m != "" && strings.HasSuffix(before, "{") {
		if from, to, ok := p.Value(end+len(m), false); ok {
			return p.Cut(from, to)
		}
	}
	if !strings.HasSuffix(before, "-") && before != "" {
		return from + 1
	}
	m := ofYAML.FindString(p.S[end:min(len(p.S), end+lex.Farthest)])
	if i := end + len(m); m == "" {
		return from + 1
	} else if i < len(p.S) && strings.HasSuffix(m, " ") {
		if from, to, ok := p.Value(i, false); ok {
			return p.Cut(from, to)
		}
	} else if i == len(p.S) {
		p.Open = "- name: a"
	}
	return from + 1
}

// afterName returns where the value begins after the quotes that end a name and its colon.
func (p *pass) afterName(i int) (int, bool) {
	i += p.Slashes(i)
	if lex.At(p.S, i) != '"' {
		return i, false
	}
	if i = p.Blanks(i+1, true); lex.At(p.S, i) != ':' {
		return i, false
	}
	return p.Blanks(i+1, true), true
}

// attribute returns where the value of the next attribute begins, if it has that name.
func (p *pass) attribute(i int, name string) (int, bool) {
	if i = p.Blanks(i, true); lex.At(p.S, i) != ',' {
		return i, false
	}
	i = p.Blanks(i+1, true)
	if i += p.Slashes(i); lex.At(p.S, i) != '"' || !lex.StartsWith(p.S[i+1:], name) {
		return i, false
	}
	return p.afterName(i + 1 + len(name))
}
