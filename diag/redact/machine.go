package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Machine turns a machine id into a pseudonym that is stable and reveals nothing else: systemd asks to keep the id
// itself confidential (machine-id(5)). A pseudonym is returned unchanged, as is "".
func Machine(id string) string {
	id = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(id), "-", ""))
	if id == "" || strings.HasPrefix(id, "m") && len(id) == 33 {
		return id
	}
	sum := sha256.Sum256([]byte("kubectl-restartwhy machine " + id))
	return "m" + hex.EncodeToString(sum[:16])
}
