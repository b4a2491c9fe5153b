package secrets

import (
	"strings"
	"testing"
)

// forms are texts from which "canary" and what follows it up to the next sign has to go.
var forms = []string{
	// vectors of commands
	`cmd=["redis-cli","-a","canary1","ping"]`,
	`cmd=["sh","-c","[ -f x ] && redis-cli -a canary1 \"]\" canary2"]`,
	`"cmd":["x","canary1"]`, `{\"command\":[\"x\",\"canary1\"]}`, `command: ["x", "canary1"]`,
	`command [redis-cli -a "canary1" ping] timed out`, `command [redis-cli -a \"canary1\" ping]`,
	`err="exec: command [sh -c [ -f x && echo canary1" pod="a/b"`, "cmd=[sh -c set -e\nx canary1]",
	`Command:[]string{"x", "canary1"},`, `Args:[canary1 canary2]`, `execCommand=["x" "canary1"]`,
	`Exec lifecycle hook ([sh -c echo canary1]) for Container "app" in Pod "web-0_shop(7d1f)" failed - error: x`,
	`failed - error: command 'sh -c echo canary1' exited with 1: , message: "x"`,
	// a container's variables, whatever their names are
	`"Env":["PATH=/bin","FOO=canary1"]`, "\"Env\": [\n  \"A=canary1\",\n  \"B=canary2\"\n]", `{\"env\":[\"FOO=canary1\"]}`,
	`Env:[FOO=canary1 BAR=canary2]`, `"envs":[{"key":"FOO","value":"canary1"}]`, `docker run -e FOO=canary1 x`,
	`nerdctl run -e "A=canary1" x`, `ctr run --env A=canary1 x y`, `kubectl set env deploy/x FOO=canary1 BAR=canary2`,
	`kubectl run x --image=y --env=FOO=canary1`, `podman exec --env=FOO=canary1 x`,
	// clients, in words and in vectors
	`exec ["redis-cli","-a","canary1","ping"]`, `exec [\"redis-cli\", \"-a\", \"canary1\", \"ping\"]`,
	`["mysqladmin","ping","-uroot","-pcanary1"]`, `["curl","-u","admin:canary1"]`, `['curl', '-u', 'admin:canary1']`,
	`redis-cli -a "canary1" ping`, `redis-cli --pass canary1 ping`, `mysql -p'canary1 canary2' -h x`, `mysql -p"canary1"`,
	`curl -u "a:canary1" http://x`, `sh -c 'mysql -pcanary1' x`, `sh -c "redis-cli -a canary1"`,
	`mongosh --quiet -p "canary1"`,
	`["docker","login","-u","a","-p","canary1"]`, `["rabbitmqctl","add_user","a","canary1"]`,
	`login failed, password: canary is incorrect`, `password: canary was rejected`, `the password: canary must be changed`,
	`GITLAB_PULL_TOKEN=canary1`, `REGISTRY_PULL_SECRET=canary1`, `EXISTING_SECRET=canary1`, `existing_token: canary1`,
	`https://user.name/canary1@host.example/path`,
	`net use /user:u canary1`, `net use Z: \\srv\share canary1 /user:u`, `net use \\srv\share /user:u canary1`,
	`redis-cli -h db AUTH canary`, `> AUTH canary1`, `AUTH default canary1`, `"AUTH" "canary1"`,
	`["htpasswd","-b","f","a","canary1"]`, `["vault","login","canary1"]`, `["sshpass","-p","canary1","ssh"]`,
	// options
	`["--token","canary1"]`, `[--token canary1]`, `["--token", "canary1"]`, `[\"--token\",\"canary1\"]`,
	`--token "canary1 canary2"`,
	`-password canary1`, `'--token' 'canary1'`, `--api-key canary1`, `--from-literal=password=canary1`,
	`helm install --set auth.rootPassword=canary1,y=z`, `--set db.pass=canary1,a=b`, `spinTokenPin=1,rootPassword=canary1`,
	`kubectl create secret generic a --from-literal=k=canary1 --from-literal=l=canary2`, `--from-literal='k=canary1 canary2'`,
	`["--from-literal","k=canary1"]`, `setenv TOKEN canary1`, `set -x TOKEN canary1`, `ENV API_TOKEN canary1`,
	// what Go, Python, Ruby, PHP and others print
	`{Host:db User:app Token:canary1 Secret:canary2 ApiKey:canary3}`, `map[token:canary1 user:a]`,
	`map[a:1 password:canary1]`,
	`&{Password:canary1}`, `{Token:"canary1"}`, `("password", "canary12")`, `[('token', 'canary12')]`,
	`:password=>"canary1"`,
	`[password] => canary1`, `user[password]=canary1`, `user["password"] = "canary1"`, `config['password']='canary1'`,
	`password[0]=canary1`, `passwords[0]: canary1`, `token[main] = canary1`, `password['a']="canary1 canary2"`,
	`password | canary1`, `| token | canary1 |`, `│ db_password │ canary1 │`,
	`{"password":["canary1","canary2"]}`, `{"password": [ "canary1" ]}`, `password: [canary1, canary2]`,
	`PWD={canary1;canary2};`, `password=(canary1)`, `Password=<canary1>`,
	// names
	`DBPASS=canary1`, `REDIS_AUTH=canary1`, `dbpass: canary1`, `creds=admin:canary1`, `aws_creds: canary1`,
	`Ocp-Apim-Subscription-Key: canary1`, `X-Api-Key: canary1`, `X-Auth-Token: canary1`, `Unseal Key 1: canary1`,
	`Recovery Key 12: canary1`, `passcode: canary1`, `SESSION_ID=canary1`, `bindpw=canary1`,
	`spring.datasource.password=canary1`, `password1=canary1`, `oauth_token=canary1`, `OAUTH-SECRET: canary1`,
	`pin=canary1`, `otp=canary1`, `{"totp":"canary1"}`, `salt=canary1`, `DB_SALT=canary1`, `user_pin=canary1`,
	// signs and quotes
	`密码：canary1`, `口令: canary1`, `password＝canary1`, `ПАРОЛЬ: canary1`, `Contraseña: canary1`, `password="canary1 canary2`,
	`password: “canary1 canary2”`, `password=&quot;canary1&quot;`, `password%3A%22canary1%22`, "password=`canary1`",
	`password := canary1`, `password==canary1`, `"password" : "canary1"`, `\\\"password\\\":\\\"canary1\\\"`,
	`{\"password\":\"ab\\\"canary1\"}`,
	`{\u0022password\u0022:\u0022canary1\u0022}`, `{\\u0022token\\u0022: \\u0022canary1 canary2\\u0022}`,
	`{\u0022password\u0022:\u0022canary1`, `&quot;password&quot;:&quot;canary1&quot;`,
	`&#34;token&#34;: &#34;canary1&#34;`,
	"password: !!str canary1", "TOKEN: &tok canary1", "token: !Ref canary1", `PASS1=canary1`, `DB_PASS_2: canary1`,
	`JWT=canary1`, `jwt: canary1`, `bearer:canary1`, `BEARER=canary1`, `cred=canary1`,
	`password='a'\''canary1'`, `mysql -p'a'\''canary1'`, `password='a'"'"'canary1'`, `password: 'a''canary1'`,
	`password="a"'canary1'`, `password='a'"canary1"`, `password="a"canary1`, `--token "a"'canary1'`,
	`mysql -p"a"'canary1'`,
	`redis-cli -a "a"'canary1'`, `"password"'canary1x'`,
	// attributes and elements
	`<add key="Password" value="canary1"/>`, `<property name="db.password" value="canary1"/>`,
	`<entry key="password">canary1</entry>`, `auth_token canary1`, `JWT_SECRET canary1`,
	`<Password>canary1</Password>`, `{"name":"A","value":"canary1"}`, `{"key":"password","value":"canary1"}`,
	"- name: DB_PASSWORD\n  value: canary1", `Name:API_TOKEN Value:canary1`,
	// headers
	`Authorization: OAuth oauth_token="canary1", oauth_nonce="canary2"`,
	`Authorization: Digest username="canary1", realm="a b", response="canary2"`,
	`authorization: Hawk id="a", mac="canary1"`,
	`Authorization: AWS4-HMAC-SHA256 Credential=canary1/x, SignedHeaders=host;date, Signature=canary2`,
	`curl -H "Authorization: Digest username=\"a\", response=\"canary1\"" x`,
	`-H 'Authorization: Bearer canary1' http://x`,
	`map[Authorization:[Bearer canary1]]`, `Proxy-Authorization: Basic canary1`, `HTTP_AUTHORIZATION=Basic canary1`,
	`"authorization":"Bearer canary1"`, `[["authorization","Bearer canary12345"]]`, `Authorization=canary1`,
	`X-Auth: canary1`, `-H "X-Custom-Auth: canary1"`, `x-functions-key: canary1`,
	`{"set-cookie":["a=canary1", "b=canary2"]}`,
	`WWW-Authenticate: Negotiate canary12abcd`, `authorization Bearer canary12`, `basicAuth=a:canary1`, `csrf=canary1`,
	// hashes of passwords
	`root:$6$canary1$abcdefghijklmnop:19000:0`, `{SSHA}canary1abcdef==`, `a:$apr1$canary1$abcdefgh`,
	`$2y$10$canary1abcdefghijk`,
	`$argon2id$v=19$m=65536,t=3,p=4$canary1$canary2`,
	// addresses
	`nats://canary1@h:4222`,
	`https://api.telegram.org/bot123456:canary12/send`, `postgres://a:p'canary1@h/db`, `amqp://a:b,canary1@h/`,
	`https://x.webhook.office.com/webhookb2/canary1`, `https://hooks.slack.com/workflows/canary1`,
	`https://hooks.zapier.com/hooks/catch/1234567/canary1/`, `https://x/v1/webhook/token/canary1/run`,
	`https://maker.ifttt.com/trigger/x/with/key/canary1`, `https://up.example/api/push/canary1?status=up`,
	`https://x.webhook.office.com/webhookb2/a1@b2/IncomingWebhook/canary1/3`,
	// over lines
	"args:\n- --password\n- canary1\n- --port",
	"Args:\n  --db-password\n  canary1", `["--password\n  canary1"]`,
	"\tkind: Secret\n\tdata:\n\t  a: canary1\n\t  b: canary2", `- name: DB_PASSWORD\n  value: canary1`,
	"mysql -h db \\\n  -u root \\\n  -pcanary1 \\\n  -e x",
	// cookies, which are passwords in Erlang
	`RABBITMQ_ERLANG_COOKIE='canary1'`, `beam.smp -W w -setcookie canary1 -noinput`, `elixir --cookie canary1 -S mix`,
	// commands as the kernel's audit prints them
	`audit: type=1309 audit(1.2:3): argc=3 a0="mysql" a1="x" a2="canary1"`, `audit(1.2:3): proctitle=canary1`,
	`SCRAM-SHA-256$4096:canary1abcdef==$canary2:canary3`, `-Dbasicauth=solr:canary1`,
	// sentences
	`API key ab-canary1 rejected`, `with token canary1x2`, `pass-phrase: canary1`, `certificate-key: canary1`,
	`hmac=canary1`,
	`zip -P canary1 x`, `7z x -pcanary1 f`,
	`API key canary12`, `api-key canary12 rejected`, `invalid token canary12: expired`, `Unknown token canary12`,
	`Password for the elastic user: canary12`, `Incorrect API key provided: canary12.`, `token "canary12" rejected`,
	`A temporary password is generated for root@localhost: canary12`, `password "canary12" is wrong`,
	`the new password for admin is: canary12`, `your token was set to canary12`, `the key is canary12`,
	// the data of Secrets
	"kind: Secret\ndata:\n  k: canary1\n  l: canary2", "apiVersion: v1\ndata:\n  k: canary1\nkind: Secret",
	"kind: Secret\nmetadata:\n  name: a\nstringData:\n  k: canary1", `kind: Secret\ndata:\n  k: canary1\ntype: Opaque`,
	`kind: Secret\ndata: {k: canary1, l: canary2}`,
	`{"apiVersion":"v1","data":{"k":"canary1","l":"canary2"},"kind":"Secret"}`,
	`{\"kind\":\"Secret\",\"stringData\":{\"k\":\"canary1\"},\"type\":\"Opaque\"}`,
	`kubectl patch secret x -p '{"stringData":{"a":"canary1"}}'`, `{"secrets":{"a":"canary1","b":"canary2"},"id":"x"}`,
	// values that a program quotes and refuses
	`invalid argument "canary1" for "--db-password" flag: too short`,
	`invalid value "canary1" for flag -token: must be hex`,
	`argument --password: invalid choice: 'canary1'`, `assigning A_SECRETKEY to SecretKey: converting 'canary1' to type int`,
	`parse error on field "Password" of type "int": strconv.ParseInt: parsing "canary1": invalid syntax`,
	`"JWT_SECRET" with value "canary1" fails`, `data[password]: Invalid value: "canary1"`,
	`"path":["JWT_SECRET"],"message":"too short","received":"canary1"`, `expected password "canary1" but got "canary2"`,
	`parse "redis://:x#canary1/y@r:6379": invalid port ":canary1" after host`, `"pass\\u00adword=canary1"`,
	`code=canary1x2X9a1b: no such file`, `read tool -p canary1: no such file`,
	`json: cannot unmarshal string "canary1" into Go struct field Config.db_password of type int`,
	"line 4: cannot unmarshal !!str `canary1` into int (field password)",
	`Invalid value canary1 for configuration ssl.key.password: must be`,
	"passwords:\n  alice: canary1\n  bob: canary", "Property: a.password\n    Value: \"canary\"\n",
	"Content-Disposition: form-data; name=\"password\"\n\ncanary1", `bindpw canary`, `neighbor 10.0.0.1 password canary`,
	`<setting name="Password" as="String"><value>canary</value>`, `<password><![CDATA[canary]]></password>`,
	`password = 0x7ffc01 "canary"`, `~ password = "canary1" -> "canary2"`, `Secrets: db_password -> canary`,
	`Пароль администратора: canary1`, `密码是 canary1`, `パスワードは canary1 です`,
	// calls
	`define( 'DB_PASSWORD', 'canary1pass' )`, `'password' => env('DB_PASSWORD', 'canary'),`,
	`new PlainTextAuthProvider("cassandra", "canary")`, `sp_addlogin 'app', 'canary'`, `schtasks /ru svc /rp canary`,
	`CREATE USER app IDENTIFIED BY canary DEFAULT TABLESPACE users`, `sa token: --account-token "canary1"`,
	// escapes
	`&lt;password&gt;canary&lt;/password&gt;`, `\u003cpassword\u003ecanary\u003c/password\u003e`,
	"DB_PASSWORD=a\\\ncanary1",
	"password:\n  value: canary", `parse "redis://:ca canary@r:6379": invalid`, `auth: bob:canary1`,
	`Private key (hex): 4c0883a69102937dcanary6231471b5dbb6204fe`, `AES key 4c0883a69102937dcanary6231471b5dbb6204fe`,
	`Geheimnis: canary`, `κωδικός πρόσβασης: canary`,
	"machine x\n  login bot\n  password canary",
	// signs within a password
	`user=a&password=p%26canary1`,
	`password=ab,canary1`, `password=ab'canary1`, `password=ab"canary1`, `password=ab)canary1`, `password=ab;canary1`,
	`password=ab&canary1`, `password=a\canary1`, `password: ab]canary1}canary2 next`, `{password=ab,canary1, user=x}`,
}

func TestEveryFormOfASecretIsFound(t *testing.T) {
	for _, form := range forms {
		for _, s := range []string{form, "Liveness probe failed: " + form, "(" + form + ")", form + " and more",
			`E1121 07:43:40.929171 8252 prober.go:104] "Probe failed" err="x" output="` + form + `" pod="s/p"`} {
			got := Text(s)
			if strings.Contains(got, "canary") {
				t.Errorf("%q became\n%q", s, got)
			}
			if again := Text(got); again != got {
				t.Errorf("%q became\n%q, then\n%q", s, got, again)
			}
			var lines Cleaner
			for line := range strings.SplitSeq(s, "\n") {
				if got := lines.Line("", line); strings.Contains(got, "canary") {
					t.Errorf("line %q became\n%q", line, got)
				}
			}
		}
	}
}

// harmless are lines that hold words of secrets, and none.
var harmless = []string{
	`exec: "token-refresher": executable file not found in $PATH`, `token: unexpected end of input`, `max_tokens=4096`,
	`prompt tokens: 1234 exceeded 4096`, `tokenExpirationSeconds: 3607`,
	`secret "foo" not found`, `MountVolume.SetUp failed for volume "db-token-8x2lq" : secret "db-token-8x2lq" not found`,
	`secret "app-2024-credentials" not found`, `couldn't find key password in Secret shop/db-1`,
	`Error: secret "db2" not found`, `Error: couldn't find key DB_PASSWORD in ConfigMap shop/env-2024`,
	`failed to fetch token: serviceaccounts "default" is forbidden: User "system:node:n1" cannot create`,
	`failed to fetch token: Post "https://10.0.0.1:6443/api/v1/namespaces/shop/serviceaccounts/default/token": dial tcp`,
	`failed to fetch oauth token: unexpected status from GET request to https://r.example/token?service=r`,
	`Access denied for user 'root'@'10.0.0.1' (using password: YES)`, `FLAG: --kube-api-token=""`,
	`failed to list *v1.Secret: secrets "regcred1" is forbidden`,
	`Unable to retrieve some image pull secrets (regcred1, regcred2)`,
	`open /run/secrets/token: no such file or directory`, `open /etc/passwd: permission denied`,
	`I1121 07:43:40.929171 8252 secret.go:260] "Secret updated" pod="shop/token-0"`, `token_manager.go:155] "Refreshed"`,
	`pulling image "r.example/token:v1.2"`, `image "secret:latest"`, `token@sha256:0123456789abcdef`,
	`secretName: default-token-8x2lq`, `{"secretName":"default-token-8x2lq"}`,
	`"secretKeyRef":{"name":"db","key":"password"}`,
	`tokenFile=/var/run/secrets/x`, `--token-auth-file=/etc/x.csv`, `automountServiceAccountToken: false`,
	`--anonymous-auth="false"`,
	`Secret:&SecretVolumeSource{SecretName:default-token-8x2lq,Items:[]KeyToPath{},}`, `Secret:nil`,
	`password authentication failed for user "app2024"`, `password expired 2026-03-01T10:00:00Z`,
	`token expired at: 2026-03-01`,
	`bypass=true999`, `compass: north12`, `"cacheKey"="abcdefgh12"`, `podKey="shop/web-0"`, `keyring: session12345`,
	`command "sh" failed`, `command not found: x12345`, `cmd="sh -c x"`, `command []`, `exit command: 137`,
	`kernel: Code: 48 8b 05 basic 12`, `oom_score_adj=1000 task_memcg=/kubepods/pod4b222463`,
	`Memory cgroup out of memory: Killed process 12`,
	`docker run -u 1000:1000 x`, `tokens: nil`, `run as user=1000 group=0`, `http 500 -a 10.0.0.1:8080`, `key == "State"`,
	`robot12:abc`, `https://x/bots/12`, `net users 2`, `vault is sealed 12345`, `"key":"kubernetes.io/not-ready"`,
	`Get "https://10.0.0.1:6443/api/v1/namespaces/shop/secrets/db-2024": dial tcp`, `mypassport: x`, `auth: unauthorized1`,
	`Get "http://10.0.0.1:80/healthz?key=ready": EOF`, `/healthz?key=readiness&a=1`, `Basic liveness check failed`,
	`bearer authentication failed`, `AUTH failed`, `NOAUTH Authentication required.`, `spin=100000`, `net use of memory`,
	`net users 2`, `spec.imagePullSecrets[0]: Invalid value: "x1y2z3"`, `data: 12345`, `{"kind":"ConfigMap","data":{"k":"v"}}`,
	"data: a\n  k: v", "kind: ConfigMap\ndata:\n  k: v", "kind: Secret\nmetadata:\n  name: a\ntype: Opaque",
	`kind: Secret, metadata: {name: a}`, `echo "$TOKEN1" | base64`, `pin=1`, `| token | expired |`,
	`no container for key 4b5e1ac6d0c3e1f0a7b2c9d8e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718`,
	`invalid token at line 12`, `with token for web-0`, `using key 12`, `session="shop/web-0"`, `$1$2$3`,
	`with secret tls-1a`,
	`environment: [a, b]`, `"env":[]`, `env=[prod]`, `Env: []string{}`, `docker run -e x`, `docker exec -it web sh`,
	`"token"' + name`, `negotiate protocol failed`, `zip -q x`, `with tokens 123456a`, `using token file /run/t1`,
	`ssh://git@github.com/x`, `certificate-key-file: a1b2c3`, `mfa=true`, `with credential provider ecr1x`,
	`Post "https://cert-webhook.cert.svc:443/mutate-apps-v1-deployment?timeout=10s": EOF`,
	`Post "https://webhook.x.svc:443/apis/v1beta1/validate": EOF`, `webhook "x.k8s.io" denied 12 requests`,
	`https://vault:8200/v1/auth/token/lookup-self`, `"secrets":[{"name":"default-token-8x2lq"}]`,
	`invalid argument "debug1" for "--log-level" flag`, `tokenizer: loaded 32000 tokens`, `secretary: Jane`,
	`existingSecret: my-release-postgresql`, `imagePullSecret: regcred`, `cache key=users:12345 miss`,
	`sort key: created_at`,
	`partition key=orders-7`, `key=runc.v2`, `Usage: app --password <password> --token TOKEN`,
	`--password string   The password`,
	`invalid token: signature is invalid`, `failed to refresh token: 401 Unauthorized`, `*v1.Secret: secrets is forbidden`,
	`error decoding 'auth.token': unexpected type`, `AUTH <password> called without any password`,
	`password_policy: strict`,
	`CREATE TABLE users (id serial, password varchar(255), token text)`, `column password_hash: expected varchar(255)`,
	`publickey RSA SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8`,
	`https://pkg.go.dev/k8s.io/api@v0.31.0/core/v1#Pod`, `https://blog.example/@author/post`, `pull_secret: regcred`,
	`text h1:zyQAAVwwarjTl5OzUqCJHBJ0aEKoJ8P6gp0I3SAn5Zo=`, `pad_token_id=0`, `/bin/sh: DB_PASSWORD: unbound variable`,
	`CA 2011: 13adbf4309bd82709c8cd54f316ed522988a1bd4`, `jwt: token contains an invalid number of segments`,
	`tokens_used: 123`,
	`Unknown key: "replicas"`, `duplicate key: metadata1`,
	`a.BadCredentialsException: Bad credentials`, `b.BCryptPasswordEncoder : Encoded password is not one`,
	`executing "x" at <.Values.auth.password>: nil pointer evaluating interface {}.password`,
	`public key: ssh-ed25519 expected`,
	`getting token: invalid_grant`, `csrf: disabled`, `token: expired`,
	`{"kind":"Secret","metadata":{"name":"a"}}`, `kind: SecretProviderClass`, `Unable to set token for web-0`,
}

func TestWhatOnlySoundsLikeASecretIsLeft(t *testing.T) {
	for _, s := range harmless {
		if got := Text(s); got != s {
			t.Errorf("%q became\n%q", s, got)
		}
		var lines Cleaner
		for _, line := range []string{s, "next 12345x"} {
			if got := lines.Line("", line); got != line {
				t.Errorf("line %q became\n%q", line, got)
			}
		}
	}
}

// FuzzForms puts a form of a secret into words: it is gone, a line stays one line, and what was cleared stays as it is.
func FuzzForms(f *testing.F) {
	for i := range forms {
		f.Add(uint(i), "Liveness probe failed ", " restarted\n")
	}
	f.Fuzz(func(t *testing.T, i uint, before, behind string) {
		words := func(r rune) rune {
			if r == ' ' || r == '\n' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
				return r
			}
			return -1
		}
		before, behind = strings.Map(words, before), strings.Map(words, behind)
		if strings.Contains(before+behind, "canary") {
			return
		}
		s := before + " " + forms[i%uint(len(forms))] + " " + behind
		got := Text(s)
		if strings.Contains(got, "canary") {
			t.Errorf("%q became\n%q", s, got)
		}
		if again := Text(got); again != got {
			t.Errorf("%q became\n%q, then\n%q", s, got, again)
		}
		var lines Cleaner
		for line := range strings.SplitSeq(s, "\n") {
			if got := lines.Line("", line); strings.Contains(got, "\n") {
				t.Errorf("line %q became\n%q", line, got)
			}
		}
	})
}
