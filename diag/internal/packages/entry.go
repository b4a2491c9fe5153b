package packages

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// entry is one record of a package manager.
type entry struct {
	Time    time.Time `json:"time"`
	Manager string    `json:"manager"`
	Action  string    `json:"action"` // install, upgrade, remove, restart
	Package string    `json:"package,omitempty"`
	From    string    `json:"from,omitempty"`
	To      string    `json:"to,omitempty"`
	// By is who ran the manager, if known: unattended-upgrade.
	By string `json:"by,omitempty"`
	// Units are the units that were restarted afterwards (action restart).
	Units []string `json:"units,omitempty"`
	Path  string   `json:"path"`
}

// names are prefixes of the packages that matter: what runs containers, what that runs on, and what makes a node
// reboot. Libraries are included because their updates make needrestart restart the daemons.
var names = []string{
	"kubelet", "kubeadm", "kubernetes-", "containerd", "runc", "crun", "docker",
	"moby-", "cri-o", "crio", "cri-dockerd", "conmon", "podman", "containernetworking",
	"microk8s", "k3s", "rke2", "k0s", "cilium", "calico", "nvidia-container",
	"systemd", "dbus", "linux-image", "linux-modules", "kernel", "libc6", "glibc", "libssl", "openssl",
}

func matters(name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(name, n) })
}

// observation turns a record into a fact.
func (e entry) observation() (evidence.Observation, bool) {
	if e.Time.IsZero() {
		return evidence.Observation{}, false
	}
	text := e.Manager + ": " + e.Action
	if e.Action == "restart" {
		f := evidence.RestartAsked{By: safetext.Ident(e.Manager)}
		for _, u := range e.Units {
			f.Units = append(f.Units, safetext.Ident(u))
		}
		return evidence.Observation{Time: e.Time, Fact: f, Text: safetext.Clean(text + " " + strings.Join(e.Units, " "))},
			len(f.Units) > 0
	}
	f := evidence.PackageChanged{
		Manager: safetext.Ident(e.Manager), Action: safetext.Ident(e.Action),
		Package: safetext.Ident(e.Package), From: safetext.Ident(e.From), To: safetext.Ident(e.To), By: safetext.Ident(e.By),
	}
	text += " " + e.Package
	if e.From != "" {
		text += " from " + e.From
	}
	if e.To != "" {
		text += " to " + e.To
	}
	if e.By != "" {
		text += ", by " + e.By
	}
	return evidence.Observation{Time: e.Time, Fact: f, Text: safetext.Clean(text)}, e.Package != "" && e.Action != ""
}
