package secrets

// hinted are lower-case words and the finder for what is near them.
type hinted struct {
	find  finder
	words []string
}

func finders() []hinted {
	return []hinted{
		{named, stems}, {named, abroad()}, {shortNamed, short}, {judged, meaningHints()}, {phrase, phrases},
		{variable, []string{`name"`, `name\`, `value"`, `value\`}}, {listed, []string{"name: "}},
		{printed, printedHints()}, {vector, []string{"cmd", "command", "args"}}, {environment, []string{"env"}},
		{hook, []string{"lifecycle hook ("}}, {refused, refusals},
		{header, []string{"authorization"}}, {cookie, []string{"cookie"}},
		{scheme, []string{"bearer", "basic", "negotiate", "ntlm"}},
		{issued, issuedHints()}, {hashed, hashes}, {url, []string{"://"}},
		{oracle, []string{"jdbc:oracle:"}}, {easyConnect, []string{"@//", ":1521/"}},
		{passFile, passFilePorts}, {dataSource, []string{"@tcp", "@udp", "@unix", "@cloudsql"}},
		{client, clientHints()}, {user, []string{`-u "`, "-u ", `-u"`, `-u'`, `-u\`, "--user"}},
		{option, []string{"-p ", `-p"`, "-p'", `-p\`}},
		{share, []string{"user=", "username=", "login=", "login:", "auth=", "auth:"}}, {piped, []string{"echo", "printf"}},
		{here, []string{" <<", ")<<", "=<<"}}, {audited, []string{"proctitle=", "argc="}},
		{call, []string{"construct(", "connect(", "auth(", "credentials(", "login(", "auth=(", "authprovider(",
			"authentication(", "authenticator("}},
		{identified, []string{"identified"}}, {puts, []string{"into", "replace"}}, {rows, []string{"values", "row contains"}},
		{webKey, []string{`kty"`, `kty\`, "kty'"}},
		{once, []string{"otp", "totp", "pin", "2fa", "mfa", "one-time", "one time", "login", "sms", "your", "verification",
			"confirmation", "authentication", "security"}},
		{parameters, []string{"parameters: $"}}, {keyEnds, []string{"-----end "}},
		{manifest, []string{"data:", `data"`, `data\`, "stringdata:", `stringdata"`, `stringdata\`,
			`secrets"`,
			`secrets\`}},
	}
}
