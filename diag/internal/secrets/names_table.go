package secrets

import (
	"regexp"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
)

// keys are kinds of keys that are secrets; others name objects.
var keys = []string{"api", "access", "private", "secret", "encryption", "signing", "master", "account", "storage",
	"auth", "ssh", "license", "licence", "session", "client", "consumer", "shared", "webhook", "service", "subscription",
	"unseal", "recovery", "deploy", "functions", "certificate", "hmac",
	"instrumentation", "ingestion", "write", "integration"}

// notes are suffixes of a name that describe the secret and are not the secret.
var notes = []string{"name", "names", "ref", "keyref", "file", "path", "dir", "type", "namespace", "count", "stdin",
	"config", "ttl", "mode", "provider", "providers", "policy", "length", "endpoint", "enabled", "required", "expiry",
	"exception", "encoder"}

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

// stems are beginnings of the names.
var stems = []string{"pass", "pwd", "secret", "token", "key", "credential", "creds", "sess", "requirepass",
	"masterauth", "rocommunity", "rwcommunity", "from-literal", "pswd", "paswd"}

// short are names that are too short to be found within a longer word, with what follows them.
var short = []string{"pw=", "pw:", `pw"`, `pw'`, `pw\`, "pw ", "psk", "assertion", "code_verifier", "samlresponse",
	"jwt=", "jwt:", `jwt"`, "bearer=", "bearer:", "cred=", "cred:", "auth=", "auth:", `auth"`, `auth\`, "auth'", "auth ", "mnemonic",
	"pin=", `pin"`, `pin\`, "otp=", `otp"`, `otp\`, "totp=", `totp"`, `totp\`, "salt=", "salt:", `salt"`, `salt\`,
	"hmac=", "hmac:", `hmac"`, "csrf=", "csrf:", `csrf"`, "xsrf=", "xsrf:", `xsrf"`, "mfa=", "tok=", "psw=", "psw:"}

// meaning is such a word, and what its value needs at least to be a secret: a length, and changes between letters and
// digits.
type meaning struct {
	word          string
	length, turns int
}

var meanings = []meaning{
	{"session", 8, 3}, {"sessid", 8, 3}, {"sid", 8, 3}, {"ticket", 8, 3}, {"nonce", 8, 3}, {"relaystate", 8, 3},
	{"samlrequest", 8, 2}, {"signature", 8, 3}, {"login", 8, 5}, {"appid", 8, 5},
	{"samlart", 8, 2}, {"license", 8, 3}, {"licence", 8, 3}, {"community", 6, 1}, {"pepper", 6, 1},
	{"seed", 8, 3}, {"state", 12, 5}, {"code", 12, 5}, {"codes", 12, 5},
}

// codes are kinds of codes that are secrets; others say how something ended.
var codes = []string{"recovery", "backup", "user", "device", "auth", "authorization", "security", "verification", "2fa",
	"mfa", "otp", "reset", "invite", "access", "activation", "pairing"}

// signers are names in a URL whose values sign it, which is as good as a password.
var signers = lex.WordSet("sig signature q-signature awsaccesskeyid googleaccessid code auth key jwt ticket")

// hashes are the beginnings of passwords hashed by crypt(5), Apache and directories: from the hash of a short password
// one can find the password.
var hashes = []string{"$1$", "$5$", "$6$", "$y$", "$2a$", "$2b$", "$2y$", "$apr1$", "$argon2", "$pbkdf2", "{ssha",
	"{sha}", "scram-sha-"}

// block is a secret from what opens it to what ends it, maybe over lines; again reopens it on the next line.
type block struct{ open, within, end, again string }

// blocks are private keys, and values of variables, commands and arguments that kubelets up to 1.30 print, because they
// print the whole container if its start fails (kuberuntime_manager.go).
var blocks = []block{
	{"-----BEGIN ", "-----", "-----END ", "-----BEGIN KEY-----"},
	{"---- BEGIN ", "----", "---- END ", "---- BEGIN KEY ----"},
	{"PuTTY-User-Key-File-", ":", "Private-MAC: ", "PuTTY-User-Key-File-2:"},
	{"<RSAKeyValue>", "", "</RSAKeyValue>", "<RSAKeyValue>"},
	{"Container{Name:", "Command:", ",WorkingDir:", "Container{Name:a,Image:a,Command:"},
	{"EnvVar{Name:", ",Value:", ",ValueFrom:", "EnvVar{Name:a,Value:"},
	{"ExecAction{Command:", "", ",}", "ExecAction{Command:"},
	{"HTTPHeader{Name:", ",Value:", ",}", "HTTPHeader{Name:a,Value:"},
}

// setters set the variable whose name follows to the next word, in shells and in image build files.
var setters = []string{"setenv ", "set -x ", "set -gx ", "ENV "}
