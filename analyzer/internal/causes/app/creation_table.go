package app

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
)

// refusal is a step before a container's start that failed.
type refusal struct {
	words string
	// advice comes before the command that shows more.
	advice string
	// image: words follow the image.
	image    bool
	messages []meaning
}

// meaning is what a message says in plain words. In words and advice, $1 is what the first group matched; NAMESPACE and
// NODE stand for the pod's.
type meaning struct {
	message       *regexp.Regexp
	words, advice string
	// whole: the words say what failed, too.
	whole bool
}

// read returns the first meaning that fits a message, with its names filled in.
func read(table []meaning, message string, f *finding.Findings) (meaning, bool) {
	names := strings.NewReplacer("NAMESPACE", f.R.Namespace, "nodeName=NODE", "nodeName="+causes.OnNode(f),
		"NODE", causes.Node(f))
	for _, m := range table {
		at := m.message.FindStringSubmatchIndex(message)
		if at == nil {
			continue
		}
		m.words = string(m.message.ExpandString(nil, names.Replace(m.words), message, at))
		m.advice = string(m.message.ExpandString(nil, names.Replace(m.advice), message, at))
		return m, true
	}
	return meaning{}, false
}

const findVolume = "find the volume's error"

const findError = "find the runtime's error"

// creation are the waiting reasons of containers that could not be created (kubelet kuberuntime_container.go; those of
// images are in images/types.go).
var creation = map[string]refusal{
	"CreateContainerConfigError": {messages: configs, advice: "find the missing object",
		words: "the kubelet could not build its configuration (is a Secret, ConfigMap or key missing?)"},
	"CreateContainerError": {words: "the runtime could not create it", advice: findError},
	"ContainerCreating": {words: "its sandbox, a volume, an object that it needs or its image does not come",
		advice: "find what it waits for"},
	"CreatePodSandboxError":    {words: "its sandbox could not be created", advice: findError, messages: sandboxes},
	"FailedCreatePodContainer": {words: "its cgroup could not be created", advice: findError},
	"FailedMount":              {words: "a volume could not be mounted", advice: findVolume, messages: volumes},
	"FailedAttachVolume":       {words: "a volume could not be attached", advice: findVolume, messages: volumes},
	"PreCreateHookError":       {words: "a step before its creation failed", advice: findError},
	"PreStartHookError":        {words: "a step before its start failed", advice: findError},
	"VerifyNonRootError": {words: "its image runs as root, but its securityContext forbids that",
		advice: "set runAsUser, or build the image with a USER that is not root"},
	"Blocked":          {words: "the node does not allow it to run", advice: findError},
	"ErrImagePull":     {words: " could not be pulled", advice: checkImage, image: true, messages: pulls},
	"ImagePullBackOff": {words: " could not be pulled", advice: checkImage, image: true, messages: pulls},
	"ErrImageNeverPull": {words: " is not on the node, and its pull policy is Never", image: true,
		advice: "load the image onto the node, or change imagePullPolicy"},
	"InvalidImageName":    {words: " has a name that is not valid", image: true, advice: "correct the image's name"},
	"ImageInspectError":   {words: " could not be inspected by the runtime", image: true, advice: findError},
	"RegistryUnavailable": {words: " could not be pulled: the registry did not answer", image: true, advice: checkImage},
}

const checkImage = "check the image's name and tag, imagePullSecrets and whether the registry answers"

// pulls are the answers of registries and of the ways to them, as containerd, CRI-O and Docker report them. A registry
// that lets nobody see what it has denies access to what it does not have.
var pulls = []meaning{
	{message: regexp.MustCompile(`(?i)toomanyrequests|too many requests|rate limit`),
		words:  "the registry limits how often it may be pulled (too many requests)",
		advice: "log in to the registry (imagePullSecrets in namespace NAMESPACE), use a mirror, or wait"},
	{message: regexp.MustCompile(`(?i)unauthorized|authentication required|no basic auth|forbidden|access denied|` +
		`insufficient_scope`),
		words: "the registry denied access: the credentials are missing or wrong, or it has no such repository",
		advice: "check the image's name, and that imagePullSecrets names credentials for its registry " +
			"(namespace NAMESPACE)"},
	{message: regexp.MustCompile(`(?i)no matching manifest|no match for platform`),
		words:  "the registry has it, but not for the architecture of the node",
		advice: "build it for the node's architecture, or choose other nodes (nodeSelector kubernetes.io/arch)"},
	{message: regexp.MustCompile(`(?i)not found|manifest unknown|name unknown|code = NotFound`),
		words:  "the registry has no such image or tag (not found)",
		advice: "correct the image's name or tag, or push it"},
	{message: regexp.MustCompile(`(?i)x509|certificate`),
		words:  "the node does not trust the registry's certificate",
		advice: "add the registry's CA to the configuration of the container runtime on NODE"},
	{message: regexp.MustCompile(`(?i)no space left`), words: "no space is left on the node's disk",
		advice: "free disk space on NODE"},
	{message: regexp.MustCompile(`(?i)no such host|server misbehaving|name resolution|i/o timeout|timed? ?out|` +
		`connection re(?:fused|set)|no route to host|network is unreachable|deadline exceeded`),
		words:  "the node could not reach the registry",
		advice: "check DNS, proxy and firewall between NODE and the registry, and whether the registry is up"},
}

// configs are the messages of what a container's configuration lacks (kubelet kubelet_pods.go
// makeEnvironmentVariables, kuberuntime/security_context.go).
var configs = []meaning{
	{message: regexp.MustCompile(`(?i)\bsecret "?([\w.-]+)"? not found`), whole: true,
		words:  "Secret $1 does not exist in namespace NAMESPACE",
		advice: "create Secret $1 in namespace NAMESPACE, or correct its name in the pod"},
	{message: regexp.MustCompile(`(?i)\bconfigmap "?([\w.-]+)"? not found`), whole: true,
		words:  "ConfigMap $1 does not exist in namespace NAMESPACE",
		advice: "create ConfigMap $1 in namespace NAMESPACE, or correct its name in the pod"},
	{message: regexp.MustCompile(`couldn't find key (\S+) in (Secret|ConfigMap) ([\w-]+)/([\w.-]+)`), whole: true,
		words:  "$2 $4 in namespace $3 has no key $1",
		advice: "add key $1 to $2 $4 in namespace $3, or correct it in the pod"},
	{message: regexp.MustCompile(`runAsNonRoot and image (?:will run as root|has non-numeric user)`), whole: true,
		words:  "its image runs as root, or as a user without a number, but its securityContext has runAsNonRoot",
		advice: "set runAsUser to a number, or build the image with a numeric USER that is not root"},
}

// sandboxes are the messages of network plugins (containerd and CRI-O pass on those of libcni) and of the sandbox's own
// image.
var sandboxes = []meaning{
	{message: regexp.MustCompile(`plugin type="([\w.-]+)" (?:name="[^"]*" )?failed \((?:add|ADD)\): (.*)`),
		words:  "network plugin $1 failed: $2",
		advice: "check network plugin $1 on NODE: kubectl get pods -A -o wide --field-selector spec.nodeName=NODE"},
	{message: regexp.MustCompile(`failed to find plugin "([\w.-]+)" in path`),
		words:  "network plugin $1 is not installed on the node",
		advice: "install network plugin $1 on NODE (/opt/cni/bin); usually a DaemonSet does: kubectl get daemonsets -A"},
	{message: regexp.MustCompile(`(?i)cni plugin not initialized|network plugin is not ready|no networks found in`),
		words: "the node has no working network plugin",
		advice: "check whether the network plugin's pod runs on NODE: kubectl get pods -A -o wide " +
			"--field-selector spec.nodeName=NODE"},
	{message: regexp.MustCompile(`(?i)(?:get|pull) sandbox image "?([^" ]+)"?`),
		words:  "the image for sandboxes, $1, could not be pulled",
		advice: "check that NODE can pull $1, or set another sandbox image in the runtime's configuration"},
}

// starts are the messages of runc about a process that could not be started.
var starts = []meaning{
	{message: regexp.MustCompile(`OOM-killed|memory limit too low`),
		advice: "raise resources.limits.memory: the process did not fit into it even while it was started"},
}

// volumes are the messages of the volume manager, the attach-detach controller and what both call.
var volumes = append([]meaning{
	{message: regexp.MustCompile(`(?i)multi-attach error|already exclusively attached|already used by pod`),
		words: "it is still attached to another node",
		advice: "a node that is gone keeps it until its pods are deleted; see which node still has it: " +
			"kubectl get volumeattachments"},
	{message: regexp.MustCompile(`driver name ([\w.-]+) not found in the list of registered CSI drivers`),
		words:  "CSI driver $1 is not registered on the node",
		advice: "check the driver's pod on NODE: kubectl get pods -A -o wide --field-selector spec.nodeName=NODE"},
	{message: regexp.MustCompile(`(?i)permission denied|access denied`), words: "access was denied",
		advice: "check the volume's rights and what the storage lets this node do"},
}, configs[:2]...)
