// Package exitcode reads exit codes as tools print them. It imports nothing of the project; what a code means never
// enters.
package exitcode

import (
	"math"
	"strconv"
	"strings"
)

// None is the exit code in an API object made from a text that does not give it. No process has it.
const None = math.MinInt32

// Parse reads an exit code. The API has 32 bits with a sign; the codes of Windows have the highest of them set, and
// tools print these as negative numbers, as positive ones, or in hexadecimal.
func Parse(text string) (code int32, ok bool) {
	base := 10
	if strings.HasPrefix(text, "0x") {
		base = 0
	}
	n, err := strconv.ParseInt(text, base, 64)
	if err != nil || n <= None || n > math.MaxUint32 {
		return 0, false
	}
	if n < -128 && n > -256 {
		n = -n // of a signal, which somebody wrote with a dash in front
	}
	return int32(uint32(n)), true //nolint:gosec // wrapped around on purpose
}
