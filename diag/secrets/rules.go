package secrets

import (
	"regexp"
	"strings"
)

// rule is one kind of secret. hints are lower-case substrings: a text without
// any of them is not searched, because nearly all texts hold no secret. also are
// those of which a text must have one besides; nil where the first are enough.
type rule struct {
	hints   []string
	also    []string
	pattern *regexp.Regexp
	with    string
	// harmless tells matches that are none, by their groups; nil where all are.
	harmless func(groups []string, behind string) bool
	need     uint64 // the hints' bits
	needToo  uint64 // also's
}

const (
	// quoted is a value in quotes, which may themselves be escaped, and whose end may have
	// been cut off.
	quoted = `(?:\\+"[^"\\]*(?:\\+[^"\\][^"\\]*)*(?:\\+")?|"(?:[^"\\]|\\.)*"?|'[^']*'?)`
	bare   = `[^\s"'\\,;&)}\]]+\]?`
	value  = `(?:` + quoted + `|` + bare + `)`
	shut   = `(?:\\*["'])?` // the end of a quoted name
	// kinds of keys that are secrets; others name objects.
	keys = `(?:api|access|private|secret|encryption|signing|master|account|storage|auth|ssh|licen[cs]e|session|client|consumer|shared|webhook|service)[_-]?key`
	// name is what a secret is called, with what may follow up to the sign between name and value.
	name = `(?:passw(?:or)?d|passphrase|pwd|secret|token|` + keys + `|credentials?|session[_-]?id|sessid)[\w-]*` + shut
)

var named = []string{"passw", "passphrase", "pwd", "secret", "token", "key", "credential", "sess"}

func re(s string) *regexp.Regexp { return regexp.MustCompile(s) }

// rules are applied in order: whole blocks first, loose pairs last. What is open at the
// end of the text was cut off there, and goes to the end.
var rules = prepared([]rule{
	// Kubelets up to 1.30 print the whole container when its start fails
	// (kuberuntime_manager.go): values of variables, command and arguments.
	{hints: []string{"envvar{name:"}, pattern: re(`(?s)(EnvVar\{Name:[^,{}]*,Value:).*?(,ValueFrom:|$)`),
		with: "${1}" + Mark + "${2}"},
	{hints: []string{"container{name:"},
		pattern: re(`(?s)(Container\{Name:[^,{}]*,Image:[^,{}]*,)Command:.*?(,WorkingDir:|$)`),
		with:    "${1}Command:" + Mark + "${2}"},
	{hints: []string{"execaction{command:"}, pattern: re(`(?s)(ExecAction\{Command:).*?(,\}|$)`),
		with: "${1}" + Mark + "${2}"},
	{hints: []string{"httpheader{name:"}, pattern: re(`(?s)(HTTPHeader\{Name:[^,{}]*,Value:).*?(,\}|$)`),
		with: "${1}" + Mark + "${2}"},
	{hints: []string{"execcommand="}, pattern: re(`(?s)(execCommand=)\[.*?(?:\]|$)`), with: "${1}" + Mark},
	{hints: []string{"-----begin"}, pattern: re(`(?s)-----BEGIN [A-Z0-9 ]{1,60}-----.*?(-----END [A-Z0-9 ]{1,60}-----|$)`),
		with: Mark},
	{hints: []string{"ls0tls1crudj"}, pattern: re(`LS0tLS1CRUdJ[A-Za-z0-9+/=_-]*`), with: Mark}, // base64 of "-----BEGI"
	// base64 of `{"`
	{hints: []string{"eyj"},
		pattern: re(`eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(\.[A-Za-z0-9_-]*)*|eyJ[A-Za-z0-9+/_-]{24,}=*`), with: Mark},
	// A header's value goes to the end of its quotes: after its scheme it may be anything.
	{hints: []string{"authorization"}, with: "${1}" + Mark,
		pattern: re(`(?i)(authorization` + shut + `\s*[:=]\s*(?:\\*["'])?)\[?(?:[A-Za-z][\w-]*[ \t]+)?[^\s"'\\,;)}\]]+\]?`)},
	{hints: []string{"bearer", "basic"}, pattern: re(`(?i)\b(bearer|basic)(:? +)[A-Za-z0-9+/=._~-]{8,}`),
		with: "${1}${2}" + Mark},
	{hints: []string{"akia", "asia", "aroa", "aida"}, pattern: re(`\b(AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b`), with: Mark},
	{hints: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "xox", "glpat-",
		"github_pat_", "aiza", "npm_", "_live_", "_test_", "hvs.", "hvb."}, with: Mark,
		pattern: re(
			`\b(gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[\w-]{30,}|npm_[A-Za-z0-9]{30,}|[prs]k_(?:live|test)_[A-Za-z0-9]{10,}|hv[sb]\.[\w-]{20,})`)},
	// A password in a URL may hold slashes and at signs: the last at sign counts.
	{hints: []string{"://"}, also: []string{"@"}, pattern: re(`(?i)([a-z][a-z0-9+.-]*://)([^\s"'<>\\]*)@`),
		with: "${1}" + Mark + "@", harmless: noUser},
	// Data source names of Go's MySQL driver: user:password@tcp(host)/db.
	{hints: []string{"@"}, pattern: re(`(?i)([\w.%+-]+:)[^\s"']*@((?:tcp|udp|unix|cloudsql)[46]?\()`),
		with: "${1}" + Mark + "@${2}"},
	// What signs a URL is as good as a password.
	{hints: []string{"?", "&", "u0026"}, with: "${1}" + Mark, // JSON of Go writes \u0026 for &
		pattern: re(
			`(?i)((?:[?&]|\\+u0026)(?:sig|signature|x-(?:amz|goog|oss)-(?:signature|credential|security-token)|awsaccesskeyid|googleaccessid|code|auth|key|jwt|ticket)=)[^&\s"'\\]+`)},
	{hints: []string{"signature="}, pattern: re(`(?i)(\bsignature=)[\w%+/=.-]{16,}`), with: "${1}" + Mark},
	// a registry's, in dockerconfigjson
	{hints: []string{"\"auth"}, pattern: re(`(?s)(\\*"auth\\*"\s*:\s*)` + quoted), with: "${1}" + Mark},
	// A variable of a container, as JSON.
	{hints: []string{"\"value"}, pattern: re(`(?s)(\\*"name\\*"\s*:\s*\\*"[^"\\]*\\*"\s*,\s*\\*"value\\*"\s*:\s*)` +
		quoted), with: "${1}" + Mark},
	// A block of YAML, or one within quotes, whose line breaks are escaped.
	{hints: named, pattern: re(`(?i)(` + name + `\s*:[ \t]+)[|>][-+0-9]*[ \t]*(?:\n[ \t]+[^\n]*)+`), with: "${1}" + Mark},
	{hints: named, pattern: re(`(?i)(` + name + `\s*:[ \t]+)[|>][-+0-9]*[ \t]*(?:\\+n[ \t]+(?:[^\n"\\]|\\+[^\n"n\\])*)+`),
		with: "${1}" + Mark},
	// name=value, name: value, "name":"value". A colon with neither a space nor a
	// quote behind it is the tag of an image.
	{hints: named, pattern: re(`(?is)(` + name + `(?:\s*=\s*|\s*:\s+))` + value), with: "${1}" + Mark},
	{hints: named, pattern: re(`(?is)(` + name + `\s*:)` + quoted), with: "${1}" + Mark},
	{hints: []string{"passw", "passphrase", "pwd"}, with: "${1}" + Mark, harmless: version,
		pattern: re(`(?i)((?:^|[^\w/.-])[\w-]*(?:passw(?:or)?d|passphrase|pwd):)(` + bare + `)`)},
	{hints: []string{"pass"}, pattern: re(`(?is)((?:^|[^a-z0-9])(?:[a-z0-9]+[_-])*pass` + shut + `\s*[=:]\s*)` + value),
		with: "${1}" + Mark},
	{hints: []string{"pass"}, pattern: re(`(?s)([a-z]Pass` + shut + `\s*[=:]\s*)` + value), with: "${1}" + Mark},
	{hints: []string{"_key"}, pattern: re(`(?s)(\b[A-Z][A-Z0-9_]*_KEY` + shut + `\s*[=:]\s*)` + value),
		with: "${1}" + Mark},
	{hints: []string{"key"}, pattern: re(`(?is)((?:^|[^\w.-])key` + shut + `\s*[=:]\s*)(` + value + `)`),
		with: "${1}" + Mark, harmless: objectKey},
	{hints: []string{"--"}, also: named, with: "${1}" + Mark,
		pattern: re(`(?i)(--[\w-]*(?:passw(?:or)?d|pwd|secret|token|key|credentials?)[\w-]* +)([^\s"',;-][^\s"',;]*)`)},
	{hints: []string{"identified by"}, pattern: re(`(?is)(identified by\s+(?:password\s+)?)` + quoted),
		with: "${1}" + Mark},
	{hints: []string{"-u "}, pattern: re(`(\s-u\s+[^\s:'"]+:)[^\s'"]+`), with: "${1}" + Mark},
	// Last, as it goes to the end of the line: what is called a secret there is gone by now.
	{hints: []string{"cookie"}, pattern: re(`(?i)(\bcookie` + shut + `\s*[:=]\s*(?:\\*["'])?)[^\s"'\\][^\n"'\\]*`),
		with: "${1}" + Mark},
})

// noUser: what stands before the at sign is an image's name, with its digest behind it, or
// a user without a password.
func noUser(groups []string, behind string) bool {
	if strings.HasPrefix(behind, "sha256:") || strings.HasPrefix(behind, "sha512:") {
		return true
	}
	scheme := strings.ToLower(groups[1])
	return !strings.Contains(groups[2], ":") && scheme != "http://" && scheme != "https://"
}

var (
	tag    = re(`^v?\d+(\.\d+)*([.-][\w.-]*)?$`)
	object = re(`^(?:[a-z0-9.-]+/)?[a-z0-9.:-]+/[a-z0-9.*:-]+$`)
)

// shortest is how long a bare key's value must be to count: "key: x" is no secret.
const shortest = 6

// version: an image that is called password has a tag.
func version(groups []string, _ string) bool { return tag.MatchString(groups[2]) }

// objectKey: the key of a Kubernetes object (namespace/name), a label or a taint.
func objectKey(groups []string, _ string) bool {
	v := strings.Trim(groups[2], `\"'`)
	return len(v) < shortest || object.MatchString(v)
}
