package app

import (
	"regexp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
)

// refusal is a step before a container's start that failed.
type refusal struct {
	words string
	// advice comes before the command that shows more.
	advice string
	// image: words follow the image.
	image    bool
	messages []causes.KnownMessage
}

const findVolume = "find the volume's error"

const findError = "find the runtime's error"

// creation are the waiting reasons of containers that could not be created (kubelet kuberuntime_container.go; those of
// images are in images/types.go).
var creation = map[string]refusal{
	"CreateContainerConfigError": {messages: configs, advice: "find the missing object",
		words: "the kubelet could not build its configuration (is a Secret, ConfigMap or key missing?)"},
	"CreateContainerError": {messages: starts, words: "the runtime could not create it", advice: findError},
	"ContainerCreating": {words: "its sandbox, a volume, an object that it needs or its image does not come",
		advice: "find what it waits for"},
	"CreatePodSandboxError": {words: "its sandbox could not be created", advice: findError,
		messages: append(sandboxes, starts...)},
	"FailedCreatePodContainer": {words: "its cgroup could not be created", advice: findError, messages: starts},
	"FailedMount":              {words: "a volume could not be mounted", advice: findVolume, messages: volumes},
	"FailedAttachVolume":       {words: "a volume could not be attached", advice: findVolume, messages: volumes},
	"NetworkNotReady": {words: "the runtime of its node has no network yet",
		advice: "find why the network plugin of NODE does not run"},
	"PreCreateHookError": {words: "a step before its creation failed", advice: findError},
	"PreStartHookError":  {words: "a step before its start failed", advice: findError},
	"VerifyNonRootError": {words: "its image runs as root, but its securityContext forbids that",
		advice: "set runAsUser, or build the image with a USER that is not root"},
	"Blocked":          {words: "the node does not allow it to run", advice: findError},
	"ErrImagePull":     {words: " could not be pulled", advice: checkImage, image: true, messages: pulls},
	"ImagePullBackOff": {words: " could not be pulled", advice: checkImage, image: true, messages: pulls},
	"ErrImageNeverPull": {words: " is not on the node, and its pull policy is Never", image: true,
		advice: "load the image onto the node, or change imagePullPolicy"},
	"InvalidImageName":  {words: " has a name that is not valid", image: true, advice: "correct the image's name"},
	"ImageInspectError": {words: " could not be inspected by the runtime", image: true, advice: findError},
	"SignatureValidationFailed": {words: " has no signature that the node's policy accepts", image: true,
		advice: "sign the image, or correct the runtime's signature policy"},
	"RegistryUnavailable": {words: " could not be pulled: the registry did not answer", image: true, advice: checkImage},
}

const checkImage = "check the image's name and tag, imagePullSecrets and whether the registry answers"

// pulls are the answers of registries and of the ways to them, as containerd, CRI-O and Docker report them. A registry
// that lets nobody see what it has denies access to what it does not have.
var pulls = []causes.KnownMessage{
	{Prose: true, Message: regexp.MustCompile(`(?i)proxyconnect`),
		Words:  "the node could not reach the registry through its proxy",
		Advice: "check the proxy of the container runtime on NODE (HTTPS_PROXY), and whether it lets the registry through"},
	{Prose: true, Message: regexp.MustCompile(`(?i)toomanyrequests|too many requests|rate limit`),
		Words:  "the registry limits how often it may be pulled (too many requests)",
		Advice: "log in to the registry (imagePullSecrets in namespace NAMESPACE), use a mirror, or wait"},
	{Prose: true, Message: regexp.MustCompile(`(?i)unauthorized|authentication required|no basic auth|forbidden|access denied|` +
		`insufficient_scope`),
		Words: "the registry denied access: the credentials are missing or wrong, or it has no such repository",
		Advice: "check the image's name, and that imagePullSecrets names credentials for its registry " +
			"(namespace NAMESPACE)"},
	{Prose: true, Message: regexp.MustCompile(`(?i)no matching manifest|no match for platform`),
		Words:  "the registry has it, but not for the architecture of the node",
		Advice: "build it for the node's architecture, or choose other nodes (nodeSelector kubernetes.io/arch)"},
	{Prose: true, Message: regexp.MustCompile(`(?i)not found|manifest unknown|name unknown|code = NotFound`),
		Words:  "the registry has no such image or tag (not found)",
		Advice: "correct the image's name or tag, or push it"},
	{Prose: true, Message: regexp.MustCompile(`(?i)x509|certificate`),
		Words:  "the node does not trust the registry's certificate",
		Advice: "add the registry's CA to the configuration of the container runtime on NODE"},
	{Prose: true, Message: regexp.MustCompile(`(?i)no space left`), Words: "no space is left on the node's disk",
		Advice: "free disk space on NODE"},
	{Prose: true, Message: regexp.MustCompile(`(?i)no such host|server misbehaving|name resolution|timed? ?out|` +
		`connection re(?:fused|set)|no route to host|network is unreachable|deadline exceeded`),
		Words:  "the node could not reach the registry",
		Advice: "check DNS, proxy and firewall between NODE and the registry, and whether the registry is up"},
}

// configs are the messages of what a container's configuration lacks (kubelet kubelet_pods.go
// makeEnvironmentVariables, kuberuntime/security_context.go).
var configs = []causes.KnownMessage{
	{Message: regexp.MustCompile(`(?i)\bsecrets? "?([\w.-]+)"? not found`), Whole: true,
		Words:  "Secret $1 does not exist in namespace NAMESPACE",
		Advice: "create Secret $1 in namespace NAMESPACE, or correct its name in the pod"},
	{Message: regexp.MustCompile(`(?i)\bconfigmaps? "?([\w.-]+)"? not found`), Whole: true,
		Words:  "ConfigMap $1 does not exist in namespace NAMESPACE",
		Advice: "create ConfigMap $1 in namespace NAMESPACE, or correct its name in the pod"},
	{Message: regexp.MustCompile(`[Cc]ouldn't find key (\S+) in (Secret|ConfigMap) ([\w-]+)/([\w.-]+)`), Whole: true,
		Words:  "$2 $4 in namespace $3 has no key $1",
		Advice: "add key $1 to $2 $4 in namespace $3, or correct it in the pod"},
	{Message: regexp.MustCompile(`runAsNonRoot and image (?:will run as root|has non-numeric user)`), Whole: true,
		Words:  "its image runs as root, or as a user without a number, but its securityContext has runAsNonRoot",
		Advice: "set runAsUser to a number, or build the image with a numeric USER that is not root"},
}

// sandboxes are the messages of network plugins (containerd and CRI-O pass on those of libcni) and of the sandbox's own
// image.
var sandboxes = []causes.KnownMessage{
	{Message: regexp.MustCompile(`plugin type="([\w.-]+)" (?:name="[^"]*" )?failed \((?:add|ADD)\): (.*)`),
		Words:  "network plugin $1 failed: $2",
		Advice: "check network plugin $1 on NODE: kubectl get pods -A -o wide --field-selector spec.nodeName=NODE"},
	{Message: regexp.MustCompile(`failed to find plugin "([\w.-]+)" in path`),
		Words:  "network plugin $1 is not installed on the node",
		Advice: "install network plugin $1 on NODE (/opt/cni/bin); usually a DaemonSet does: kubectl get daemonsets -A"},
	{Message: regexp.MustCompile(`(?i)cni plugin not initialized|network plugin is not ready|no networks found in`),
		Words: "the node has no working network plugin",
		Advice: "check whether the network plugin's pod runs on NODE: kubectl get pods -A -o wide " +
			"--field-selector spec.nodeName=NODE"},
	{Message: regexp.MustCompile(`(?i)(?:get|pull) sandbox image "?([^" ]+)"?`),
		Words:  "the image for sandboxes, $1, could not be pulled",
		Advice: "check that NODE can pull $1, or set another sandbox image in the runtime's configuration"},
}

// volumes are the messages of the volume manager, the attach-detach controller and what both call.
var volumes = append([]causes.KnownMessage{
	{Message: regexp.MustCompile(`(?i)multi-attach error|already exclusively attached|already used by pod`),
		Words: "it is still attached to another node",
		Advice: "a node that is gone keeps it until its pods are deleted; see which node still has it: " +
			"kubectl get volumeattachments"},
	{Message: regexp.MustCompile(`driver name ([\w.-]+) not found in the list of registered CSI drivers`),
		Words:  "CSI driver $1 is not registered on the node",
		Advice: "check the driver's pod on NODE: kubectl get pods -A -o wide --field-selector spec.nodeName=NODE"},
	{Message: regexp.MustCompile(`(?i)permission denied|access denied`), Words: "access was denied",
		Advice: "check the volume's rights and what the storage lets this node do"},
}, configs[:2]...)
