package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
)

// script runs a separate journald in its own namespaces: it sees no other process, and nothing else sees its
// directories. It writes for the system and for a user, rotates twice, is killed, and starts again on what it left
// behind, whose file is marked as being written. $3 is "sealed" for files with authentication tags.
const script = `set -e
mount --make-rprivate /
for d in /run /var/log /etc/systemd; do mount -t tmpfs tmpfs $d; done
mkdir -p /run/systemd/journal /var/log/journal
mkdir -p /var/log/journal/$(cat /etc/machine-id)
if [ $3 = sealed ]; then journalctl --setup-keys --interval=1s > /dev/null 2>&1; fi
printf '[Journal]\nStorage=persistent\nReadKMsg=no\nRateLimitBurst=0\n' > /etc/systemd/journald.conf
export SYSTEMD_JOURNAL_COMPACT=$2
start() { /lib/systemd/systemd-journald & J=$!; sleep 1; kill -USR1 $J; sleep 1; }
log() { for i in $(seq 1 $2); do printf 'MESSAGE=%s %d\n_NOTE=x\nCODE_LINE=%d\nLONG=%0600d\n' "$1" $i $i $i | logger --journald; done; }
start
log "of the system" 60
setpriv --reuid 1000 --regid 1000 --clear-groups logger --journald <<< "MESSAGE=of a user"
kill -USR2 $J; sleep 1
log "after the rotation" 30
setpriv --reuid 1000 --regid 1000 --clear-groups logger --journald <<< "MESSAGE=of a user again"
cp -r /var/log/journal "$1/online"
kill -9 $J; wait $J || true
cp -r /var/log/journal "$1/crashed"
start
log "after the crash" 30
kill -USR2 $J; sleep 1
kill $J; wait $J || true
cp -r /var/log/journal "$1/closed"
`

// live creates directories of journals as a journald leaves them. That needs root and the systemd-journald of this
// machine.
func live(ctx context.Context, dir, compact, seal string) ([]string, error) {
	if os.Geteuid() != 0 {
		return nil, errors.New("start a journald: only root may")
	}
	if _, err := os.Stat("/lib/systemd/systemd-journald"); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "unshare", "--mount", "--pid", "--fork",
		"--mount-proc", "bash", "-c", script, "bash", dir, compact, seal)
	if err := quietly(cmd); err != nil {
		return nil, err
	}
	return filepath.Glob(filepath.Join(dir, "*"))
}
