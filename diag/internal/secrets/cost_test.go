package secrets

import (
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
)

// hostile are texts of which each hint makes a finder look at what stands around it.
var hostile = []string{"password is x to ", "token:", "key: key:a/", "token token token ", "secret \"a\" ",
	"api key ", "key 1: ",
	"://", "a://b@", "cmd=[", "command [ \" a=b ", `cmd=["a",`, `name":\"`, `"name":"a",`, `"value":"a" `,
	"password: |\n ",
	"password:\n- a\n", "password={a:", "password=[", "password=(((", `password=\"`, "password=a,",
	"user[password]=a", "cookie: ",
	"Authorization: a=b,", "bearer ", "eyJ", "sk-aaaa", "-----BEGIN -----", "EnvVar{Name:", "mysql curl mongo ",
	"echo a |",
	"user=%", "a:@tcp(", "jdbc:oracle:a:b/", "?sig=", "data:", `"data":{`, "kind: Secret\ndata:\n a\n",
	"kind: Secret \"data\":{\n", "password='a'\\''", "token[a", "token | ", "AUTH default ", "rootPassword",
	"identified by ", "-u a:1 ", "\x1b[", "\u00ad", "密码：", "Aa1Aa1Aa1",
	"aGVsbG8gd29ybGQ=", "%70", "&#112;", `\u0070`, "аa", "code=a1b2", "session: ", "seed aaa bbb ", ":5432:a:", "@//", "-p a1b2c3 ",
	"recovery code ", "user,token\n", "token\ta\n", "a|token\n", "NAME  TOKEN\n", "VALUES (1),", `{"kty"`, "-p a -u b ", "login=a:", "machine a login ", "a/b+c/", "A1b_", "x=", "password:\\n", "pw is ", "state=[",
	"<<EOF\n", " <<EOF\nEOFx", "?a=", "&p=", "https://x.io/1a/", "- name: a\n",
	"<password a=\"b\" ", "password=\"\"\"", "kv put a=b ",
	"<name>token</name> ", "secrets:<key:\"a\" ", " -p", "\" ", "0000000  00 00 00 \n", "secrets:map[a:b ", "params=[(",
	"lookup a@", "env: A=a ", "{name: a, value: a}", "tokens:\n- a\n", "passwd[1]: ", "pass a=b "}

// units are those, and every hint with what may stand behind it.
func units(all bool) []string {
	out, n := hostile, 0
	behind := []string{"", " ", "=", ": ", "(", "\"", "'", "[", "{", " a", " a1b2c3 ", "\n", ",", "|", "\t", "\\",
		":'", "=\"",
		" = [", "<", "\n- ", "\\n", " is ", " -u a "}
	for _, l := range finders() {
		for _, word := range l.words {
			for i := range behind {
				if n++; all || i < 2 {
					out = append(out, word+behind[(i+n)%len(behind)])
				}
			}
		}
	}
	return out
}

// perByte is what a text of n bytes costs.
func perByte(unit string, n int) time.Duration {
	s := strings.Repeat(unit, n/len(unit))
	elapsed := clock.Stopwatch()
	Text(s)
	return elapsed() * 1000 / time.Duration(n)
}

// A text that is sixteen times as long takes sixteen times as long, whatever it repeats; what reads to the end of the
// text for each hint takes that again sixteen times.
func TestHostileTextCostsWhatItsLengthDoes(t *testing.T) {
	const short, long, most = 1 << 11, 1 << 15, 8
	for _, unit := range units(false) {
		least, worst := perByte(unit, short), perByte(unit, long)
		for try := 0; try < 20 && worst > most*least; try++ { // a busy machine
			least, worst = max(least, perByte(unit, short)), min(worst, perByte(unit, long))
		}
		if worst > most*least {
			t.Errorf("%q: %s a thousand bytes of %d, and %s of %d", unit, least, short, worst, long)
		}
	}
}

// A hint costs two microseconds at most, so that four megabytes of them take two seconds.
func BenchmarkHostileText(b *testing.B) {
	for _, unit := range units(true) {
		s := strings.Repeat(unit, 1<<16/len(unit))
		b.Run(unit, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Text(s)
			}
		})
	}
}
