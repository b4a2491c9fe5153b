package kubeletlog

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletconfig"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// flags are the command-line flags that affect restarts, with their settings.
var flags = map[string]string{
	"cgroup-driver": evidence.SettingCgroupDriver, "cgroup-root": evidence.SettingCgroupRoot,
	"cgroups-per-qos":   evidence.SettingCgroupsPerQOS,
	"container-runtime": evidence.SettingRuntime, "container-runtime-endpoint": evidence.SettingRuntimeEndpoint,
	"pod-manifest-path": evidence.SettingManifestPath, "manifest-url": evidence.SettingManifestURL,
	"feature-gates": evidence.SettingFeatureGates, "config": evidence.SettingConfigFile,
}

// gone are flags that later kubelets no longer have, with their defaults. The log lists every flag, given or not
// (component-base cli/flag PrintFlags): only a value other than the default shows that it was given. Left out are those
// whose default changed and those that share their value with another flag (kubelet v1.16–v1.36
// cmd/kubelet/app/options, pkg/kubelet/config/flags.go). A password's value is never kept.
var gone = map[string]string{
	"cloud-config": "", "cni-bin-dir": "/opt/cni/bin", "cni-conf-dir": "/etc/cni/net.d",
	"dynamic-config-dir": "", "experimental-check-node-capabilities-before-mount": "false",
	"image-pull-progress-deadline": "1m0s", "iptables-drop-bit": "15", "iptables-masquerade-bit": "14",
	"keep-terminated-pod-volumes": "false",
	"master-service-namespace":    "default", "network-plugin": "", "network-plugin-mtu": "0",
	"non-masquerade-cidr": "10.0.0.0/8", "really-crash-for-testing": "false", "register-schedulable": "true",

	// cAdvisor's, removed in 1.37
	"application-metrics-count-limit": "100", "boot-id-file": "/proc/sys/kernel/random/boot_id",
	"container-hints": "/etc/cadvisor/container_hints.json",
	"containerd":      "/run/containerd/containerd.sock", "containerd-namespace": "k8s.io", "enable-load-reader": "false",
	"event-storage-age-limit": "default=0", "event-storage-event-limit": "default=0",
	"global-housekeeping-interval": "1m0s", "log-cadvisor-usage": "false",
	"machine-id-file":                "/etc/machine-id,/var/lib/dbus/machine-id",
	"storage-driver-buffer-duration": "1m0s", "storage-driver-db": "cadvisor", "storage-driver-host": "localhost:8086",
	"storage-driver-password": "root", "storage-driver-secure": "false", "storage-driver-table": "stats",
	"storage-driver-user": "root",
}

// effective: "Effective KubeletConfiguration" config=<YAML> (1.37+), the result of files and flags. A truncated block
// is ignored: half a value is a wrong one.
func effective(l *line, emit emitFunc) {
	text := l.values.Get("config")
	if !l.json && !strings.Contains(l.text, "\n >") {
		return
	}
	s, err := kubeletconfig.Parse(text, kubeletconfig.Settings{})
	if err != nil || !strings.Contains(text, "kind: KubeletConfiguration") {
		return
	}
	emit(evidence.Subject{}, s.Fact())
	l.text = l.msg + s.Quote() // nothing else is kept
}

// updatedGates: "Updated" featureGates={"A":true} (1.36+), the gates set so far.
func updatedGates(l *line, emit emitFunc) {
	var gates map[string]bool
	if json.Unmarshal([]byte(l.values.Get("featureGates")), &gates) != nil || gates == nil {
		return
	}
	pairs := make([]string, 0, len(gates))
	for _, name := range slices.Sorted(maps.Keys(gates)) {
		pairs = append(pairs, name+"="+strconv.FormatBool(gates[name]))
	}
	say(evidence.SettingFeatureGates, strings.Join(pairs, ","), emit)
}

func say(name, value string, emit emitFunc) {
	emit(evidence.Subject{}, evidence.KubeletSetting{Name: name, Value: safetext.Clean(value)})
}

func setting(name, key string) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) {
		if v := l.values.Get(key); v != "" {
			say(name, v, emit)
		}
	}
}

const flagStart = "FLAG: --"

// flagKnown reports whether a line is about a relevant flag; --v is how much the kubelet logs.
func flagKnown(msg string) bool {
	name, _, _ := strings.Cut(msg[len(flagStart):], "=")
	_, removed := gone[name]
	return name == "v" || flags[name] != "" || removed
}

// classicFlag: FLAG: --cgroup-driver="systemd". Other flags are irrelevant.
func classicFlag(l *line, emit emitFunc) {
	name, value, ok := strings.Cut(strings.TrimPrefix(l.msg, flagStart), "=")
	known := flags[name]
	v, rest, quoted := klogline.QuotedPrefix(value)
	if ok && known != "" && quoted && rest == "" {
		say(known, v, emit)
	} else if byDefault, removed := gone[name]; ok && removed && quoted && rest == "" && v != byDefault {
		if name == "storage-driver-password" {
			v = "given"
			l.text = flagStart + name
		}
		say(evidence.SettingFlag+name, v, emit)
	}
}

// classicGates: feature gates: {map[A:true]}; before v1.10 without the braces.
func classicGates(l *line, emit emitFunc) {
	gates := strings.TrimPrefix(l.msg, "feature gates: ")
	gates = strings.Trim(gates, "&{}")
	if strings.HasPrefix(gates, "map[") && strings.HasSuffix(gates, "]") {
		say(evidence.SettingFeatureGates, gates, emit)
	}
}

// nodeConfig: the value is Go syntax up to v1.27, JSON from v1.28.
func nodeConfig(l *line, emit emitFunc) {
	s := l.values.Get("nodeConfig")
	if strings.HasPrefix(s, `{"`) {
		var c struct {
			CgroupsPerQOS            *bool
			CgroupRoot, CgroupDriver *string
		}
		if json.Unmarshal([]byte(s), &c) != nil || c.CgroupsPerQOS == nil || c.CgroupRoot == nil || c.CgroupDriver == nil {
			return
		}
		say(evidence.SettingCgroupsPerQOS, strconv.FormatBool(*c.CgroupsPerQOS), emit)
		say(evidence.SettingCgroupRoot, *c.CgroupRoot, emit)
		say(evidence.SettingCgroupDriver, *c.CgroupDriver, emit)
		return
	}
	for _, f := range []struct{ field, name string }{
		{" CgroupsPerQOS:", evidence.SettingCgroupsPerQOS}, {" CgroupRoot:", evidence.SettingCgroupRoot},
		{" CgroupDriver:", evidence.SettingCgroupDriver},
	} {
		_, rest, found := strings.Cut(s, f.field)
		if value, _, whole := strings.Cut(rest, " "); found && whole {
			say(f.name, value, emit)
		}
	}
}

// runtimeVersion: "Container runtime initialized" containerRuntime= version=
func runtimeVersion(l *line, emit emitFunc) {
	if name, version := l.values.Get("containerRuntime"), l.values.Get("version"); name != "" && version != "" {
		say(evidence.SettingRuntimeVersion, name+" "+version, emit)
	}
}

// exited quotes the last line of a kubelet.
func exited(l *line, emit emitFunc) {
	message := l.msg
	for _, key := range []string{"err", "message"} {
		if why := l.values.Get(key); why != "" {
			message += ": " + why
		}
	}
	emit(evidence.Subject{}, evidence.KubeletExited{Message: safetext.Clean(message)})
}

func trouble(state evidence.RuntimeState, key string) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) {
		emit(evidence.Subject{}, evidence.RuntimeTrouble{State: state, Message: safetext.Clean(l.values.Get(key))})
	}
}
