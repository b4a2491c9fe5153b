package foreign

import (
	"regexp"
	"strconv"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostfiles"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// host is what a tree's small files say about its machine.
type host struct {
	name   string
	bootID string
	booted time.Time // zero when unknown
	utc    bool      // its clock shows UTC
}

var (
	bootTime = regexp.MustCompile(`(?m)^btime (\d{9,11})$`)
	bootID   = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	utcZone  = regexp.MustCompile(`(?m)^\s*Time zone:\s*(Etc/)?(UTC|UCT|Universal|Zulu)\b`)
)

// read reads one small file.
func (h *host) read(f found) {
	switch f.use {
	case useHostname:
		if name := word(f.File); name != "" && h.name == "" {
			h.name = name
		}
	case useBootID:
		if id := word(f.File); bootID.MatchString(id) {
			h.bootID = id
		}
	case useStat:
		if m := bootTime.FindSubmatch(beginning(f.File, longHead)); m != nil {
			if n, err := strconv.ParseInt(string(m[1]), 10, 64); err == nil {
				h.booted = time.Unix(n, 0).UTC()
			}
		}
	case useZone:
		h.utc = utcZone.Match(beginning(f.File, longHead))
	}
}

// file returns host.json as our own collection writes it, if the boot is known.
func (h *host) file(node string) (evidence.File, bool) {
	if h.bootID == "" || h.booted.IsZero() {
		return evidence.File{}, false
	}
	f, err := nodefile.Encode(nodefile.Path(node, "host.json"), hostfiles.Host{
		NodeName: node, Hostname: h.name, BootID: h.bootID, BootTime: h.booted})
	return f, err == nil
}

// dmesg adds the header of a kmsg.txt before lines that count from the boot.
func (h *host) dmesg(f evidence.File, path string) evidence.File {
	header := "# kmsg boottime=" + h.booted.Format(time.RFC3339)
	if h.bootID != "" {
		header += " bootid=" + h.bootID
	}
	f.Path = path
	return textlog.Behind(header+"\n", f)
}
