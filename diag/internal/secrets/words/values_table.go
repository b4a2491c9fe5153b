package words

import "regexp"

var (
	version    = regexp.MustCompile(`^v?\d+(\.\d+)*([.-][\w.-]*)?\W?$`)
	date       = regexp.MustCompile(`^\d{4}-\d\d-\d\d`)
	sized      = regexp.MustCompile(`^[A-Za-z]+\(\d+(?:,\d+)?\)?\W*$`) // varchar(255)
	tag        = regexp.MustCompile(`^(?:latest|stable|main|master|edge|nightly|dev|alpine)\W?$`)
	anyTag     = regexp.MustCompile(`^\w[\w.-]*\W?$`)
	english    = regexp.MustCompile(`^[A-Z]?[a-z-]{0,15}[.,:;]?$`)
	secretName = regexp.MustCompile(`(?i)pass|pwd|secret|token|key|credential`)
	literal    = regexp.MustCompile(`^(?:|true|True|false|False|YES|NO|nil|null|<nil>|[Nn]one|enabled|disabled|required|` +
		`optional|unset|missing|empty|expired|invalid(?:_[a-z]+)*)$`)
)

// prose matches the beginning of what is said about a secret, after a colon: "token: unexpected end". The second word
// is one of a list, because a passphrase may begin with such a word, too.
var prose = regexp.MustCompile(`^(?:[45]\d\d [A-Z][a-z]|(?i:invalid|(?:un)?expected|unknown|unsupported|malformed|missing|` +
	`must|cannot|not|too|should|requires?|incorrect|wrong)(?:: \S| [a-z]+\(| ` + said + `)|` +
	`(?i:converting|parsing)[ :]\S)`)

// said are the second words of such a text.
const said = `(?i:(?:an?|any|at|as|be|by|for|from|in|into|is|it|no|not|of|on|or|the|to|with|yet)|` +
	`(?:allowed|available|configured|contain|decode|decoded|empty|enough|exceed|exist|expired|found|given|granted|have|` +
	`implemented|issued|known|loaded|match|parse|permitted|present|provided|read|recogni[sz]ed|required|set|signed|` +
	`specified|supplied|supported|used|valid|verified|long|short|many|few|large|small|old|weak|` +
	`algorithm|argument|audience|base64|bytes?|characters?|claims?|client|code|configuration|credentials?|data|digits?|` +
	`encoding|end|eof|error|escape|field|format|header|hex|http|input|integer|issuer|json|key|kid|length|method|mode|` +
	`name|newline|node|number|object|parameter|password|path|permissions?|port|prefix|response|scheme|scope|secret|` +
	`segments?|signature|size|string|syntax|token|type|url|user|username|utf-8|value|yaml)\b)`

// clause matches a subject and its verb: "token: signature is invalid".
var clause = regexp.MustCompile(
	`^[A-Za-z][a-z]{1,15} (?:is|are|was|were|has|have|must|cannot|can|should|does|contains|not|from) `)

// lacks matches what stands before the name of a secret that is not there or could not be had: then words behind a
// colon say why, or what is done instead, and show none. One word alone may still be it, and one that was had and did
// not fit may be shown: "failed to verify password: swordfish for bob".
var (
	lacks = regexp.MustCompile(`(?i)\b(?:(?:no|without|missing|empty)(?: an?| any| the| its)?|` +
		`(?:(?:failed|unable) to|cannot|could not|can't|error) (?:access|fetch|find|gett?|load|obtain|open|read|` +
		`resolve?|retrieve?)(?:ing)?(?: an?| any| the| its)?(?: [a-z]+)?) $`)
	told = regexp.MustCompile(`^[A-Za-z][a-z]{1,15} [a-z]{2,15}(?:[ .,;:)"'\\]|$)`)
)

// failures are what programs print after a path or an object with a secret's name.
var failures = regexp.MustCompile(`^(?i:no such file or directory|permission denied|operation not permitted|` +
	`(?:is|not) a directory|` +
	`unbound variable|parameter (?:null or )?not set|command not found|` + // of shells
	`file exists|(?:unexpected )?eof|input/output error|read-only file system|no space left on device|` +
	`too many open files|bad file descriptor|device or resource busy|stale (?:nfs )?file handle|` +
	`failed to|could not [a-z]+|the server (?:could not|has|was)|exit status \d+|` +
	`unexpected status|invalid username(?:/password)?|dial tcp|rpc error|(?:get|post|put|patch) \\*"https?://[^"]*"|context (?:deadline exceeded|canceled)|unauthorized|` +
	`(?:secrets?|configmaps?|object|serviceaccounts?) "[^"]*"(?:/"[^"]*")? (?:not (?:found|registered)|is forbidden)|` +
	`path escapes from parent|executable file not found|unexpected end of|neither a bundle nor a log)` +
	`(?:[\s"'` + "`" + `\\,;)}\]⏎…]|[.:](?:\s|$)|$)`) // "eof-x7Kq" is a value
