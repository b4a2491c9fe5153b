package secrets

import (
	"regexp"
	"strings"
	"unicode"
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
	// typed is what programs print of a value's type before it: (string) (len=14) "x", and of a literal's: b'x', N'x'.
	typed = `(?:\([\w. *\[\]]*\)\s*(?:\(len=\d+\)\s*)?)*`
	value = typed + `(?:[NUBRnubr]?` + quoted + `|` + bare + `)`
	shut  = `(?:\\*["'])?` // the end of a quoted name
	// kinds of keys that are secrets; others name objects.
	keys = `(?:api|access|private|secret|encryption|signing|master|account|storage|auth|ssh|licen[cs]e|session|client|consumer|shared|webhook|service)[_-]?key`
	// name is what a secret is called, with what may follow up to the sign between name and value.
	name = `(?:passw(?:or)?d|passwort|passphrase|pwd|secret|token|` + keys +
		`|credentials?|session[_-]?id|sessid|` + abroad + `)[\w-]*` + shut
	// scheme is how a header says what kind of a secret it has, on a line of its own or not.
	scheme = `(?:bearer|basic|digest|negotiate|token|api-?key)`
	// onward is between a name's sign and its value where a shell's line goes on in the next one.
	onward = `(?:\\\r?\n\s*)?`
	// abroad is a password in other languages.
	abroad = `contrase[ñn]a|senha|mot[ _-]?de[ _-]?passe|kennwort|parola|parole|hasło|haslo|lösenord|wachtwoord|heslo|` +
		`salasana|şifre|jelszó|пароль|密码|密碼|パスワード|비밀번호`
)

var named = []string{"pass", "pwd", "secret", "token", "key", "credential", "sess", "contrase", "senha", "kennwort",
	"parol", "hasło", "haslo", "lösenord", "wachtwoord", "heslo", "salasana", "şifre", "jelszó", "пароль", "密",
	"パスワード", "비밀번호"}

func re(s string) *regexp.Regexp { return regexp.MustCompile(s) }

// rules are applied in order: whole blocks first, loose pairs last. What is open at the
// end of the text was cut off there, and goes to the end.
var rules = prepared(append(clients[:len(clients):len(clients)], []rule{
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
	// What was run in a container (containerd instrumented_service.go Exec, ExecSync).
	{hints: []string{" with command ["}, with: "${1}" + Mark + "${2}", pattern: re(
		`(?s)(Exec(?:Sync)? for \\*"[0-9a-f]+\\*" with command )\[.*?\](, tty (?:true|false)| and timeout \d|\\*"?$)`)},
	{hints: []string{"execcommand="}, pattern: re(`(?s)(execCommand=)\[.*?(?:\]|$)`), with: "${1}" + Mark},
	{hints: []string{"-----begin"}, pattern: re(`(?s)-----BEGIN [A-Z0-9 ]{1,60}-----.*?(-----END [A-Z0-9 ]{1,60}-----|$)`),
		with: Mark},
	{hints: []string{"ls0tls1crudj"}, pattern: re(`LS0tLS1CRUdJ[A-Za-z0-9+/=_-]*`), with: Mark}, // base64 of "-----BEGI"
	// base64 of `{"`
	{hints: []string{"eyj"},
		pattern: re(`eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(\.[A-Za-z0-9_-]*)*|eyJ[A-Za-z0-9+/_-]{24,}=*`), with: Mark},
	// A header's value goes to the end of its quotes: after its scheme it may be anything.
	{hints: []string{"auth"}, with: "${1}" + Mark,
		pattern: re(`(?i)(authorization` + shut + `\s*[:=]\s*(?:\\*["'])?)\[?(?:` + scheme + `\s+|[A-Za-z][\w-]*[ \t]+)?[^\s"'\\,;)}\]]+\]?`)},
	{hints: []string{"bearer", "basic"}, pattern: re(`(?i)\b(bearer|basic)(:?(?: +|[ \t]*\n\s*))[A-Za-z0-9+/=._~-]{8,}`),
		with: "${1}${2}" + Mark},
	{hints: []string{"akia", "asia", "aroa", "aida"}, pattern: re(`\b(AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b`), with: Mark},
	{hints: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "xox", "glpat-",
		"_pat_", "aiza", "npm_", "_live_", "_test_", "hvs.", "hvb."}, with: Mark,
		pattern: re(
			`\b(gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[\w-]{30,}|npm_[A-Za-z0-9]{30,}|[prs]k_(?:live|test)_[A-Za-z0-9]{10,}|hv[sb]\.[\w-]{20,})`)},
	{hints: []string{"sk-", "ya29.", "sg.", "_pat_"}, with: Mark, pattern: re(
		`\b(sk-(?:[a-z0-9]+-)?[A-Za-z0-9_-]{20,}|ya29\.[\w-]{10,}|SG\.[\w-]{10,}\.[\w-]{10,}|dckr_pat_[\w-]{10,})`)},
	{hints: []string{"shpat_", "shpca_", "shppa_", "shpss_", "dop_v1_", "doo_v1_", "dor_v1_", "age-secret-key-1", "pul-",
		"xapp-", "nrak-", "rubygems_", "whsec_", "sntrys_", "figd_", "atatt3", "sq0csp-", "eaacedeose0cba", "1//0", "gldt-",
		"glrt-", "glptt-", "glcbt-", "glsoat-", "glft-", "glagent-"}, with: Mark, pattern: re(
		`\b(?:shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}|do[opr]_v1_[0-9a-f]{32,}|AGE-SECRET-KEY-1[0-9A-Z]{20,}|pul-[0-9a-f]{40}|` +
			`xapp-[\w-]{12,}|NRAK-[0-9A-Z]{20,}|rubygems_[0-9a-f]{32,}|whsec_[\w+/=]{12,}|sntrys_[\w+/=]{20,}|` +
			`figd_[\w-]{12,}|ATATT3[\w=-]{12,}|sq0csp-[\w-]{20,}|EAACEdEose0cBA\w{8,}|1//0[\w-]{20,}|` +
			`gl(?:dt|rt|ptt|cbt|soat|ft|agent)-[\w-]{16,})`)},
	// Whoever knows the address of a webhook may write there.
	{hints: []string{"hook"}, with: "${1}" + Mark, pattern: re(
		`(?i)(hooks\.slack\.com/\w+/|discord(?:app)?\.com/api/webhooks/|\.office\.com/webhook\w*/)[^\s"'<>\\]+`)},
	{hints: []string{"@"}, pattern: re(`(?i)(jdbc:oracle:\w+:[^\s"'/@]+/)[^\s"']+@`), with: "${1}" + Mark + "@"},
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
	{hints: []string{"auth"}, pattern: re(`(?s)(\\*"auth\\*"\s*:\s*)` + quoted), with: "${1}" + Mark},
	// A variable of a container, as JSON.
	{hints: []string{"value"}, pattern: re(`(?s)(\\*"name\\*"\s*:\s*\\*"[^"\\]*\\*"\s*,\s*\\*"value\\*"\s*:\s*)` +
		quoted), with: "${1}" + Mark},
	{hints: []string{"value"}, with: "${1}" + Mark + "${2}",
		pattern: re(`(?s)(\\*"value\\*"\s*:\s*)` + quoted + `(\s*,\s*\\*"name\\*"\s*:|$)`)},
	// The same as Go and others print it, where its name tells a secret.
	{hints: named, also: []string{"value"}, with: "${1}" + Mark,
		pattern: re(
			`(?is)(\bname[:=]\s*"?[\w.-]*(?:passw(?:or)?d|passphrase|pwd|secret|token|key|credential)[\w.-]*"?,?\s+value[:=]\s*)` +
				value)},
	{hints: named, with: "${1}" + Mark,
		pattern: re(`(?i)(<[\w:.-]*(?:passw(?:or)?d|passphrase|pwd|secret|token|credential)[\w.-]*>)[^<]+`)},
	// The sign between name and value, as URLs, JSON and HTML escape it.
	{hints: named, also: []string{"%3", "003d", "&"}, with: "${1}" + Mark, pattern: re(
		`(?i)(` + name + `(?:%22)?(?:%3d|%3a|\\+u003d|&#61;)(?:%20|%22)*)[^\s"'\\,;&%<>]+`)},
	// A block of YAML, or one within quotes, whose line breaks are escaped.
	{hints: named, pattern: re(`(?i)(` + name + `\s*:[ \t]+)[|>][-+0-9]*[ \t]*(?:\n[ \t]+[^\n]*)+`), with: "${1}" + Mark},
	{hints: named, pattern: re(`(?i)(` + name + `\s*:[ \t]+)[|>][-+0-9]*[ \t]*(?:\\+n[ \t]+(?:[^\n"\\]|\\+[^\n"n\\])*)+`),
		with: "${1}" + Mark},
	// A list of YAML, of which an entry is no object.
	{hints: named, with: "${1}" + Mark, pattern: re(
		`(?i)(` + name + `\s*:[ \t]*)(?:\r?\n[ \t]*-[ \t]+(?:"[^"\n]*"|'[^'\n]*'|[^\s:]+(?::[^\s:]+)*)[ \t]*)+`)},
	// name=value, name: value, "name":"value". A colon with neither a space nor a
	// quote behind it is the tag of an image.
	{hints: named, with: "${1}" + Mark, harmless: failure,
		pattern: re(`(?is)(` + name + `(?:\s*(?::?=>?|->)\s*|\s*:\s+)` + onward + `)(` + value + `)`)},
	{hints: named, pattern: re(`(?is)(` + name + `\s*:)` + typed + quoted), with: "${1}" + Mark},
	{hints: []string{"pass", "pwd"}, with: "${1}" + Mark, harmless: version,
		pattern: re(`(?i)((?:^|[^\w/.-])[\w-]*(?:passw(?:or)?d|passphrase|pwd):)(` + bare + `)`)},
	// In a sentence: only what looks like one.
	{hints: []string{"pass", "pwd"}, with: "${1}" + Mark, harmless: word,
		pattern: re(
			"(?i)(\\b(?:password|passwd|passphrase|pwd)(?:\\s+(?:is|was)(?:\\s+\\w+\\s+to)?)?:?\\s+[\"'`]?)([^\\s\"'`,;=:()]+)")},
	{hints: named, with: "${1}" + Mark, harmless: word, pattern: re(
		"(?i)(\\b(?:token|secret|key)\\s+(?:is|was)(?:\\s+\\w+\\s+to)?:?\\s+[\"'`]?)([^\\s\"'`,;=:()]+)")},
	{hints: []string{"pw", "psk", "assertion", "code_verifier", "samlresponse", "_auth", "mnemonic"}, with: "${1}" + Mark,
		harmless: brief, pattern: re(`(?i)((?:^|[^a-z0-9])(?:[a-z0-9]+_)*(?:pw|psk|(?:client_)?assertion|code_verifier|` +
			`samlresponse|_auth|mnemonic)` + shut + `\s*[=:]\s*)(` + value + `)`)},
	// kubeadm's
	{hints: []string{"token"}, pattern: re(`(?i)(\btoken\s+["']?)[a-z0-9]{6}\.[a-z0-9]{16}\b`), with: "${1}" + Mark},
	{hints: []string{"pass"}, pattern: re(`(?is)((?:^|[^a-z0-9])(?:[a-z0-9]+[_-])*pass` + shut + `\s*[=:]\s*)` + value),
		with: "${1}" + Mark},
	{hints: []string{"pass"}, pattern: re(`(?s)([a-z]Pass` + shut + `\s*[=:]\s*)` + value), with: "${1}" + Mark},
	{hints: []string{"key"}, pattern: re(`(?s)(\b[A-Z][A-Z0-9_]*_KEY` + shut + `\s*[=:]\s*)` + value),
		with: "${1}" + Mark},
	{hints: []string{"key"}, pattern: re(`(?is)((?:^|[^\w.-])key` + shut + `\s*[=:]\s*)(` + value + `)`),
		with: "${1}" + Mark, harmless: objectKey},
	{hints: []string{"--"}, also: named, with: "${1}" + Mark, harmless: fromStdin,
		pattern: re(`(?i)(--[\w-]*(?:passw(?:or)?d|pwd|secret|token|key|credentials?)[\w-]* +)([^\s"',;-][^\s"',;]*)`)},
	{hints: []string{"-u ", "--"}, pattern: re(`((?:\s-u\s+|\s--user[ =]\s*)[^\s:'"]+:)[^\s'"]+`),
		with: "${1}" + Mark},
	{hints: []string{"pass"}, pattern: re(`(\bsshpass\s+-p\s*)[^\s"']+`), with: "${1}" + Mark},
	// What is asked for once.
	{hints: []string{"otp", "cation code"}, with: "${1}" + Mark, pattern: re(
		`(?i)(\b(?:otp|(?:verification|authentication)[ -]code)\b` +
			shut + `\s*(?:is|was|[:=])\s*["'` + "`" + `]?)\d[\d -]{2,10}\d\b`)},
	// Last, as it goes to the end of the line: what is called a secret there is gone by now.
	{hints: []string{"cookie"}, pattern: re(`(?i)(\bcookie` + shut + `\s*[:=]\s*(?:\\*["'])?)[^\s"'\\][^\n"'\\]*`),
		with: "${1}" + Mark},
}...))

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

// word: a sentence goes on with it, as in "password authentication failed"; a password has figures and letters.
func word(groups []string, _ string) bool {
	v := groups[2]
	return len(v) < shortest || !strings.ContainsAny(v, "0123456789") || tag.MatchString(v) ||
		!strings.ContainsFunc(v, unicode.IsLetter)
}

// shortest is how long a bare key's value must be to count: "key: x" is no secret.
const shortest = 6

// version: an image that is called password has a tag.
func version(groups []string, _ string) bool { return tag.MatchString(groups[2]) }

// fromStdin: a flag that says where the password comes from, --password-stdin.
func fromStdin(groups []string, _ string) bool { return strings.Contains(groups[1], "-stdin") }

// failures are what programs print behind a path or an object that is called like a secret.
var failures = re(`^(?i:no such file or directory|permission denied|operation not permitted|(?:is|not) a directory|` +
	`file exists|(?:unexpected )?eof|input/output error|read-only file system|no space left on device|` +
	`too many open files|bad file descriptor|device or resource busy|stale (?:nfs )?file handle|` +
	`(?:secret|configmap|object) "[^"]*"(?:/"[^"]*")? not (?:found|registered)|neither a bundle nor a log)` +
	`(?:[\s"'\\,;)}\]⏎…]|[.:](?:\s|$)|$)`) // "eof-x7Kq" is a value

// failure: what follows the name says why it could not be read, as in "open /run/token: permission denied".
func failure(groups []string, behind string) bool {
	return failures.MatchString(groups[2] + behind[:min(len(behind), 300)])
}

// brief: a value that is too short for a secret.
func brief(groups []string, _ string) bool { return len(strings.Trim(groups[2], `\"'`)) < shortest }

// objectKey: the key of a Kubernetes object (namespace/name), a label or a taint.
func objectKey(groups []string, _ string) bool {
	v := strings.Trim(groups[2], `\"'`)
	return len(v) < shortest || object.MatchString(v)
}
