package secrets

import (
	"strings"
	"testing"
)

const (
	jwt = "eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.eyJzdWIiOiJzeXN0ZW0ifQ.c2lnbmF0dXJl"
	pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----"
)

var texts = map[string]struct{ in, want string }{
	"a JSON web token":                {"denied for " + jwt + " by issuer", "denied for [redacted] by issuer"},
	"a login with a slash":            {"FATAL: login admin/hunter22 failed", "FATAL: login admin/[redacted] failed"},
	"basic auth with blanks":          {"basic auth admin / hunter22 rejected", "basic auth admin / [redacted] rejected"},
	"a login to an image":             {"login quay/app2025 is needed", "login quay/app2025 is needed"},
	"a line of PgBouncer's user list": {"x\n\"admin\" \"hunter22\"\ny", "x\n\"admin\" \"[redacted]\"\ny"},
	"two quoted names":                {"\"web-0\" \"default\"", "\"web-0\" \"default\""},
	"a hash of PostgreSQL":            {"hash md5abcdef0123456789abcdef0123456789 rejected", "hash [redacted] rejected"},
	"a digest":                        {"md5 abcdef0123456789abcdef0123456789 of x", "md5 abcdef0123456789abcdef0123456789 of x"},
	"a user list that a program quotes": {"cannot load auth_file: \"admin\" \"letmein\" \"\"",
		"cannot load auth_file: \"admin\" \"[redacted]\" \"\""},
	"a user list with more blanks":    {"\"admin\"	\"hunter22\" # main", "\"admin\"	\"[redacted]\" # main"},
	"a login after its refusal":       {"login failed for admin/hunter22", "login failed for admin/[redacted]"},
	"basic auth in one word":          {"BasicAuth admin:hunter22", "BasicAuth admin:[redacted]"},
	"an image in quotes":              {"\"image\" \"nginx:1.25.3\"", "\"image\" \"nginx:1.25.3\""},
	"a path in quotes":                {"\"GET\" \"/healthz1\"", "\"GET\" \"/healthz1\""},
	"a private key":                   {"key: x\n" + pem + "\nend", "key: x\n[redacted]\nend"},
	"a private key that was cut":      {"-----BEGIN PRIVATE KEY-----\nMIIEow", "[redacted]"},
	"a key in base64":                 {"tls.crt LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t done", "tls.crt [redacted] done"},
	"a bearer header":                 {"Authorization: Bearer abcdefgh12345678", "Authorization: [redacted]"},
	"a bearer token on the next line": {"Authorization: Bearer\n  abcdef1234\nHost: x", "Authorization: [redacted]\nHost: x"},
	"a bearer token below the word":   {"sent bearer\n  abcdefgh12345678 to it", "sent bearer\n  [redacted] to it"},
	"a list of passwords":             {"passwords:\n- hunter22\n- \"hunter 23\"\nuser: a", "passwords:\n[redacted]\nuser: a"},
	"a list of objects":               {"items:\n- name: db\n  key: pw", "items:\n- name: db\n  key: pw"},
	"a variable on the next line":     {"export PASSWORD=\\\n  hunter22 run", "export PASSWORD=\\\n  [redacted] run"},
	"a database URL that was cut":     {"dial postgres://app:hunter22", "dial postgres://app:[redacted]"},
	"a database URL with dots":        {"dial postgres://app:hunter22...", "dial postgres://app:[redacted]..."},
	"a URL that ends in its port":     {"dial http://db.example:54321", "dial http://db.example:54321"},
	"a URL with a named port":         {"dial http://${HOST}:${PORT_HTTP}", "dial http://${HOST}:${PORT_HTTP}"},
	"an image's URL":                  {"pull docker://nginx:1.27.4-alpine", "pull docker://nginx:1.27.4-alpine"},
	"a bearer token in passing":       {"sent bearer abcdefgh12345678 to it", "sent bearer [redacted] to it"},
	"an AWS key id":                   {"user AKIAIOSFODNN7EXAMPLE failed", "user [redacted] failed"},
	"a GitHub token":                  {"clone with ghp_abcdefghijklmnopqrstuvwxyz0123", "clone with [redacted]"},
	"a database URL": {"dial postgres://app:hunter22@db:5432/x: refused",
		"dial postgres://[redacted]@db:5432/x: refused"},
	"a token as the user of a URL": {"GET https://abcdef@git.example/x", "GET https://[redacted]@git.example/x"},
	"a password in an environment": {"panic: DB_PASSWORD=hunter22 is wrong", "panic: DB_PASSWORD=[redacted] is wrong"},
	"a password in JSON": {`{"user":"a","password":"hunter22","n":1}`,
		`{"user":"a","password":[redacted],"n":1}`},
	"a password in escaped JSON":    {`"{\"password\":\"hunter22\"}"`, `"{\"password\":[redacted]}"`},
	"a quoted password with blanks": {`password: "hunter 22" x`, `password: [redacted] x`},
	"a password that was cut":       {`{"password":"hunt`, `{"password":[redacted]`},
	"a flag with its value behind": {"exec: tool --db-password hunter22 --v 2",
		"exec: tool --db-password [redacted] --v 2"},
	"a secret AWS key": {"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG", "aws_secret_access_key = [redacted]"},
	"a kill message": {"Container token failed liveness probe, will be restarted",
		"Container token failed liveness probe, will be restarted"},
	"an old kill message": {"Killing container with id docker://web:Need to kill Pod",
		"Killing container with id docker://web:Need to kill Pod"},
	"an image called token": {`Pulling image "r.example/token:1.0"`, `Pulling image "r.example/token:1.0"`},
	"a drawn image with a digest": {"Pulled image ttl.sh/7f3c9d1e2b4a5f6d@sha256:0123456789abcdef0123456789abcdef",
		"Pulled image ttl.sh/7f3c9d1e2b4a5f6d@sha256:0123456789abcdef0123456789abcdef"},
	"an image with a digest": {"docker-pullable://r.example/a@sha256:0123456789abcdef0123456789abcdef",
		"docker-pullable://r.example/a@sha256:0123456789abcdef0123456789abcdef"},
	"a secret that was not found": {`MountVolume.SetUp failed: secret "db" not found`,
		`MountVolume.SetUp failed: secret "db" not found`},
	"a volume that is called like a secret": {`MountVolume failed for volume "db-password" : secret "db-password" not found`,
		`MountVolume failed for volume "db-password" : secret "db-password" not found`},
	"a file that is called like a secret": {"open /run/secrets/token: no such file or directory",
		"open /run/secrets/token: no such file or directory"},
	"a passphrase in a list of variables": {"BORG_PASSPHRASE=a few words\nX=1 2",
		"BORG_PASSPHRASE=[redacted]\nX=1 2"},
	"a passphrase that begins like what is said of one": {"password: incorrect horse battery staple",
		"password: [redacted]"},
	"a variable before a command":               {"PGPASSWORD=canary psql -h db", "PGPASSWORD=[redacted] psql -h db"},
	"a password that begins like an error":      {"password: no such luck1", "password: [redacted]"},
	"a password that begins like a whole error": {"password=eof-x7Kq21", "password=[redacted]"},
	"an error with what follows it":             {"token: EOF:password=x7Kq21", "token: [redacted]"},
	"an error in quotes": {`err="open /a/token: permission denied"`,
		`err="open /a/token: permission denied"`},
	"an error that ended": {"read /run/token: unexpected EOF", "read /run/token: unexpected EOF"},
	"an ordinary probe failure": {"HTTP probe failed with statuscode: 500",
		"HTTP probe failed with statuscode: 500"},
	"nothing": {"", ""},
	"a sentence about a password": {`FATAL: password authentication failed for user "app", password expired 2026-03-01`,
		`FATAL: password authentication failed for user "app", password expired 2026-03-01`},
	"a token of an issuer that nobody listed": {"denied: glsa_HOruNAb7SOiCdshU8algkrq7FDsNSLAa_55e2f8be is expired",
		"denied: [redacted] is expired"},
	"a token in base64 that ends": {"got Zm9vYmFyMTIzNDU2Nzg5MEFCQ0RFRkdISUpLTE1O== from it", "got [redacted] from it"},
	"a name of a test that is long": {"TestAReceiverThatEchoesTheAddressDoesNotPrintIt2026And42TimesMore4 failed",
		"TestAReceiverThatEchoesTheAddressDoesNotPrintIt2026And42TimesMore4 failed"},
	"ids of a container, a pod and a volume": {
		"4b222463-b4cd-48ff-b717-000000000001 kube-api-access-8x2lq 3f4e5d6c7b8a3f4e5d6c7b8a3f4e5d6c7b8a3f4e5d6c7b8a",
		"4b222463-b4cd-48ff-b717-000000000001 kube-api-access-8x2lq 3f4e5d6c7b8a3f4e5d6c7b8a3f4e5d6c7b8a3f4e5d6c7b8a"},
	"a password for redis":      {"sh -c redis-cli -h db -a hunter22 ping", "sh -c redis-cli -h db -a [redacted] ping"},
	"a password for MySQL":      {"mysqladmin ping -uroot -phunter22 -h db", "mysqladmin ping -uroot -p[redacted] -h db"},
	"a password for a registry": {"docker login -u a -p hunter22 r.example", "docker login -u a -p [redacted] r.example"},
	"a password in Portuguese":  {"erro: senha=hunter22 inválida", "erro: senha=[redacted] inválida"},
	"a password in Russian":     {"ошибка: Пароль: hunter22", "ошибка: Пароль: [redacted]"},
	"a password in Chinese":     {"密码: hunter22 错误", "密码: [redacted] 错误"},
	"a code that is used once":  {"your verification code is 123 456.", "your verification code is [redacted]."},
	"a password for a program that reads it": {"echo hunter22 | docker login -u a --password-stdin r.example",
		"echo [redacted] | docker login -u a --password-stdin r.example"},
	"a user and a password for chpasswd": {"echo 'app:hunter22' | chpasswd", "echo '[redacted]' | chpasswd"},
	"an exit code":                       {"exit code: 137, code is 1370", "exit code: 137, code is 1370"},
	"a disk": {"task-0123456789abcdef0123 on disk-0123456789abcdef0123",
		"task-0123456789abcdef0123 on disk-0123456789abcdef0123"},
	"an escaped query": {"GET /healthz%3Ffull%3D1: EOF", "GET /healthz%3Ffull%3D1: EOF"},
	"the key of an object": {`"Error syncing" key="kube-system/coredns-5d78c9869d-abcde"`,
		`"Error syncing" key="kube-system/coredns-5d78c9869d-abcde"`},
	"the key of a pod": {`"Killing" podKey="shop/web-0" cacheKey=abcdefgh12`,
		`"Killing" podKey="shop/web-0" cacheKey=abcdefgh12`},
	"the key of a taint": {`taint {key: node.kubernetes.io/not-ready}`, `taint {key: node.kubernetes.io/not-ready}`},
	"an image's digest with a port": {"docker-pullable://r.example:5000/a@sha256:0123456789abcdef0123456789abcdef",
		"docker-pullable://r.example:5000/a@sha256:0123456789abcdef0123456789abcdef"},
	"a host that begins like a digest": {`Failed to inspect image "bob:hunter2Secret@sha.example.com/app": no`,
		`Failed to inspect image "bob:[redacted]@sha.example.com/app": no`},
	"an image called password": {"image password:1.2.3-alpine", "image password:1.2.3-alpine"},
	"a container's id": {"containerd://0123456789abcdef0123456789abcdef",
		"containerd://0123456789abcdef0123456789abcdef"},
	"a kubelet's flag": {`FLAG: --authorization-mode="Webhook"`, `FLAG: --authorization-mode="Webhook"`},
	"a URL with a query": {`Get "http://10.0.0.1:8080/healthz?full=1": EOF`,
		`Get "http://10.0.0.1:8080/healthz?full=1": EOF`},
}

func TestTextTakesSecretsOutAndLeavesTheRest(t *testing.T) {
	for name, c := range texts {
		t.Run(name, func(t *testing.T) {
			if got := Text(c.in); got != c.want {
				t.Errorf("Text(%q)\n got %q\nwant %q", c.in, got, c.want)
			}
		})
	}
}

// The line is of a real 1.20 kubelet; only the variable and the command are other ones.
func TestAPrintedContainerLosesValuesAndCommands(t *testing.T) {
	in := `container &Container{Name:a,Image:docker.io/library/busybox:1,Command:[/bin/sh -c run canary-1],Args:[canary-2],WorkingDir:,Ports:[]ContainerPort{},Env:[]EnvVar{EnvVar{Name:DB,Value:canary-3, canary-4,ValueFrom:nil,},EnvVar{Name:B,Value:canary-5,ValueFrom:nil,},},Lifecycle:&Lifecycle{PostStart:&Handler{Exec:&ExecAction{Command:[sh -c canary-6],},}} start failed in pod x_y(z): PostStartHookError: command 'x' exited with 1`
	got := Text(in)
	if strings.Contains(got, "canary") {
		t.Errorf("a value survived: %s", got)
	}
	for _, keep := range []string{"Name:a,Image:docker.io/library/busybox:1",
		"Name:DB,", "Name:B,", "start failed in pod x_y(z): PostStartHookError"} {
		if !strings.Contains(got, keep) {
			t.Errorf("%q is gone: %s", keep, got)
		}
	}
}

// FuzzText plants a token into any text and demands that it is gone.
func FuzzText(f *testing.F) {
	for _, c := range texts {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.Contains(s, "c2lnbmF0dXJl") {
			return // the text itself holds what is looked for
		}
		if got := Text(s + " " + jwt + " " + s); strings.Contains(got, "c2lnbmF0dXJl") {
			t.Fatalf("the token survived in %q", got)
		}
	})
}

func BenchmarkTextWithoutSecrets(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Text(
			"Readiness probe failed: Get \"http://10.0.0.1:8080/healthz\": dial tcp 10.0.0.1:8080: connect: connection refused")
	}
}

// A line as most of a kubelet's log is, with words that begin like secrets.
func BenchmarkStream(b *testing.B) {
	const line = `I1121 07:43:40.929171    8252 reconciler_common.go:218] "operationExecutor.MountVolume started for volume \"kube-api-access-8x2lq\" (UniqueName: \"kubernetes.io/projected/4b222463-b4cd-48ff-b717-000000000001-kube-api-access-8x2lq\") pod \"web-0\" (UID: \"4b222463-b4cd-48ff-b717-000000000001\") " pod="shop/web-0"`
	var s Cleaner
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		s.Line("80", line)
	}
}

func TestAKeyWithoutItsBeginningIsGone(t *testing.T) {
	for _, s := range []string{"read it:\nMIIabc\nRq43s8C3tyZB5TGTkQgx=\n-----END RSA PRIVATE KEY-----\nnext",
		`output="read it:\nMIIabc\nRq43s8C3tyZB5TGTkQgx=\n-----END RSA PRIVATE KEY-----\nnext"`} {
		got := Text(s)
		if strings.Contains(got, "abc") || strings.Contains(got, "Rq43") || !strings.Contains(got, "read it:") {
			t.Errorf("%q became %q", s, got)
		}
	}
}
