package hostfiles

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletconfig"
)

// findKubelet returns the process id of the kubelet, 0 if there is none. If a machine runs nodes in containers, their
// kubelets are in their own process namespaces and do not count. A program that contains the kubelet (k3s, MicroK8s'
// kubelite) counts if there is no kubelet.
func findKubelet(proc string) int {
	entries, err := os.ReadDir(proc)
	if err != nil {
		return 0
	}
	var pids []int
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil && pid > 0 {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	holder := 0
	for _, pid := range pids {
		dir := filepath.Join(proc, strconv.Itoa(pid))
		comm, err := readFile(filepath.Join(dir, "comm"))
		name := strings.TrimSpace(comm)
		holds := name == "k3s-server" || name == "k3s-agent" || name == "k3s" || name == "kubelite"
		// The name is cut at 15 bytes, and a kubelet's executable may have its version in the name.
		is := name == "kubelet" || strings.HasPrefix(name, "kubelet-") || name == "hyperkube" && isHyperkubelet(dir)
		if err != nil || !is && (!holds || holder != 0) {
			continue
		}
		if status, err := readFile(filepath.Join(dir, "status")); err != nil || nested(status) {
			continue
		}
		if is {
			return pid
		}
		holder = pid
	}
	return holder
}

// isHyperkubelet reports whether a hyperkube (≤1.18) runs as the kubelet.
func isHyperkubelet(dir string) bool {
	cmdline, err := readFile(filepath.Join(dir, "cmdline"))
	args := strings.Split(cmdline, "\x00")
	return err == nil && len(args) > 1 && args[1] == "kubelet"
}

// nested reports whether a process is in a process namespace below the one that /proc shows: then it has more than one
// id there (kernel 4.1+, field NSpid).
func nested(status string) bool {
	for line := range strings.Lines(status) {
		if ids, ok := strings.CutPrefix(line, "NSpid:"); ok {
			return len(strings.Fields(ids)) > 1
		}
	}
	return false
}

// parseFlags returns the wanted flags of a command line (arguments separated by NUL). As in pflag the last one counts,
// and -- ends the flags.
func parseFlags(cmdline string, wanted ...string) map[string]string {
	got := map[string]string{}
	args := strings.Split(strings.TrimRight(cmdline, "\x00"), "\x00")
	for i := 1; i < len(args); i++ {
		if args[i] == "--" {
			break
		}
		name, ok := strings.CutPrefix(args[i], "--")
		if !ok {
			continue
		}
		name, value, inOne := strings.Cut(name, "=")
		// pflag reads underscores as dashes in the kubelet's flags.
		name = strings.ReplaceAll(name, "_", "-")
		if !slices.Contains(wanted, name) {
			continue
		}
		if !inOne && i+1 < len(args) {
			i++
			value = args[i]
		}
		got[name] = value
	}
	return got
}

// maxFlags is how many flag names are kept; no kubelet has that many.
const maxFlags = 256

// flagNames lists the flags of a command line, sorted: their names and nothing of their values. A kubelet exits at once
// if it is given a flag that it does not know (cmd/kubelet/app/server.go NewKubeletCommand: cleanFlagSet.Parse), so the
// names narrow down its version. An argument without dashes may be the value of a flag and is left out.
func flagNames(cmdline string) []string {
	var names []string
	args := strings.Split(strings.TrimRight(cmdline, "\x00"), "\x00")
	for _, arg := range args[1:] {
		if arg == "--" || len(names) == maxFlags {
			break
		}
		name, ok := strings.CutPrefix(arg, "--")
		name, _, _ = strings.Cut(name, "=")
		name = strings.ReplaceAll(name, "_", "-")
		// A value may begin with dashes too; a name consists of these letters only.
		if ok && len(name) < 80 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// ownFlags reports whether a process has the kubelet's own command line, and not that of a program that contains the
// kubelet and chooses flags for it.
func ownFlags(dir string) bool {
	comm, err := readFile(filepath.Join(dir, "comm"))
	return err == nil && (strings.HasPrefix(comm, "kubelet") || strings.HasPrefix(comm, "hyperkube"))
}

// readKubelet reads the settings of the kubelet with this process id. Flags override the configuration, and drop-ins
// override the file (kubelet v1.10–v1.36 cmd/kubelet/app/server.go NewKubeletCommand; --config-dir since v1.28).
func readKubelet(root string, pid int, boot time.Time) (Kubelet, error) {
	k := Kubelet{PID: pid}
	dir := filepath.Join(root, "proc", strconv.Itoa(pid))
	if stat, err := readFile(filepath.Join(dir, "stat")); err == nil {
		k.Started, _ = startTime(stat, boot)
	}
	cmdline, err := readFile(filepath.Join(dir, "cmdline"))
	if err != nil {
		return k, err
	}
	flags := parseFlags(cmdline, wantedFlags...)
	if ownFlags(dir) {
		k.Flags = flagNames(cmdline)
	}
	var failed error
	if name := flags[flagArgsFile]; path.IsAbs(name) {
		text, err := readFile(Below(root, name))
		if err != nil {
			failed = fmt.Errorf("read the kubelet's arguments: %w", err)
		}
		given := "kubelet\x00" + strings.Join(strings.Fields(text), "\x00")
		flags, k.Flags = parseFlags(given, wantedFlags...), flagNames(given)
	}
	k.HostnameOverride, k.ConfigFile, k.RootDir = flags[flagHostname], flags[flagConfig], flags[flagRootDir]
	var files []string
	if k.ConfigFile != "" {
		files = append(files, k.ConfigFile)
	}
	if dir := flags[flagConfigDir]; path.IsAbs(dir) {
		// Only files that end in .conf count, in the order of their paths.
		names, _ := filepath.Glob(filepath.Join(root, dir, "*.conf"))
		for _, n := range names {
			files = append(files, path.Join(dir, filepath.Base(n)))
		}
	}
	for _, name := range files {
		s, err := readConfig(root, name, k.Settings)
		if err != nil {
			failed = cmp.Or(failed, err)
			continue
		}
		k.Settings = s
	}
	k.Settings = flagged(k.Settings, flags)
	if flags[flagRuntime] == "docker" && k.ContainerRuntimeEndpoint == "" {
		k.ContainerRuntimeEndpoint = "dockershim"
	}
	return k, failed
}

func readConfig(root, name string, over Settings) (Settings, error) {
	if !path.IsAbs(name) {
		return over, fmt.Errorf("read the kubelet's configuration %s: not an absolute path", name)
	}
	text, err := readFile(Below(root, name))
	if err != nil {
		return over, fmt.Errorf("read the kubelet's configuration: %w", err)
	}
	s, err := kubeletconfig.Parse(text, over)
	if err != nil {
		return over, fmt.Errorf("read the kubelet's configuration %s: %w", name, err)
	}
	return s, nil
}
