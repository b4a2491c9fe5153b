package textkind

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// ofSource are files of programs, and configured those of settings, rules and dashboards: in these, words about an end
// may be an object's status.
var (
	ofSource = []string{".go", ".py", ".js", ".ts", ".tsx", ".java", ".kt", ".scala", ".rb", ".rs", ".c", ".cc", ".cpp",
		".h", ".cs", ".php", ".pl", ".lua", ".sh", ".bash", ".ps1", ".tpl", ".gotmpl", ".j2", ".jsonnet", ".libsonnet",
		".tf", ".hcl", ".rego", ".patch", ".diff", ".sql", ".proto"}
	configured = []string{".yaml", ".yml", ".json", ".toml", ".ini", ".rules"}
	ofStatus   = regexp.MustCompile(`(?m)\b(?:status|[cC]ontainer_?[sS]tatuses|last_?[sS]tate|terminated|involvedObject|` +
		`regarding|reason|message|msg|log|phase|OOMKilled|FinishedAt)["']?\s*:`)
	ofRules = regexp.MustCompile(`(?m)^\s*(?:- )?["']?(?:alert|expr|panels|targets)["']?:|(?m)^ALERT \w+\s*$|"(?:expr|panels|targets|datasource)":`)
	hasTerm = regexp.MustCompile(`(?m)^\s*terminated\b`)
)

// code matches lines of a program: their beginnings, their ends, and signs that no sentence has.
var code = regexp.MustCompile(`^\s*(?:func|def|class|import|package|from \S+ import|return|if|elif|else|for|while|var|const|let|` +
	`public|private|static|type|struct|switch|case|try|except|catch|raise|throw|assert|end|fi|done|then|esac|use|fn|impl|mod|` +
	`local|export|echo|set -|require|include|diff --git|@@|[-+]{3} [ab]/)\b|^\s*(?://|/\*|\*/|\*\s|#include|#!/)|` +
	`^\s*[A-Za-z_][\w.]*\(.*\)\s*$|^\s*[a-z_][\w.]* = [\w.]+[(\[.]|[{};]\s*$|^\s*[})\]]+[,;]?\s*$|:=|[!=]=|=>|->|&&|\|\||^[+-]\s+\w.*[(){}=]`)

// Program reports whether a text is a program, a template, or monitoring rules: by its name, or by most of its lines.
func Program(text, name string) bool {
	ext := strings.ToLower(path.Ext(name))
	switch {
	case slices.Contains(ofSource, ext) && !Personal(text):
		return !reports(text)
	case slices.Contains(configured, ext) || strings.HasPrefix(strings.TrimSpace(text), "{"):
		return ofRules.MatchString(text) || slices.Contains(configured, ext) && !ofStatus.MatchString(text) &&
			!hasTerm.MatchString(text)
	}
	codes, all := 0, 0
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) == "" {
			continue
		}
		if all++; code.MatchString(line) && !stamped.MatchString(line) {
			codes++
		}
		if all == mostLooked {
			break
		}
	}
	return all >= leastCode && (3*codes > 2*all || 2*codes > all && declares.MatchString(text)) ||
		codes == all && all >= leastPure ||
		ofRules.MatchString(text) && (strings.Contains(text, "expr:") || strings.Contains(text, "EXPR "))
}

// declares matches lines that only source code has, in the languages that people paste most.
var declares = regexp.MustCompile(`(?m)^(?:package \w+|func (?:\(\w+ \*?\w+\) )?\w+\(.*|(?:async )?def \w+\(.*|class \w+.*[:{])$`)

// drawn matches the beginning of a fence with a drawing or a query, by the named language. Programming languages do not
// count: people name them for the colours, above logs, too.
var drawn = regexp.MustCompile("^\\s*```+ ?(?:mermaid|plantuml|dot|promql|logql)\\b")

// WithoutPrograms returns a text without the fences that contain source code, a query or a drawing.
func WithoutPrograms(text string) string {
	if !strings.Contains(text, "```") {
		return text
	}
	var out []byte
	kept, drawing := 0, false // kept is where the fence begins, 0 outside of a fence
	for line := range strings.Lines(text) {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence && kept == 0:
			kept, drawing = len(out)+len(line), drawn.MatchString(line)
		case fence:
			if drawing || Program(string(out[kept:]), "") {
				out = out[:kept]
			}
			kept = 0
		}
		out = append(out, line...)
	}
	return string(out)
}

const (
	// leastCode is the minimum number of lines of a program, leastPure of one in which every line is code; mostLooked
	// lines are checked.
	leastCode  = 6
	leastPure  = 4
	mostLooked = 400
)

// Stamped reports whether a line begins with what loggers, prompts and tools write before it.
func Stamped(line string) bool { return stamped.MatchString(line) }

// stamped matches what loggers, prompts and tools write before a line, also behind the name of a record's field.
var stamped = regexp.MustCompile(`^\W{0,12}(?:(?:MESSAGE|message|log|line|_raw|textPayload)\W{1,5})?` +
	`(?:\d{4}[-/]\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:|[IWEF]\d{4} |\d\d:\d\d:\d\d|time=|ts=|level=)`)

// reports reports whether most lines of a text are log lines: the file may have the name of the script that printed
// them.
func reports(text string) bool {
	stamps, all := 0, 0
	for line := range strings.Lines(text) {
		if all++; stamped.MatchString(line) {
			stamps++
		}
	}
	return 2*stamps > all
}
