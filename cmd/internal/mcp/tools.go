package mcp

// The inputs of the tools. A value is passed as --flag=value or after --, so that it is never treated as a flag.

// where narrows what is looked at in a cluster.
type where struct {
	Namespace     string `json:"namespace,omitempty" jsonschema:"by default that of the context, or all of a recording"`
	AllNamespaces bool   `json:"all_namespaces,omitempty" jsonschema:"look in all namespaces"`
	Selector      string `json:"selector,omitempty" jsonschema:"pods with these labels, as app=web; not for a recording"`
}

func (w where) flags() []string {
	args := flags("namespace", w.Namespace, "selector", w.Selector)
	if w.AllNamespaces {
		args = append(args, "--all-namespaces")
	}
	return args
}

type whyInput struct {
	where
	Name      string `json:"name,omitempty" jsonschema:"a pod or TYPE/NAME, such as deploy/web; by default all"`
	Container string `json:"container,omitempty" jsonschema:"only this container"`
	Cause     string `json:"cause,omitempty" jsonschema:"only this cause, an id of explain, such as oom-container-limit"`
	Since     string `json:"since,omitempty" jsonschema:"only what ended since then: 2h, 7d or an RFC 3339 time"`
}

type incidentsInput struct {
	where
	Since string `json:"since,omitempty" jsonschema:"only what ended since then: 2h, 7d or an RFC 3339 time"`
}

type nodeInput struct {
	Node  string `json:"node" jsonschema:"the name of the node"`
	Since string `json:"since,omitempty" jsonschema:"only what ended since then: 2h, 7d or an RFC 3339 time"`
}

type preflightInput struct {
	where
	To   string `json:"to" jsonschema:"such as v1.35 or v1.35.2; same: they are only restarted"`
	Node string `json:"node,omitempty" jsonschema:"only this node"`
}

type hashInput struct {
	Pod       string `json:"pod" jsonschema:"the name of the pod"`
	Namespace string `json:"namespace,omitempty" jsonschema:"the namespace of the pod"`
	Container string `json:"container,omitempty" jsonschema:"only this container"`
	Stored    string `json:"stored,omitempty" jsonschema:"the stored hash, in hex as crictl inspect shows it"`
}

type explainInput struct {
	Term string `json:"term" jsonschema:"such as 137, OOMKilled, a line of a log, or the id of a cause"`
}

// command is one command line: the command, what follows it, and the name that it is about.
type command struct {
	name  string
	flags []string
	about string
	alone bool // it reads no cluster
}

func (c command) args(cluster []string) []string {
	var args []string
	if c.name != "" {
		args = append(args, c.name)
	}
	if !c.alone {
		args = append(args, cluster...)
	}
	args = append(append(args, c.flags...), "--output=json")
	if c.about != "" {
		args = append(args, "--", c.about)
	}
	return args
}

func (in whyInput) command() command {
	return command{about: in.Name,
		flags: append(in.where.flags(), flags("container", in.Container, "cause", in.Cause, "since", in.Since)...)}
}

func (in incidentsInput) command() command {
	return command{name: "incidents", flags: append(in.where.flags(), flags("since", in.Since)...)}
}

func (in nodeInput) command() command {
	return command{name: "node", flags: flags("since", in.Since), about: in.Node}
}

func (in preflightInput) command() command {
	return command{name: "preflight", flags: append(in.where.flags(), flags("to", in.To, "node", in.Node)...)}
}

func (in hashInput) command() command {
	return command{name: "hash", about: in.Pod,
		flags: flags("namespace", in.Namespace, "container", in.Container, "stored", in.Stored)}
}

func (in explainInput) command() command {
	return command{name: "explain", about: in.Term, alone: true}
}

// flags returns flags from names and values; one without a value is left out.
func flags(pairs ...string) (args []string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			args = append(args, "--"+pairs[i]+"="+pairs[i+1])
		}
	}
	return args
}
