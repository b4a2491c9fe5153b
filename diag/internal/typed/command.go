package typed

import (
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/dockerevent"
)

// Command is what was typed at a prompt.
type Command struct {
	// Program is kubectl, journalctl, …, and Words all its arguments. Both are empty without a prompt.
	Program string
	Words   []string
	// Namespace, Pod and Node are the object of a kubectl command, if it names one; Docker's names have a Container,
	// too.
	Namespace, Pod, Node, Container string
	// Host is the machine that the prompt names.
	Host string
	// Described reports whether it is kubectl describe, of whose output any lines may have been pasted.
	Described bool
	// Path are the fields of the object to which its output is reduced, by jq or a jsonpath: "status",
	// "containerStatuses", "[]", "lastState".
	Path []string
	// Columns are such paths for each value of a line, if it prints several.
	Columns [][]string
}

var (
	// prompts of shells that name a user, a host or a directory: "[root@n1 ~]# ", "core@n1:~$ ", "PS C:\k> ".
	named = regexp.MustCompile(
		`^(?:\([\w.-]{1,40}\) ?)?(?:\[[\w.-]+@[^\]]{1,80}\]\s?[$#%>]|\[[0-9:. /-]{5,30}\]\s?[$#%>]|[\w.-]+@[\w.-]+(?:[: ][^$#%>]{0,80})?[$#%>]|` +
			`PS [A-Z]:[^>]{0,120}>|[A-Z]:\\[^>]{0,120}>|(?:ba|z)?sh-\d[\d.]*[$#])(?:\s+|$)`)
	// bare prompts need a known command after them.
	bare = regexp.MustCompile(`^(?:[$#%>]|[^\x00-\x7f]{1,3}|\[[\w./~-]{1,40}\]\s?[$#%]|[~/][\w./~-]{0,60}\s?[$#%❯])\s+(?:➜\s+)?`)
	// noPrompt is a command without its prompt.
	noPrompt = regexp.MustCompile(`^(?:sudo )?(?:(?:kubectl|k|oc)(?: (?:-n|--namespace)[ =]?\S+)? ` +
		`(?:get|describe|logs?|top|exec|delete|apply|rollout) |` +
		`(?:crictl|docker|ctr|nerdctl) (?:ps|pods|inspectp?|logs|info|c) ?|` +
		`journalctl -|systemctl status |dmesg(?: [|-]|$)|(?:cat|tail|grep|less) \S*/?var/log/)`)
	// watched is the header of a screen of watch(1).
	watched = regexp.MustCompile(`^Every [0-9.,]+s: (\S.*?)(?:\s{2,}\S.*)?$`)
	// assignments and wrappers before the command.
	before = regexp.MustCompile(`^(?:sudo(?:\s+-[A-Za-z]+)*|watch(?:\s+-\S+)*|time|[A-Z_][A-Z0-9_]*=\S*)\s+`)
)

// programs are those whose output is read, and those that appear with them in a session.
var programs = []string{
	"kubectl", "k", "oc", "k3s", "k0s", "microk8s", "microk8s.kubectl", "minikube", "kubeadm", "kubens", "kubelet", "kind",
	"journalctl", "crictl", "docker", "ctr", "nerdctl", "podman", "systemctl", "dmesg", "last", "uptime", "who",
	"talosctl",
	"cat", "tail", "head", "less", "more", "grep", "zgrep", "zcat", "egrep", "ls", "ps", "free", "df", "date", "uname",
	"ssh", "cd", "echo", "curl", "helm", "gcloud", "az", "aws", "stern", "etcdctl", "top",
}

// aliases are common short names of kubectl's commands (ahmetb/kubectl-aliases, oh-my-zsh's plugin).
var aliases = map[string]string{
	"kgp": "kubectl get pods", "kgpo": "kubectl get pods", "kgpn": "kubectl get pods -n", "kgpa": "kubectl get pods -A",
	"kdp": "kubectl describe pods", "kdpo": "kubectl describe pods", "kge": "kubectl get events", "kl": "kubectl logs",
}

// Unmarked reports whether a line is a command without its prompt.
func Unmarked(line string) bool { return noPrompt.MatchString(line) }

// Of parses a line with a prompt; false for any other line. A prompt alone is enough if it names a user or host.
func Of(line string) (Command, bool) { return commandWithin(line, hops) }

// hops is how many commands may wrap the actual one, as ssh and docker exec do; each costs the rest of the line.
const hops = 4

func commandWithin(line string, hops int) (Command, bool) {
	if m := watched.FindStringSubmatch(line); m != nil {
		line = "$ " + m[1]
	}
	rest, known, host := line, false, ""
	if m := named.FindString(line); m != "" {
		rest, known = line[len(m):], true
		if at := atHost.FindStringSubmatch(m); at != nil {
			host = at[1]
		}
	} else if m := bare.FindString(line); m != "" {
		rest = line[len(m):]
	} else if noPrompt.MatchString(line) {
		rest = line
	} else if line == "$" || line == "$ " {
		return Command{}, true
	} else {
		return Command{}, false
	}
	rest = strings.TrimSpace(rest)
	for {
		m := before.FindString(rest)
		if m == "" {
			break
		}
		rest = rest[len(m):]
	}
	words := strings.Fields(rest)
	if len(words) == 0 {
		return Command{}, known
	}
	if hops > 0 {
		if c, ok := remote(words, hops-1); ok {
			return c, true
		}
		if c, ok := inside(words, hops-1); ok {
			return c, true
		}
	}
	program := words[0]
	if at := strings.LastIndexByte(program, '/'); at >= 0 {
		program = program[at+1:]
	}
	program = strings.TrimSuffix(program, ".sh") // kubernetes' own cluster/kubectl.sh
	if long, ok := aliases[program]; ok {
		program, words = "kubectl", slices.Concat(strings.Fields(long), words[1:])
	}
	if !slices.Contains(programs, program) {
		return Command{Program: program, Host: host}, known
	}
	c := Command{Program: program, Words: words[1:], Host: host}
	if slices.Contains([]string{"k3s", "k0s", "microk8s", "minikube"}, program) && len(words) > 2 &&
		slices.Contains([]string{"kubectl", "crictl", "ctr"}, words[1]) {
		c = Command{Program: words[1], Words: words[2:], Host: host}
		if len(c.Words) > 0 && c.Words[0] == "--" {
			c.Words = c.Words[1:]
		}
	}
	switch c.Program {
	case "k", "oc", "microk8s.kubectl":
		c.Program = "kubectl"
	}
	switch c.Program {
	case "kubectl":
		c.object()
	case "docker", "podman", "nerdctl":
		c.dockerName()
	}
	return c, true
}

// dockerName gets pod and container from the name that dockershim gives a container:
// k8s_<container>_<pod>_<namespace>_<uid>_<attempt>. What is inspected by another name is a pod of its own.
func (c *Command) dockerName() {
	words, _ := argumentsOf(c.Words)
	if len(words) > 1 && words[0] == "inspect" {
		for _, w := range words[1:] {
			if dockerevent.Plain(w) {
				c.Container, c.Pod, c.Namespace = w, w, "default"
				break
			}
		}
	}
	for _, w := range words {
		if parts := strings.Split(w, "_"); len(parts) >= 6 && parts[0] == "k8s" {
			c.Container, c.Pod, c.Namespace = parts[1], parts[2], parts[3]
		}
	}
}

// atHost is the host in a prompt: "[root@n1 ~]# ", "core@n1:~$ ".
var atHost = regexp.MustCompile(`[\w.-]+@([\w.-]+)`)

// remote parses a command that ssh runs on another machine: its output is that machine's.
func remote(words []string, hops int) (c Command, ok bool) {
	if words[0] != "ssh" {
		return c, false
	}
	for i, w := range words[1:] {
		if strings.HasPrefix(w, "-") || slices.Contains([]string{"-i", "-p", "-l", "-o", "-F", "-J"}, words[i]) {
			continue
		}
		inner, known := commandWithin("$ "+strings.Trim(strings.Join(words[i+2:], " "), `'"`), hops)
		if !known && !slices.Contains(programs, inner.Program) || inner.Program == "" {
			return c, false
		}
		inner.Host = w[strings.LastIndexByte(w, '@')+1:]
		return inner, true
	}
	return c, false
}

// ofNodes are programs that query a node, and that no container of a pod has.
var ofNodes = []string{"crictl", "ctr", "nerdctl", "journalctl", "systemctl", "docker"}

// inside parses a command that runs in a node which is itself a container or a machine of a local cluster: docker exec
// kind-worker crictl ps, minikube ssh -- docker ps. What kubectl exec runs is in a pod's container.
func inside(words []string, hops int) (c Command, ok bool) {
	if slices.Contains([]string{"kubectl", "k", "oc"}, words[0]) || slices.Contains(ofNodes[:5], words[0]) {
		return c, false
	}
	for i, w := range words {
		exec := words[0] == "docker" && len(words) > 1 && words[1] == "exec"
		if i < 2 || !slices.Contains(ofNodes, strings.Trim(w, `'"`)) || !exec && words[i-1] != "--" && words[0] != "minikube" ||
			exec && w == "docker" {
			continue
		}
		return commandWithin("$ "+strings.Trim(strings.Join(words[i:], " "), `'"`), hops)
	}
	return c, false
}

// argumentsOf returns the words before what ends a command in a shell's line, and those behind a pipe. People leave out
// the blanks around it.
func argumentsOf(words []string) (args, piped []string) {
	for i, w := range words {
		at := strings.IndexAny(w, "|;&>#")
		if at < 0 || strings.ContainsAny(w[:at], `'"`) {
			continue
		}
		args = slices.Clone(words[:i])
		if last := strings.Trim(w[:at], "12"); last != "" { // not of 2>&1
			args = append(args, w[:at])
		}
		if w[at] == '|' {
			piped = slices.Concat(strings.Fields(w[at+1:]), words[i+1:])
		}
		return args, piped
	}
	return words, nil
}

// valued are flags of kubectl whose value is the next word.
var valued = []string{"-n", "--namespace", "-o", "--output", "-l", "--selector",
	"-c", "--container", "--context", "--kubeconfig",
	"--sort-by", "--field-selector", "-f", "--tail", "--since"}

// object parses which pod a kubectl command requests and what its output is reduced to.
func (c *Command) object() {
	words, piped := argumentsOf(unquoted(c.Words))
	c.filter(piped)
	var plain []string
	for i := 0; i < len(words); i++ {
		flag, value, joined := strings.Cut(words[i], "=")
		switch {
		case !strings.HasPrefix(words[i], "-"):
			plain = append(plain, words[i])
			continue
		case !joined && slices.Contains(valued, flag) && i+1 < len(words):
			i++
			value = words[i]
		case !joined && strings.HasPrefix(flag, "-n") && len(flag) > 2:
			flag, value = "-n", flag[2:]
		}
		switch flag {
		case "-n", "--namespace":
			if name := strings.Trim(value, "\"',.;:"); podName.MatchString(name) { // in a sentence; no variable
				c.Namespace = name
			}
		case "-o", "--output":
			c.output(strings.Trim(value, `'"`))
		}
	}
	if len(plain) < 2 || plain[0] != "get" && plain[0] != "describe" && !printsLog(plain[0]) {
		return
	}
	c.Described = plain[0] == "describe"
	kind, name, slash := strings.Cut(plain[1], "/")
	if printsLog(plain[0]) {
		kind, name = "pod", plain[1]
	} else if !slash && len(plain) == 3 {
		name = plain[2]
	}
	switch {
	case !podName.MatchString(name):
	case slices.Contains([]string{"pod", "pods", "po"}, kind):
		c.Pod = name
	case slices.Contains([]string{"node", "nodes", "no"}, kind):
		c.Node = name
	}
}

var podName = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$`)

// printsLog reports whether the command prints a container's log; kubectl had another name for it up to 1.17.
func printsLog(word string) bool { return word == "logs" || word == "log" }

// filter parses "jq .status.containerStatuses[0]".
func (c *Command) filter(words []string) {
	if len(words) == 0 || words[0] != "jq" && words[0] != "yq" {
		return
	}
	for _, w := range words[1:] {
		if w = strings.Trim(w, `'"`); strings.HasPrefix(w, ".") {
			c.Path = fields(w)
			return
		}
	}
}

var field = regexp.MustCompile(`\[[^\]]*\]|[A-Za-z][A-Za-z0-9]*`)

// fields returns the steps of a path of jq or a jsonpath; every index is "[]".
func fields(path string) (steps []string) {
	for _, f := range field.FindAllString(path, 16) {
		if f[0] == '[' {
			f = "[]"
		}
		steps = append(steps, f)
	}
	return steps
}

// OfContainer reports whether a command prints a container's output.
func (c Command) OfContainer() bool {
	if slices.Contains([]string{"stern", "curl", "ssh", "echo"}, c.Program) {
		return true
	}
	for _, w := range c.Words {
		switch {
		case strings.HasPrefix(w, "-"):
			continue
		case slices.Contains([]string{"kubectl", "docker", "crictl", "nerdctl", "podman"}, c.Program):
			return printsLog(w) || w == "exec" || w == "attach" || w == "run"
		}
		return false
	}
	return false
}
