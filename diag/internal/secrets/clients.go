package secrets

// command is the rest of a command up to what matters, on one line and before the next one.
const command = `\b[^\n|;&]*?\s`

// clients are programs that take a password from their command line in a way of their own.
var clients = []rule{
	{hints: []string{"redis-cli", "mysql", "mariadb", " login", "mongo", "cqlsh"}, with: "${1}" + Mark, pattern: re(
		`(?i)(\bredis-cli` + command + `-a\s+|\b(?:mysql|mariadb)[\w-]*` + command + `-p|` +
			`\b(?:mongo(?:sh|dump|restore|export|import|stat)?|cqlsh)` + command + `-p[\s=]*|\slogin` + command +
			`-p[\s=]+)[^\s"']+`)},
	{hints: []string{"sqlcmd", "osql", "ipmitool"}, with: "${1}" + Mark,
		pattern: re(`(\b(?:sqlcmd|osql|ipmitool)` + command + `-P\s*)[^\s"']+`)},
	{hints: []string{"ldap"}, with: "${1}" + Mark, pattern: re(`(\bldap\w+` + command + `-w\s*)[^\s"']+`)},
	{hints: []string{"openssl"}, with: "${1}" + Mark, pattern: re(`(\bopenssl` + command + `-k\s+)[^\s"']+`)},
	{hints: []string{"pass "}, with: "${1}" + Mark,
		pattern: re(`(?i)(\s-(?:src|dest)?(?:store|key)pass\s+|\b(?:requirepass)\s+)[^\s"']+`)},
	{hints: []string{"masterauth", "wpa_passphrase"}, with: "${1}" + Mark,
		pattern: re(`(?i)(\bmasterauth\s+|\bwpa_passphrase\s+\S+\s+)[^\s"']+`)},
	{hints: []string{"curl"}, with: "${1}" + Mark, pattern: re(`(\bcurl` + command + `-u\s*["']?[^\s:'"]+:)[^\s'"]+`)},
	{hints: []string{"--auth", " -a "}, with: "${1}" + Mark,
		pattern: re(`(\bhttps?` + command + `(?:-a|--auth)[\s=]+["']?[^\s:'"]+:)[^\s'"]+`)},
	{hints: []string{"smbclient", "cifs", "user="}, with: "${1}" + Mark,
		pattern: re(`((?:\bsmbclient` + command + `-U\s*|\buser(?:name)?=)[^\s%,'"]+%)[^\s,'"]+`)},
	{hints: []string{"rabbitmqctl", "htpasswd", "vault login", "securestring", "aws_s", "net use"}, with: "${1}" + Mark,
		pattern: re(`(?i)(\brabbitmqctl\s+(?:add_user|change_password|authenticate_user)\s+\S+\s+|` +
			`\bhtpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+|\bvault login\s+|\bconvertto-securestring\s+["']?|` +
			`\baws configure set aws_s\w+\s+|\bnet use\s+(?:\S:\s+)?\\\\\S+\s+)[^\s"'/-][^\s"']*`)},
	{hints: []string{"sqlplus"}, with: "${1}" + Mark + "@",
		pattern: re(`(?i)(\bsqlplus\s+(?:-\w+\s+)*[\w.$#]+/)[^\s"']+@`)},
	{hints: []string{"echo"}, with: "${1}" + Mark + "${2}", pattern: re(
		`(\becho\s+(?:-\w+\s+)?["']?)[^\n|]+?(["']?\s*\|\s*(?:sudo\s+)?(?:passwd|chpasswd|kinit|sudo|[\w ./-]*--password-stdin))`)},
	{hints: []string{"<<<"}, with: "${1}" + Mark, pattern: re(`(<<<\s*)` + value)},
	{hints: []string{"identified", "password"}, with: "${1}" + Mark, pattern: re(
		`(?is)(\bidentified\s+(?:with\s+\S+\s+)?(?:by|as)\s+(?:password\s+)?|\bset\s+password\s+for\s+[^\s=]+\s*=\s*|\bpassword\(\s*)` +
			quoted)},
}
