package shell

// command is a program that takes a password on its command line: after options, or as one of its words ("!", after any
// others, "*").
type command struct {
	program string // as its name begins
	options string
	words   string
	// split is the separator before the secret within the word; 0 for none.
	split byte
	// glued options have their value in the same word.
	glued bool
	// pairs: secrets are words of the form name=secret.
	pairs bool
}

// valued are options before a secret, of programs that store secrets.
const valued = "--value --secret-string --body -b"

// envOptions give a container a variable, whatever its name is.
const envOptions = "-e --env"

var clients = [...]command{
	{program: "redis-cli", options: "-a --pass AUTH auth"}, {program: "valkey-cli", options: "-a --pass AUTH auth"},
	{program: "mysql", options: "-p", glued: true}, {program: "mariadb", options: "-p", glued: true},
	{program: "mongo", options: "-p"}, {program: "cqlsh", options: "-p"}, {program: "login", options: "-p"},
	{program: "mysqladmin", options: "password"}, {program: "db2 connect", options: "using"},
	{program: "ldappasswd", options: "-s -a"}, {program: "crictl", options: "--auth"}, {program: "isql", words: "* * !"},
	{program: "ncat", options: "--proxy-auth", split: ':'}, {program: "ab ", options: "-A -P", split: ':'},
	{program: "xfreerdp", options: "/p:"},
	{program: "zip", options: "-P"}, {program: "unzip", options: "-P"}, {program: "7z ", options: "-p", glued: true},
	{program: "sqlcmd", options: "-P"}, {program: "osql", options: "-P"}, {program: "ipmitool", options: "-P"},
	{program: "ldap", options: "-w"}, {program: "openssl", options: "-k -psk"}, {program: "sshpass", options: "-p"},
	{program: "snmp-server", words: "community !"}, {program: "snmp community", words: "!"},
	{program: "snmp", options: "-c -A -X"},
	{program: "com2sec", words: "* * !"},
	{program: "curl", options: "-u -U --user --proxy-user -E --cert --proxy-cert", split: ':'},
	{program: "curl", options: "-b --cookie", split: '='}, {program: "curl", options: "--oauth2-bearer"},
	{program: "http ", options: "-a --auth", split: ':'}, {program: "https ", options: "-a --auth", split: ':'},
	{program: `http"`, options: "-a --auth", split: ':'}, {program: `https"`, options: "-a --auth", split: ':'},
	{program: "smbclient", options: "-U", split: '%'},
	{program: "rabbitmqctl", words: "* * !"}, {program: "htpasswd", words: "-b * * !"},
	{program: "vault", words: "login !"},
	{program: "convertto-securestring", words: "!"}, {program: "aws_s", words: "!"}, {program: "net use ", words: `\ !`},
	{program: "net user ", words: "* !"}, {program: "nodetool", options: "-pw"},
	{program: "mosquitto_", options: "-P"}, //nolint:misspell // its name
	{program: "redis-benchmark", options: "-a"}, {program: "keydb-cli", options: "-a --pass AUTH auth"},
	{program: "unrar", options: "-p", glued: true}, {program: "ngrok", options: "authtoken add-authtoken"},
	{program: "mc alias", words: "set * * * !"}, {program: "mc config", words: "host add * * * !"},
	{program: "cargo login", words: "!"}, {program: "lftp", options: "-u", split: ','},
	{program: "ftp ", words: "-u * !"},
	{program: "useradd", options: "-p"}, {program: "usermod", options: "-p"},
	{program: "htpasswd -nb", words: "* !"}, {program: "htpasswd -bn", words: "* !"},
	{program: "sentinel auth-pass", words: "* !"}, {program: "addauth", words: "digest !", split: ':'},
	{program: "-setcookie", words: "!"}, {program: "elixir", options: "--cookie"}, {program: "iex ", options: "--cookie"},
	{program: "impdp", words: "!", split: '/'}, {program: "expdp", words: "!", split: '/'},
	{program: "setuser", options: ">", glued: true}, {program: "user default", options: ">", glued: true},
	{program: "createuser", options: "SHA MD5 AES DES"}, {program: "bcp ", options: "-P"},
	{program: "net rpc", options: "-U", split: '%'}, {program: "net ads", options: "-U", split: '%'},
	{program: "tacacs-server", options: "key"}, {program: "radius-server", options: "key"},
	{program: "stats auth", words: "!", split: ':'}, {program: "ssh-keygen", options: "-N -P"},
	{program: "rclone obscure", words: "!"}, {program: "nmcli", options: "802-11-wireless-security.psk"},
	{program: "docker", options: envOptions, split: '='}, {program: "podman", options: envOptions, split: '='},
	{program: "nerdctl", options: envOptions, split: '='}, {program: "ctr ", options: "--env", split: '='},
	{program: "kubectl run", options: "--env", split: '='}, {program: "set env", pairs: true},
	{program: "kv put", pairs: true}, {program: "kv patch", pairs: true}, {program: "config:set", pairs: true},
	{program: "secrets set", pairs: true}, {program: "secret set", pairs: true, options: valued},
	{program: "put-parameter", options: valued}, {program: "create-secret", options: valued},
	{program: "put-secret-value", options: valued}, {program: "update-secret", options: valued},
	{program: "etcdctl", words: "put * !"}, {program: "consul kv", words: "put * !"},
	{program: "vault", words: "operator unseal !"}, {program: "activate-refresh-token", words: "* !"},
	{program: "schtasks", options: "/p /rp"},
	{program: "sp_addlogin", words: "* !"}, {program: "sp_password", words: "* !"},
	{program: "wpa_passphrase", words: "* !"}, {program: "sqlplus", words: "!", split: '/'},
}
