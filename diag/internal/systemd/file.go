package systemd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// units is the content of nodes/<node>/units.json.
type units struct {
	CollectedAt time.Time `json:"collectedAt"`
	Units       []unit    `json:"units"`
}

// unit is one loaded unit, with the names of systemd's properties. Timestamps are microseconds since the epoch, 0 for
// never.
type unit struct {
	Name                   string `json:"name"`
	LoadState              string `json:"loadState"`
	ActiveState            string `json:"activeState"`
	SubState               string `json:"subState"`
	StateChangeTimestamp   uint64 `json:"stateChangeTimestamp,omitempty"`
	ActiveEnterTimestamp   uint64 `json:"activeEnterTimestamp,omitempty"`
	ActiveExitTimestamp    uint64 `json:"activeExitTimestamp,omitempty"`
	InactiveEnterTimestamp uint64 `json:"inactiveEnterTimestamp,omitempty"`
	// Of services. NRestarts counts systemd's own restarts (Restart=), not those that someone requested; systemd has it
	// since 235.
	Result                 string  `json:"result,omitempty"`
	NRestarts              *uint64 `json:"nRestarts,omitempty"`
	ExecMainPID            uint64  `json:"execMainPID,omitempty"`
	ExecMainStartTimestamp uint64  `json:"execMainStartTimestamp,omitempty"`
	ExecMainExitTimestamp  uint64  `json:"execMainExitTimestamp,omitempty"`
	ExecMainCode           int64   `json:"execMainCode,omitempty"`   // waitid's si_code: 1 exited, 2 killed
	ExecMainStatus         int64   `json:"execMainStatus,omitempty"` // exit code or signal
	KillMode               string  `json:"killMode,omitempty"`
}

// NewPiece returns the piece of a stored units.json. until is the time of a unit that never changed its state.
func NewPiece(node string, f evidence.File, until time.Time) evidence.RawEvidence {
	return nodefile.Of(evidence.SourceSystemd, node, f, func(b nodefile.Observer, u *struct {
		units
		Units []json.RawMessage `json:"units"`
	}) error {
		return nodefile.Each(u.Units, func(one unit) {
			if one.Name != "" {
				b.Observe(one.observation(cmp.Or(u.CollectedAt, until)))
			}
		})
	})
}

// observation turns a unit into a fact, at the time when its state last changed.
func (u unit) observation(fallback time.Time) evidence.Observation {
	s := evidence.UnitState{
		Unit: safetext.Ident(u.Name), Active: safetext.Ident(u.ActiveState), Sub: safetext.Ident(u.SubState),
		Result: safetext.Ident(u.Result), KillMode: safetext.Ident(u.KillMode),
		ActiveEnterTime: micros(u.ActiveEnterTimestamp),
	}
	if code, ended := exitCodes[u.ExecMainCode]; ended && u.ExecMainExitTimestamp > 0 {
		s.ExitTime, s.ExitCode, s.ExitStatus = micros(u.ExecMainExitTimestamp), code, int(u.ExecMainStatus)
	}
	if u.NRestarts != nil {
		s.NRestarts = int(min(*u.NRestarts, 1<<31-1))
	}
	if u.ActiveState == "active" {
		// ExecMainPID remains after the process is gone.
		s.MainPID = int(min(u.ExecMainPID, 1<<31-1))
	}
	at := micros(u.StateChangeTimestamp)
	if at.IsZero() {
		at = fallback
	}
	text := fmt.Sprintf("%s %s (%s)", u.Name, u.ActiveState, u.SubState)
	if !s.ActiveEnterTime.IsZero() {
		text += " since " + s.ActiveEnterTime.Format(time.RFC3339)
	}
	if s.Result != "" && s.Result != "success" {
		text += ", result " + s.Result
	}
	if s.ExitCode != "" {
		text += fmt.Sprintf(", main process %s %d at %s", s.ExitCode, s.ExitStatus, s.ExitTime.Format(time.RFC3339))
	}
	if s.NRestarts > 0 {
		text += fmt.Sprintf(", restarted %d times by systemd", s.NRestarts)
	}
	return evidence.Observation{Time: at, Fact: s, Text: safetext.Clean(text)}
}

// exitCodes are the names for waitid's si_code (CLD_EXITED, CLD_KILLED, CLD_DUMPED) in systemd's own log lines.
var exitCodes = map[int64]string{1: "exited", 2: "killed", 3: "dumped"}

// micros converts systemd's realtime timestamps; 0 means never, and so does a time after the year 9999.
func micros(us uint64) time.Time {
	const year9999 = 253402300799 * 1_000_000
	if us == 0 || us > year9999 {
		return time.Time{}
	}
	return time.UnixMicro(int64(us)).UTC()
}
