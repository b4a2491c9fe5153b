package secrets

// issuer is the beginning of tokens of a known kind, and the minimum length after it.
type issuer struct {
	begin string
	least int
}

// issuers are spelled as their tokens are.
var issuers = []issuer{
	{"ghp_", 20}, {"gho_", 20}, {"ghu_", 20}, {"ghs_", 20}, {"ghr_", 20}, {"github_pat_", 20}, {"glpat-", 16},
	{"xox", 12}, {"AIza", 30}, {"npm_", 30}, {"pk_live_", 10}, {"rk_live_", 10}, {"sk_live_", 10}, {"pk_test_", 10},
	{"rk_test_", 10}, {"sk_test_", 10}, {"hvs.", 20}, {"hvb.", 20}, {"sk-", 20}, {"ya29.", 10}, {"SG.", 21},
	{"dckr_pat_", 10}, {"dop_v1_", 32}, {"doo_v1_", 32}, {"dor_v1_", 32}, {"dapi", 32}, {"tskey-", 12}, {"pypi-", 16},
	{"shpat_", 32}, {"shpca_", 32}, {"shppa_", 32}, {"shpss_", 32}, {"hf_", 30}, {"gsk_", 30}, {"PMAK-", 24},
	{"dt0c01.", 20}, {"dp.pt.", 20}, {"LTAI", 16}, {"key-", 32},
	{"AGE-SECRET-KEY-1", 20}, {"pul-", 40}, {"xapp-", 12}, {"NRAK-", 20}, {"whsec_", 12},
	{"sntrys_", 20}, {"figd_", 12}, {"ATATT3", 12}, {"sq0csp-", 20}, {"EAAC", 30}, {"EAAA", 30}, {"1//0", 20},
	{"sdk-", 36}, {"mob-", 36}, {"access-production-", 36}, {"access-sandbox-", 36}, {"dnkey-", 26},
	{"gldt-", 16}, {"glrt-", 16}, {"glptt-", 16}, {"glcbt-", 16}, {"glsoat-", 16}, {"glft-", 16}, {"glagent-", 16},
	{"glsa_", 20}, {"nvapi-", 20}, {"CFPAT-", 20}, {"sq0atp-", 20}, {"AKIA", 16}, {"ASIA", 16}, {"AROA", 16}, {"AIDA", 16},
	{"tvly-", 20}, {"lsv2_", 30}, {"pcsk_", 20}, {"FLWSECK", 12}, {"SWMTKN-1-", 20},
	{"AVNS_", 18}, {"HRKU-", 30}, {"oy2", 43}, {"sb_secret_", 20}, {"dckr_oat_", 20},
	{"npg_", 12}, {"rzp_live_", 14}, {"GOCSPX-", 20}, {"v1.0-", 100}, {"K10", 64},
	{"MII", 40}, {"H4sI", 12}, {"gAAAAA", 20}, // base64 of keys, gzip and Fernet's tokens
	{"eyJ", 24},                                  // base64 of `{"`
	{"LS0tLS1CRUdJ", 0}, {"b3BlbnNzaC1rZXkt", 0}, // base64 of "-----BEGI" and "openssh-key-"
}

// encoded are those that may be anywhere, because base64 begins with them.
var encoded = []string{"eyJ", "LS0tLS1CRUdJ", "whsec_", "sntrys_", "MII", "H4sI", "gAAAAA",
	"b3BlbnNzaC1rZXkt"}

// hashes are the beginnings of passwords hashed by crypt(5), Apache and directories: from the hash of a short password
// one can find the password.
var hashes = []string{"$1$", "$5$", "$6$", "$y$", "$2a$", "$2b$", "$2y$", "$apr1$", "$argon2", "$pbkdf2", "{ssha",
	"{sha}", "scram-sha-", "pbkdf2_sha", "pbkdf2:sha", "{noop}", "{cipher}"}
