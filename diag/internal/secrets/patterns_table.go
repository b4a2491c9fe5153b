package secrets

import "regexp"

var (
	version    = regexp.MustCompile(`^v?\d+(\.\d+)*([.-][\w.-]*)?\W?$`)
	tag        = regexp.MustCompile(`^(?:latest|stable|main|master|edge|nightly|dev|alpine)\W?$`)
	anyTag     = regexp.MustCompile(`^\w[\w.-]*\W?$`)
	secretName = regexp.MustCompile(`(?i)pass|pwd|secret|token|key|credential`)
	literal    = regexp.MustCompile(`^(?:|true|True|false|False|YES|NO|nil|null|<nil>|[Nn]one)$`)
)

var (
	date      = regexp.MustCompile(`^\d{4}-\d\d-\d\d`)
	bootstrap = regexp.MustCompile(`^[a-z0-9]{6}\.[a-z0-9]{16}$`)
)

// accused is a name of which a sentence shows the secret next: "invalid token x". apiKey is one that always does, and
// that is no object's.
var (
	accused = regexp.MustCompile(`(?i)\b(?:invalid|incorrect|bad|wrong|unknown|with|using) \w+$`)
	apiKey  = regexp.MustCompile(`(?i)\b(?:api|access|private|encryption)[ _-]?key$`)
)

// english is a word, not a token: with neither digits nor capitals within, and shorter than one would be.
var english = regexp.MustCompile(`^[A-Z]?[a-z-]{0,15}[.,:;]?$`)

// label is what names an attribute's value: <add key="Password" value="x"/>, Name:API_TOKEN Value:x, and over lines.
var label = regexp.MustCompile(`(?i)^(?:[\s,;]|\\{1,4}[nrt]){1,40}(?:` +
	`(?:[\\"']{0,8}\w{1,20}[\\"']{0,8}\s?[:=]\s?[\\"']{0,8}\w{1,32}[\\"']{0,8}(?:,|\s)\s?)?` +
	`[\\"']{0,8}val(?:ue)?[\\"']{0,8}\s{0,8}[:=]|-v\s|--value\s)`)
