package secrets

// keys are kinds of keys that are secrets; others name objects.
var keys = []string{"api", "access", "private", "secret", "encryption", "signing", "master", "account", "storage",
	"auth", "ssh", "license", "licence", "session", "client", "consumer", "shared", "webhook", "service", "subscription",
	"unseal", "recovery", "deploy", "functions", "certificate", "hmac",
	"instrumentation"}

// notes are words behind a name that say something of the secret, not the secret.
var notes = []string{"name", "names", "ref", "keyref", "file", "path", "dir", "type", "namespace", "count", "stdin",
	"config", "ttl", "mode", "provider", "providers"}
