package mcp

// The inputs of the tools. A value is passed as --flag=value or after --, so that it is never treated as a flag.

// where narrows what is looked at in a cluster.
type where struct {
	Namespace     string `json:"namespace,omitempty" jsonschema:"by default that of the context, or all of a recording"`
	AllNamespaces bool   `json:"all_namespaces,omitempty" jsonschema:"look in all namespaces"`
	Selector      string `json:"selector,omitempty" jsonschema:"pods with these labels, as app=web; not for a recording"`
}

func (w where) flags() []string {
	args := flag(nil, "namespace", w.Namespace)
	if w.AllNamespaces {
		args = append(args, "--all-namespaces")
	}
	return flag(args, "selector", w.Selector)
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

// command builds the arguments of one tool: the command, flags, and names.
type command[In any] struct {
	name  string
	alone bool // it reads no cluster
	flags func(In) []string
	named func(In) string
}

func (c command[In]) args(in In, cluster []string) []string {
	var args []string
	if c.name != "" {
		args = append(args, c.name)
	}
	if !c.alone {
		args = append(args, cluster...)
	}
	args = append(append(args, c.flags(in)...), "--output=json")
	if name := c.named(in); name != "" {
		args = append(args, "--", name)
	}
	return args
}

var (
	why = command[whyInput]{
		flags: func(in whyInput) []string {
			return flag(flag(flag(in.where.flags(), "container", in.Container), "cause", in.Cause), "since", in.Since)
		},
		named: func(in whyInput) string { return in.Name },
	}
	incidents = command[incidentsInput]{
		name:  "incidents",
		flags: func(in incidentsInput) []string { return flag(in.where.flags(), "since", in.Since) },
		named: func(incidentsInput) string { return "" },
	}
	node = command[nodeInput]{
		name:  "node",
		flags: func(in nodeInput) []string { return flag(nil, "since", in.Since) },
		named: func(in nodeInput) string { return in.Node },
	}
	preflight = command[preflightInput]{
		name:  "preflight",
		flags: func(in preflightInput) []string { return flag(flag(in.where.flags(), "to", in.To), "node", in.Node) },
		named: func(preflightInput) string { return "" },
	}
	hash = command[hashInput]{
		name: "hash",
		flags: func(in hashInput) []string {
			return flag(flag(flag(nil, "namespace", in.Namespace), "container", in.Container), "stored", in.Stored)
		},
		named: func(in hashInput) string { return in.Pod },
	}
	explain = command[explainInput]{
		name: "explain", alone: true,
		flags: func(explainInput) []string { return nil },
		named: func(in explainInput) string { return in.Term },
	}
)

// flag adds a flag if its value is set.
func flag(args []string, name, value string) []string {
	if value == "" {
		return args
	}
	return append(args, "--"+name+"="+value)
}
