package secrets

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// planted are what a person would not want in a ticket, in the words in which
// programs print them.
var planted = []struct{ before, secret, after string }{
	{"Authorization: Bearer ", "c2VjcmV0LXRva2VuLTEyMzQ1", ""},
	{"> Authorization: ", "s3same-pw", " User-Agent: curl/8.0"},
	{"checksum/password: ", "hunter2pass", ""},
	{"password=", "hunter2hunter2", " next"},
	{"PGPASSWORD=", "hunter2hunter2", ""},
	{`{"client_secret":"`, "hunter2hunter2", `"}`},
	{`{\"password\": \"`, "hunter2hunter2", `\"}`},
	{"postgres://app:", "hunter2hunter2", "@db:5432/x"},
	{"redis://:", "hunter2hunter2", "@cache:6379"},
	{"--token ", "hunter2hunter2", ""},
	{"--db-password=", "hunter2hunter2", ""},
	{"AWS_SECRET_ACCESS_KEY=", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""},
	{"id AKIA", "IOSFODNN7EXAMPLE", ""},
	{"remote: https://x-access-token:", "ghp_abcdefghijklmnopqrstuvwxyz0123", "@github.com/a/b"},
	{"-----BEGIN EC PRIVATE KEY-----\n", "MHcCAQEEIIrYSSNQFaA2Hwf1", "\n-----END EC PRIVATE KEY-----"},
	{"passphrase: '", "correct horse battery", "'"},
	{"api_key: ", "0123456789abcdef0123", ""},
	{"key=", "hunter2hunter2", " next"},
	{"password => ", "hunter2hunter2", ""},
	{"the password is ", "hunter2hunter2", " now"},
	{"ldap bind with password ", "hunter2hunter2", " failed"},
	{"<db:password>", "hunter2 hunter2", "</db:password>"},
	{"GET /x%3Fpassword%3D", "hunter2hunter2", "%26a%3Db"},
	{"%7B%22client_secret%22%3A%22", "hunter2hunter2", "%22%7D"},
	{`password\u003d`, "hunter2hunter2", ""},
	{"password&#61;", "hunter2hunter2", "&amp;x"},
	{"{Name:DB_PASSWORD Value:", "hunter2hunter2", " ValueFrom:nil}"},
	{`Name:"API_TOKEN", Value:"`, "hunter2 hunter2", `"`},
	{`{"value":"`, "hunter2hunter2", `","name":"DB"}`},
	{"curl --user app:", "hunter2hunter2", " https://x"},
	{"sshpass -p ", "hunter2hunter2", " ssh x"},
	{"jdbc:oracle:thin:app/", "hunter2hunter2", "@db:1521/x"},
	{"join --ask token abcdef.", "0123456789abcdef", ""},
	{"Passwort: ", "hunter2hunter2", ""},
	{"post to https://hooks.slack.com/services/", "T0000/B0000/hunter2hunter2", " failed"},
	{"post to https://discord.com/api/webhooks/1/", "hunter2hunter2", ""},
	{"with sk-proj-", "hunter2hunter2hunter2hunter2", ""},
	{"with ya29.", "a0AfH6SMBhunter2hunter2", ""},
	{"with SG.abcdefghijklmnop.", "hunter2hunter2hunter2", ""},
	{"with dckr_pat_", "hunter2hunter2hunter2", ""},
	{`"key":"`, "hunter2hunter2", `"`},
	{`\"key\":\"`, "hunter2hunter2", `\"`},
	{"ENCRYPTION_KEY=", "hunter2hunter2", ""},
	{"APP_KEY: ", "hunter2hunter2", ""},
	{"&HTTPHeader{Name:X-Auth,Value:", "hunter2hunter2", ",}"},
	{"DB_PASS=", "hunter2hunter2", " next"},
	{"dbPass: ", "hunter2hunter2", ""},
	{"password:", "hunter2hunter2", ""},
	{"Authorization: Token ", "hunter2hunter2", ""},
	{"Authorization: ApiKey ", "aHVudGVyMjpodW50ZXIy", ""},
	{`"Authorization": "Custom `, "hunter2hunter2", `"`},
	{"Authorization:[Bearer ", "hunter2hunter2", "]"},
	{"app:", "hunter2/hunter2", "@tcp(db:3306)/x"},
	{"app:", "hunter2@hunter2", "@unix(/run/db.sock)/x"},
	{"postgres://app:", "hunter2/h@nter2", "@db:5432/x"},
	{`{"auths":{"r.example":{"auth":"`, "YXBwOmh1bnRlcjI=", `"}}}`},
	{"auths ", "eyJhdXRocyI6eyJyLmV4YW1wbGUiOnsiYXV0aCI6IllYQndPbWgifX19", ""},
	{"Set-Cookie: ", "sid=hunter2hunter2; Path=/", ""},
	{"Cookie: a=b; ", "sid=hunter2hunter2", ""},
	{"https://s.blob.example/c?se=1&sig=", "hunter2%2Bhunter2%3D", "&sp=r"},
	{"GET https://b.s3.example/o?X-Amz-Signature=", "0123456789abcdef0123", " 403"},
	{"AccountKey=", "aHVudGVyMmh1bnRlcjI=", ";EndpointSuffix=x"},
	{`password="`, `hunter2\"hunter2`, `"`},
	{"password: |\n  ", "hunter2hunter2\n  hunter3hunter3", "\nnext: x"},
	{`"token: |\n  `, `hunter2hunter2\n  hunter3\tx hunter3`, `\nnext: x"`},
	{`https://s.blob.example/c?se=1\u0026sig=`, "hunter2hunter2", `\u0026sp=r`},
	{`{"name":"DB","value":"`, "hunter2hunter2", `"}`},
	{"curl -u app:", "hunter2hunter2", " https://x"},
	{"CREATE USER a IDENTIFIED BY '", "hunter2hunter2", "'"},
	{`net use \\srv\share `, "hunter2hunter2", " /user:app"},
	{"ConvertTo-SecureString ", "hunter2hunter2", " -AsPlainText"},
	{"smbclient //srv/share -U app%", "hunter2hunter2", ""},
	{"mount -t cifs -o user=app%", "hunter2hunter2", " //srv/x"},
	{"rabbitmqctl change_password app ", "hunter2hunter2", ""},
	{"htpasswd -b file app ", "hunter2hunter2", ""},
	{"openssl enc -k ", "hunter2hunter2", ""},
	{"keytool -list -storepass ", "hunter2hunter2", ""},
	{"mongo -u app -p ", "hunter2hunter2", ""},
	{"cqlsh -u app -p ", "hunter2hunter2", ""},
	{"ldapsearch -D cn=admin -w ", "hunter2hunter2", ""},
	{"kinit app <<< ", "hunter2hunter2", ""},
	{"vault login ", "hunter2hunter2", ""},
	{"curl -ualice:", "hunter2hunter2", " x"},
	{"curl -u 'alice:", "hunter2hunter2", "' x"},
	{"http -a alice:", "hunter2hunter2", " GET x"},
	{"https --auth=alice:", "hunter2hunter2", " x"},
	{"aws configure set aws_session_token ", "hunter2hunter2", ""},
	{"ipmitool -U admin -P ", "hunter2hunter2", " x"},
	{"sqlcmd -S db -U sa -P ", "hunter2hunter2", ""},
	{"sqlplus app/", "hunter2hunter2", "@db"},
	{"DB_PW=", "hunter2hunter2", " next"},
	{"pw: ", "hunter2hunter2", ""},
	{"client_assertion=", "hunter2hunter2", ""},
	{"SAMLResponse=", "hunter2hunter2", ""},
	{"code_verifier=", "hunter2hunter2", ""},
	{`psk="`, "hunter2hunter2", `"`},
	{`mnemonic: "`, "witch collapse practice feed", `"`},
	{"glrt-", "hunter2hunter2abcdef", ""},
	{"shpat_", "0123456789abcdef0123456789abcdef", ""},
	{"dop_v1_", "ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12", ""},
	{"xapp-1-A0-1-", "hunter2hunter2", ""},
	{"AGE-SECRET-KEY-1", "QPZRY9X8QPZRY9X8QPZRY9X8QPZRY9X8QPZRY9X8QPZRY9X8QPZRY9X8", ""},
	{"whsec_", "hunter2hunter2abcdefgh", ""},
	{"ATATT3xFfGF0", "hunter2hunter2", ""},
	{"1//0g", "hunter2hunter2-hunter2hunter2", ""},
	{"NRAK-", "AB1AB1AB1AB1AB1AB1AB1AB1AB1", ""},
	{"_auth=", "hunter2hunter2", ""},
	{"requirepass ", "hunter2hunter2", ""},
	{"masterauth ", "hunter2hunter2", ""},
	{"SET PASSWORD FOR app = '", "hunter2hunter2", "'"},
	{"SET PASSWORD FOR app=PASSWORD('", "hunter2hunter2", "')"},
	{"GRANT ALL ON x TO app IDENTIFIED WITH native BY '", "hunter2hunter2", "'"},
	{"CREATE LOGIN a WITH PASSWORD = N'", "hunter2hunter2", "'"},
	{"wpa_passphrase home ", "hunter2hunter2", ""},
	{"Kennwort: ", "hunter2hunter2", ""},
	{"hasło: ", "hunter2hunter2", ""},
	{"lösenord=", "hunter2hunter2", ""},
	{"wachtwoord: ", "hunter2hunter2", ""},
	{"şifre: ", "hunter2hunter2", ""},
	{"비밀번호: ", "hunter2hunter2", ""},
	{"parola=", "hunter2hunter2", ""},
	{`Password: (string) (len=14) "`, "hunter2hunter2", `"`},
	{`["DB_PASSWORD"]=> string(14) "`, "hunter2hunter2", `"`},
	{`{:name=>"DB_PASSWORD", :value=>"`, "hunter2hunter2", `"}`},
	{`{"name" => "API_TOKEN", "value" => "`, "hunter2hunter2", `"}`},
	{`Password:(*string)(0xc000012345)"`, "hunter2hunter2", `"`},
	{`password = new String("`, "hunter2hunter2", `"`},
	{`password\x3d`, "hunter2hunter2", ``},
	{"u'password': u'", "hunter2hunter2", "'"},
	{"password -> ", "hunter2hunter2", ""},
	{`password := "`, "hunter2hunter2", `"`},
	{"password is: ", "hunter2hunter2", ""},
	{"password was set to ", "hunter2hunter2", ""},
	{"token is ", "hunter2hunter2", ""},
	{"the api key is ", "hunter2hunter2", ""},
	{`msg="Exec for \"4b222463b4cd48ff\" with command [tool -x `, "hunter2hunter2 hunter2]",
		`], tty true and stdin true"`},
	{"pass\u00adword=", "hunter2hunter2", ""},
	{"tok\u3164en=", "hunter2hunter2", ""},
	{"pa\U000e0061ss\ufe0fword: ", "hunter2hunter2", ""},
}

// A secret is found wherever it stands: alone, in the middle of a log line, cut
// off at the end, twice, and behind another one.
func TestASecretIsFoundWhereverItStands(t *testing.T) {
	places := map[string]func(s string) string{
		"alone": func(s string) string { return s },
		"in a line": func(s string) string {
			return `E1121 07:43:40.929171 8252 prober.go:104] "Probe failed" output="` + s + `" pod="s/p"`
		},
		"in an error": func(s string) string {
			return "failed to \"StartContainer\" for \"a\" with PostStartHookError: command 'x' exited with 7: " + s
		},
		"twice":    func(s string) string { return s + " and " + s },
		"in lines": func(s string) string { return "first\n\t" + s + "\n >\nlast" },
	}
	for _, c := range planted {
		for place, put := range places {
			if got := Text(put(c.before + c.secret + c.after)); strings.Contains(got, c.secret) {
				t.Errorf("%q %s: %q", c.before, place, got)
			}
		}
		// Without its end a URL's password looks like a host's port.
		if got := Text(c.before + c.secret); strings.Contains(got, c.secret) &&
			!strings.HasPrefix(c.after, "@") && c.before != "curl -u app:" {
			t.Errorf("%q, cut off: %q", c.before, got)
		}
		for _, d := range planted {
			both := d.before + d.secret + d.after + " " + c.before + c.secret + c.after
			if got := Text(both); strings.Contains(got, c.secret) || strings.Contains(got, d.secret) {
				t.Errorf("%q behind %q: %q", c.before, d.before, got)
			}
		}
	}
}

func TestRedactingTwiceChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		var b strings.Builder
		for range 4 {
			c := planted[r.IntN(len(planted))]
			fmt.Fprintf(&b, "%s%s%s ", c.before, c.secret, c.after)
		}
		once := Text(b.String())
		if twice := Text(once); twice != once {
			t.Fatalf("%q\nbecame %q\nthen   %q", b.String(), once, twice)
		}
	}
}
