package hostfiles

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// The kubelet's flags that are read; no other flag's value is ever looked at.
const (
	flagHostname     = "hostname-override"
	flagCgroupDriver = "cgroup-driver"
	flagCgroupRoot   = "cgroup-root"
	flagConfig       = "config"
	flagConfigDir    = "config-dir"
)

// findKubelet returns the process id of the kubelet, 0 if there is none. Where a
// machine runs nodes in containers, their kubelets are in process namespaces of
// their own and do not count.
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
	for _, pid := range pids {
		dir := filepath.Join(proc, strconv.Itoa(pid))
		comm, err := readFile(filepath.Join(dir, "comm"))
		name := strings.TrimSpace(comm)
		// The name is cut at 15 bytes, and a kubelet's file may carry its version.
		if err != nil || name != "kubelet" && !strings.HasPrefix(name, "kubelet-") && !(name == "hyperkube" && isHyperkubelet(dir)) {
			continue
		}
		status, err := readFile(filepath.Join(dir, "status"))
		if err == nil && !nested(status) {
			return pid
		}
	}
	return 0
}

// isHyperkubelet tells whether a hyperkube (≤1.18) is the kubelet.
func isHyperkubelet(dir string) bool {
	cmdline, err := readFile(filepath.Join(dir, "cmdline"))
	args := strings.Split(cmdline, "\x00")
	return err == nil && len(args) > 1 && args[1] == "kubelet"
}

// nested tells whether a process is in a process namespace below the one that
// /proc shows: then it has more than one id there (kernel 4.1+, field NSpid).
func nested(status string) bool {
	for line := range strings.Lines(status) {
		if ids, ok := strings.CutPrefix(line, "NSpid:"); ok {
			return len(strings.Fields(ids)) > 1
		}
	}
	return false
}

// parseFlags takes the wanted flags out of a command line (arguments separated
// by NUL). As in pflag the last one counts, and -- ends the flags.
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

// kubeletConfig are the only keys that are read of a KubeletConfiguration
// (kubelet.config.k8s.io/v1beta1).
type kubeletConfig struct {
	CgroupDriver string `json:"cgroupDriver"`
	CgroupRoot   string `json:"cgroupRoot"`
}

// parseConfig reads a kubelet's configuration file or a part of one.
func parseConfig(text string) (kubeletConfig, error) {
	var c kubeletConfig
	if err := yaml.Unmarshal([]byte(text), &c); err != nil {
		// YAML errors quote the line that they are about; a configuration is not
		// ours to repeat.
		return kubeletConfig{}, errors.New("not a YAML object of the expected types")
	}
	return c, nil
}

// readKubelet reads what the kubelet with this process id was told. Flags win
// over the configuration, and drop-ins win over the file (kubelet v1.10–v1.36
// cmd/kubelet/app/server.go NewKubeletCommand; --config-dir since v1.28).
func readKubelet(root string, pid int) (Kubelet, error) {
	cmdline, err := readFile(filepath.Join(root, "proc", strconv.Itoa(pid), "cmdline"))
	if err != nil {
		return Kubelet{PID: pid}, err
	}
	flags := parseFlags(cmdline, flagHostname, flagCgroupDriver, flagCgroupRoot, flagConfig, flagConfigDir)
	k := Kubelet{
		PID: pid, HostnameOverride: flags[flagHostname],
		CgroupDriver: flags[flagCgroupDriver], CgroupRoot: flags[flagCgroupRoot], ConfigFile: flags[flagConfig],
	}
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
	var failed error
	var config kubeletConfig
	for _, name := range files {
		c, err := readConfig(root, name)
		if err != nil {
			failed = cmp.Or(failed, err)
			continue
		}
		config.CgroupDriver = cmp.Or(c.CgroupDriver, config.CgroupDriver)
		config.CgroupRoot = cmp.Or(c.CgroupRoot, config.CgroupRoot)
	}
	k.CgroupDriver = cmp.Or(k.CgroupDriver, config.CgroupDriver)
	k.CgroupRoot = cmp.Or(k.CgroupRoot, config.CgroupRoot)
	return k, failed
}

func readConfig(root, name string) (kubeletConfig, error) {
	if !path.IsAbs(name) {
		return kubeletConfig{}, fmt.Errorf("read the kubelet's configuration %s: not an absolute path", name)
	}
	text, err := readFile(follow(root, name))
	if err != nil {
		return kubeletConfig{}, fmt.Errorf("read the kubelet's configuration: %w", err)
	}
	c, err := parseConfig(text)
	if err != nil {
		return kubeletConfig{}, fmt.Errorf("read the kubelet's configuration %s: %w", name, err)
	}
	return c, nil
}

// denied tells whether more rights would help.
func denied(err error) bool { return errors.Is(err, fs.ErrPermission) }
