package redact

import (
	"regexp"
	"strings"
)

// rule is one kind of secret. hints are lower-case substrings: a text without
// any of them is not searched, because nearly all texts hold no secret.
type rule struct {
	hints   []string
	pattern *regexp.Regexp
	with    string
}

// name is what a secret is called, with what may follow up to the sign between
// name and value; names are its hints.
const (
	name   = `(?:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|authorization)[\w-]*(?:\\?["'])?`
	quoted = `(?:\\?"[^"\\]*(?:\\?")?|'[^']*'?)` // the end may have been cut off
)

var names = []string{"passw", "passphrase", "pwd", "secret", "token", "key", "credential", "authorization"}

// rules are applied in order: whole blocks first, loose pairs last.
var rules = []rule{
	// Kubelets up to 1.20 print the whole container when its start fails
	// (kuberuntime_manager.go): values of variables, command and arguments.
	{[]string{"envvar{name:"},
		regexp.MustCompile(`(?s)(EnvVar\{Name:[^,{}]*,Value:).*?(,ValueFrom:)`), "${1}" + Mark + "${2}"},
	{[]string{"container{name:"},
		regexp.MustCompile(`(?s)(Container\{Name:[^,{}]*,Image:[^,{}]*,)Command:.*?(,WorkingDir:)`), "${1}Command:" + Mark + "${2}"},
	{[]string{"execaction{command:"},
		regexp.MustCompile(`(?s)(ExecAction\{Command:).*?(,\})`), "${1}" + Mark + "${2}"},
	{[]string{"-----begin"},
		regexp.MustCompile(`(?s)-----BEGIN [A-Z0-9 ]{1,60}-----.*?(-----END [A-Z0-9 ]{1,60}-----|$)`), Mark},
	{[]string{"ls0tls1crudj"}, // base64 of "-----BEGI"
		regexp.MustCompile(`LS0tLS1CRUdJ[A-Za-z0-9+/=_-]*`), Mark},
	{[]string{"eyj"}, // base64 of `{"`
		regexp.MustCompile(`eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(\.[A-Za-z0-9_-]*)*`), Mark},
	{[]string{"bearer", "basic"},
		regexp.MustCompile(`(?i)\b(bearer|basic)(:? +)[A-Za-z0-9+/=._~-]{8,}`), "${1}${2}" + Mark},
	{[]string{"akia", "asia", "aroa", "aida"},
		regexp.MustCompile(`\b(AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b`), Mark},
	{[]string{"gh", "xox", "glpat-", "github_pat_"},
		regexp.MustCompile(`\b(gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,})`), Mark},
	// An image id ("docker-pullable://a@sha256:…") has no password before the at sign.
	{[]string{"@"},
		regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)[^\s/@"']*:[^\s/@"']*@`), "${1}" + Mark + "@"},
	{[]string{"@"},
		regexp.MustCompile(`(?i)(https?://)[^\s/@"']+@`), "${1}" + Mark + "@"},
	// name=value, name: value, "name":"value". A colon with neither a space nor a
	// quote behind it is the tag of an image.
	{names, regexp.MustCompile(`(?i)(` + name + `(?:\s*=\s*|\s*:\s+))(` + quoted + `|[^\s"'\\,;&)}\]]+\]?)`), "${1}" + Mark},
	{names, regexp.MustCompile(`(?i)(` + name + `\s*:)` + quoted), "${1}" + Mark},
	{[]string{"--"},
		regexp.MustCompile(`(?i)(--[\w-]*(?:passw(?:or)?d|pwd|secret|token|key|credentials?)[\w-]* +)([^\s"',;-][^\s"',;]*)`), "${1}" + Mark},
}

// Text takes obvious secrets out of free text, such as the output of a probe or
// the last message of a container. A text without any is returned as it is.
func Text(s string) string {
	if len(s) < 8 {
		return s
	}
	lower := strings.ToLower(s)
	for _, r := range rules {
		if hinted(lower, r.hints) {
			s = r.pattern.ReplaceAllString(s, r.with)
		}
	}
	return s
}

func hinted(lower string, hints []string) bool {
	for _, h := range hints {
		if strings.Contains(lower, h) {
			return true
		}
	}
	return false
}
