package idnames

import "regexp"

const (
	aName  = `([a-z0-9][a-z0-9.-]*[a-z0-9])`
	aLabel = `([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)`
	// A static pod's UID is a hash without dashes.
	aUID = `([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32})`
	anID = `([0-9a-f]{64})`
	is   = `["\\]*\s?[:=]\s?["\\]*` // between a key and its value, as klog, logfmt and JSON have it
)

// form is one way in which a line names an id.
type form struct {
	has  string // every matching line contains it
	says *regexp.Regexp
	// its groups: n namespace, p pod, u its UID, c container, i its id, s the id of the pod's sandbox
	kinds string
}

func newForm(has, says, kinds string) form { return form{has, regexp.MustCompile(says), kinds} }

// forms are written only by Kubernetes and what works with it.
var forms = []form{
	// kubelet v1.14+; on Windows with backslashes, which are escaped
	newForm("pods", `[/\\]log[/\\]+pods[/\\]+`+aLabel+`_`+aName+`_`+aUID+`[/\\]+`+aLabel+`[/\\]`, "npuc"),
	// kubelet legacy_log.go: the links that collectors of logs follow
	newForm("/log/containers/", `/log/containers/`+aName+`_`+aLabel+`_`+aLabel+`-`+anID+`\.log`, "pnci"),
	// kubelet operation_generator.go, reconciler.go; pod="ns/name" behind it since v1.21
	newForm("(UID: ", ` pod \\*"`+aName+`\\*" \(UID: \\*"`+aUID+`\\*"\)(?:.* pod="`+aLabel+`/)?`, "pun"),
	newForm("podUID=", ` pod="`+aLabel+`/`+aName+`" podUID="?`+aUID, "npu"),
	newForm("ObjectReference{", `ObjectReference\{Kind:"Pod", Namespace:"`+aLabel+`", Name:"`+aName+`", UID:"`+aUID+`"`+
		`(?:.*FieldPath:"spec\.containers\{`+aLabel+`\}")?`, "npuc"),
	newForm("_", `\b`+aName+`_`+aLabel+`\(`+aUID+`\)`, "pnu"), // kubelet util/format, up to v1.22
	// names of containers up to v1.23, behind the id that docker ps has before them
	newForm("k8s_", `(?:^|\s)([0-9a-f]{12,64})\s.*\bk8s_`+aLabel+`_`+aName+`_`+aLabel+`_`+aUID+`_\d+`, "icpnu"),
	newForm("k8s_", `\bk8s_`+aLabel+`_`+aName+`_`+aLabel+`_`+aUID+`_\d+`, "cpnu"),
	// CRI-O server/container_create.go, container_start.go
	newForm("ontainer ", `\b[Cc]ontainer `+anID+`: `+aLabel+`/`+aName+`/`+aLabel+`(?:["\s]|$)`, "inpc"),
	newForm("description=", `\bcontainerID=`+anID+` description=`+aLabel+`/`+aName+`/`+aLabel, "inpc"),
	newForm("PodSandboxMetadata{", `PodSandboxMetadata\{Name:`+aName+`,Uid:`+aUID+`,Namespace:`+aLabel+`,`, "pun"),
	// arguments of network plugins (containernetworking, multus, Calico, Amazon's VPC plugin)
	newForm("K8S_POD_INFRA_CONTAINER_ID", `K8S_POD_NAMESPACE=`+aLabel+`;K8S_POD_NAME=`+aName+
		`;K8S_POD_INFRA_CONTAINER_ID=`+anID+
		`(?:;K8S_POD_UID=`+aUID+`)?`, "npsu"),
	newForm("WorkloadEndpoint", `\bContainerID="`+anID+`" Namespace="`+aLabel+`" Pod="`+aName+`"`, "snp"),
}

// keys are fields of lines that have one field for each name; those of one line are combined.
var keys = []form{
	newForm("", `(?i)\b(?:k8s_)?pod_?uid`+is+aUID, "u"),
	newForm("", `(?i)(?:\b|kubernetes\.)(?:k8s_)?pod_?name`+is+aName, "p"),
	newForm("", `(?i)(?:\b|kubernetes\.)(?:k8s_)?(?:pod_?)?namespace(?:_?name)?`+is+aLabel, "n"),
	newForm("", `(?i)\bcontainer_?name`+is+aLabel, "c"),
	newForm("", `(?i)\b(?:container_?id|docker_?id)`+is+`(?:[a-z-]+://)?`+anID, "i"),
}

// columns is a table row with the UID of a pod: what kubectl prints if the user asked for the UID, with or without its
// usual columns.
var columns = regexp.MustCompile(`^` + aLabel + `\s+` + aName + `\s+(?:\d+/\d+\s.*\s)?` + aUID + `\s*$`)

// ofOneSpace is such a row without the namespace.
var ofOneSpace = regexp.MustCompile(`^` + aName + `\s+` + aUID + `\s*$`)
