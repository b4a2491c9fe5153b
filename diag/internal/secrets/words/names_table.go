package words

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
)

// keys are kinds of keys that are secrets; others name objects.
var keys = []string{"api", "access", "private", "secret", "encryption", "signing", "master", "account", "storage",
	"auth", "ssh", "license", "licence", "session", "client", "consumer", "shared", "webhook", "service", "subscription",
	"unseal", "recovery", "deploy", "functions", "certificate", "hmac",
	"instrumentation", "ingestion", "write", "integration", "symmetric", "cipher", "fernet", "crypto", "decryption", "aes"}

// notes are suffixes of a name that describe the secret and are not the secret.
var notes = []string{"name", "names", "ref", "keyref", "file", "path", "dir", "type", "namespace", "count", "stdin",
	"config", "ttl", "mode", "provider", "providers", "policy", "length", "endpoint", "enabled", "required", "expiry",
	"exception", "encoder"}

// Stems are beginnings of the names.
var Stems = []string{"pass", "p4ss", "pa55", "pwd", "secret", "token", "key", "credential", "creds", "sess",
	"requirepass", "masterauth", "rocommunity", "rwcommunity", "from-literal", "pswd", "paswd"}

// Short are names that are too short to be found within a longer word, with what follows them.
var Short = []string{"pw=", "pw:", `pw"`, `pw'`, `pw\`, "pw ", "psk", "assertion", "code_verifier", "samlresponse",
	"jwt=", "jwt:", `jwt"`, "bearer=", "bearer:", "cred=", "cred:", "auth=", "auth:", `auth"`, `auth\`, "auth'", "auth ",
	"mnemonic",
	"pin=", `pin"`, `pin\`, "otp=", `otp"`, `otp\`, "totp=", `totp"`, `totp\`, "salt=", "salt:", `salt"`, `salt\`,
	"hmac=", "hmac:", `hmac"`, "csrf=", "csrf:", `csrf"`, "xsrf=", "xsrf:", `xsrf"`, "mfa=", "tok=", "psw=", "psw:"}

// Abroad returns words for password in other languages, in lower case, in capitals and capitalized.
func Abroad() (out []string) {
	for _, word := range []string{"contraseña", "contrasena", "senha", "mot de passe", "mot-de-passe", "mot_de_passe",
		"motdepasse", "kennwort", "parola", "parole", "hasło", "haslo", "lösenord", "wachtwoord", "heslo", "salasana",
		"şifre", "jelszó", "lozinka", "slaptažodis", "adgangskode", "kata sandi", "mật khẩu", "contrasenya", "parool",
		"clave", "geheimnis", "parolă", "κωδικός", "κωδικός πρόσβασης", "סיסמה", "كلمة المرور", "كلمة السر", "رمز عبور",
		"รหัสผ่าน", "пароль", "парола", "лозинка", "токен", "पासवर्ड", "密码", "密碼", "口令", "密钥", "令牌", "パスワード", "비밀번호", "암호",
		"пароля", "паролем", "секрет", "секретный ключ", "ключ доступа", "гасло", "zugriffsschlüssel", "chave secreta",
		"chave de acesso", "chiave segreta", "clé secrète", "clave secreta", "lykilorð", "pasahitza", "geslo", "zaporka",
		"fjalëkalimi", "jelszo", "sifre", "matkhau", "katasandi", "parolanız", "συνθηματικό", "ססמה", "رمز المرور",
		"گذرواژه", "পাসওয়ার্ড", "கடவுச்சொல்", "գաղտնաբառ", "პაროლი", "秘钥", "密鑰", "秘密鍵", "暗証番号", "トークン", "シークレット",
		"비밀 번호", "패스워드", "토큰"} {
		first := []rune(word)[0]
		title := strings.ToUpper(string(first)) + word[len(string(first)):]
		for _, w := range []string{word, title, strings.ToUpper(word)} {
			if w = lex.Lower(w); !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}
