package secrets

import "regexp"

var (
	version    = regexp.MustCompile(`^v?\d+(\.\d+)*([.-][\w.-]*)?\W?$`)
	tag        = regexp.MustCompile(`^(?:latest|stable|main|master|edge|nightly|dev|alpine)\W?$`)
	anyTag     = regexp.MustCompile(`^\w[\w.-]*\W?$`)
	secretName = regexp.MustCompile(`(?i)pass|pwd|secret|token|key|credential`)
	literal    = regexp.MustCompile(`^(?:|true|True|false|False|YES|NO|nil|null|<nil>|[Nn]one|enabled|disabled|required|` +
		`optional|unset|missing|empty|expired|invalid(?:_[a-z]+)*)$`)
)

var (
	sized     = regexp.MustCompile(`^[A-Za-z]+\(\d+(?:,\d+)?\)?\W*$`) // varchar(255)
	date      = regexp.MustCompile(`^\d{4}-\d\d-\d\d`)
	bootstrap = regexp.MustCompile(`^[a-z0-9]{6}\.[a-z0-9]{16}$`)
)

// prose matches the beginning of a sentence about a secret, after a colon: "token: signature is invalid".
var prose = regexp.MustCompile(`^(?:[45]\d\d [A-Z][a-z]|(?i:invalid|(?:un)?expected|unknown|unsupported|malformed|missing|` +
	`converting|parsing|must|cannot|not|too|should|requires?|incorrect|wrong)[ :]\S|` +
	`[A-Za-z][a-z]{1,15} (?:is|are|was|were|has|have|must|cannot|can|should|does|contains|not|from) )`)

// accused matches a name after which a sentence shows the secret: "invalid token x".
var accused = regexp.MustCompile(`(?i)\b(?:invalid|incorrect|bad|wrong|unknown|with|using) \w+$`)

// english matches a word that is no token: without digits or inner capitals, and shorter than a token.
var english = regexp.MustCompile(`^[A-Z]?[a-z-]{0,15}[.,:;]?$`)

// describes matches the beginning of an object that is about a password and holds none: a schema, or where it is.
var describes = regexp.MustCompile(`^\{[\s\\"']{0,16}(?:$|[}{]|(?:type|description|format|required|title|enabled|name|key|` +
	`valueFrom|secretKeyRef|secretName|existingSecret|file|path|\$ref)\b)`)

// label is what names an attribute's value: <add key="Password" value="x"/>, Name:API_TOKEN Value:x, :value=>x of Ruby,
// and over lines.
var label = regexp.MustCompile(`(?i)^(?:[\s,;]|\\{1,4}[nrt]){1,40}(?:` +
	`(?:[:\\"']{0,8}\w{1,20}[\\"']{0,8}\s?[:=]>?\s?[\\"']{0,8}\w{1,32}[\\"']{0,8}(?:,|\s)\s?)?` +
	`[:\\"']{0,8}val(?:ue)?[\\"']{0,8}\s{0,8}[:=]>?|-v\s|--value\s)`)
