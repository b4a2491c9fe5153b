package secrets

import (
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/address"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/shell"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/words"
)

// hinted are lower-case words and the finder (see cut.Finder) for what is near them.
type hinted struct {
	find  finder
	words []string
}

func finders() []hinted {
	out := []hinted{
		{named, words.Stems}, {named, words.Abroad()}, {shortNamed, words.Short}, {judged, meaningHints()}, {phrase, phrases},
		{variable, []string{`name"`, `name\`, `value"`, `value\`}}, {listed, []string{"name: ", "value: "}},
		{printed, printedHints()}, {vector, []string{"cmd", "command", "args", "entrypoint"}}, {environment, []string{"env"}},
		{grouped, []string{"secrets", "header", "headers", "cookies"}}, {dumped, []string{"0000000"}},
		{hook, []string{"lifecycle hook ("}}, {refused, refusals}, {login, logins},
		{header, []string{"authorization"}}, {cookie, []string{"cookie"}},
		{scheme, []string{"bearer", "basic", "negotiate", "ntlm", "digest", "hawk"}},
		{issued, issuedHints()}, {hashed, hashes}, {md5, []string{"md5"}},
		{usersFile, []string{"auth_file", "authfile", "userlist", "user-list", "pgbouncer"}},
		{userList, []string{`" "`, `"  "`, "\"\t\""}},
		{call, []string{"construct(", "connect(", "auth(", "credentials(", "login(", "auth=(", "authprovider(",
			"authentication(", "authenticator("}},
		{identified, []string{"identified"}}, {puts, []string{"into", "replace"}}, {rows, []string{"values", "row contains"}},
		{webKey, []string{`kty"`, `kty\`, "kty'"}},
		{once, []string{"otp", "totp", "pin", "2fa", "mfa", "one-time", "one time", "login", "sms", "your", "verification",
			"confirmation", "authentication", "security"}},
		{parameters, []string{"parameters: $", "[parameters: (", "[parameters: {", "parameters: [", "params: [", "params=[",
			"binding parameter "}}, {keyEnds, []string{"-----end "}}, {vaulted, []string{"$ansible_vault;"}},
		{manifest, []string{"data:", `data"`, `data\`, "stringdata:", `stringdata"`, `stringdata\`}},
	}
	for _, f := range address.Finders() {
		out = append(out, hinted{func(p *pass, at, end int) int { return f.Find(&p.address, at, end) }, f.Words})
	}
	for _, f := range shell.Finders() {
		out = append(out, hinted{func(p *pass, at, end int) int { return f.Find(&p.shell, at, end) }, f.Words})
	}
	return out
}
