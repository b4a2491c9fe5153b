package app

import (
	"regexp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
)

// lastWords are what programs say when they give up, in the words of their runtimes and of the system's errors. They
// change what to look at first, and no verdict: the words are the program's own. A row needs words that are about the
// error itself; a number, or a name that a message may have for another reason, is not enough.
var lastWords = []causes.KnownMessage{
	{Message: regexp.MustCompile(`(?i)leader ?election lost|lost master|failed to renew lease|leaderelection lost`),
		Advice: "it gives up when it cannot renew its lease: look for a slow or unreachable API server, or etcd, at that " +
			"time"},
	{Message: regexp.MustCompile(`(?i)JavaScript heap out of memory|near heap limit`),
		Advice: "raise --max-old-space-size (NODE_OPTIONS) together with the memory limit, or look for a leak"},
	{Message: regexp.MustCompile(`java\.lang\.OutOfMemoryError: (?:Java heap|GC overhead)`),
		Advice: "raise -Xmx or -XX:MaxRAMPercentage together with the memory limit; a heap dump shows what fills it"},
	{Message: regexp.MustCompile(`java\.lang\.OutOfMemoryError: Metaspace`),
		Advice: "raise -XX:MaxMetaspaceSize together with the memory limit, or look for classes that are loaded again and " +
			"again"},
	{Message: regexp.MustCompile(`(?i)pthread_create|newosproc|` +
		`(?:unable|failed|can't|cannot|could not) (?:to )?(?:create|start|spawn)\b.{0,20}\bthread|` +
		`\b(?:fork|clone)\b.{0,30}resource temporarily unavailable`),
		Advice: "it could not make a thread: check podPidsLimit and the number of processes on NODE; a runtime that is " +
			"older than the image's C library may refuse it, too (clone3)"},
	{Message: regexp.MustCompile(`(?i)\block\b.*resource temporarily unavailable|` +
		`could not (?:get|obtain|acquire) (?:\w+ )?lock`),
		Advice: "another process holds the lock of its data: look for an older pod, or another replica, on the same volume"},
	{Message: regexp.MustCompile(`inotify_add_watch|max_user_watches`),
		Advice: "raise fs.inotify.max_user_watches on NODE"},
	{Message: regexp.MustCompile(`(?i)too many open files`),
		Advice: "raise fs.inotify.max_user_instances on NODE if it watches files, or the runtime's LimitNOFILE"},
	{Message: regexp.MustCompile(`(?i)address already in use|EADDRINUSE`),
		Advice: "another process has its port: another container of the pod, or with hostNetwork one on NODE"},
	{Message: regexp.MustCompile(`(?i)exec format error`),
		Advice: "give a script its first line, or build the image for the node's architecture: kubectl get node/NODE -o " +
			"jsonpath='{.status.nodeInfo.architecture}'"},
	{Message: regexp.MustCompile(`[Ii]llegal instruction|x86-64-v[234]|(?:not support|requires) (?:AVX|SSE4)`),
		Advice: "the image needs a processor that NODE does not have: choose another image or other nodes"},
	{Message: regexp.MustCompile(`(?i)no space left on device|disk quota exceeded`),
		Advice: "see which of its volumes is full, and free or enlarge it"},
	{Message: regexp.MustCompile(`(?i)permission denied (?:for|to) |\(publickey|authentication failed|` +
		`access denied for user|\b401 unauthorized|status(?: code)?[:=]? ?401\b`),
		Advice: "check the credentials that it was given, and what they may do there"},
	{Message: regexp.MustCompile(`(?i)permission denied|operation not permitted|read-only file system|\bEACCES\b`),
		Advice: "compare the user that it runs as (runAsUser, fsGroup), readOnlyRootFilesystem and its capabilities with " +
			"what it wants to write or do"},
	{Message: regexp.MustCompile(`(?i)no such host|name resolution|could not resolve host\b|getaddrinfo|\bENOTFOUND\b`),
		Advice: "a name could not be resolved: check the name, and DNS in the cluster"},
	{Message: regexp.MustCompile(`(?i)x509: |certificate (?:has expired|verify failed|signed by unknown)`),
		Advice: "a certificate has expired or is not trusted: see whose it is in the container's log"},
	{Message: regexp.MustCompile(`(?i)connection (?:refused|timed out)|ECONNREFUSED|i/o timeout|could not connect`),
		Advice: "what it connects to did not answer: check that first, with its Service, endpoints and network policies"},
	{Message: regexp.MustCompile(`(?i)(?:unknown|unrecognized) (?:flag|option|argument)|flag provided but not defined`),
		Advice: "its arguments do not fit this version of the program: compare args in the pod with the image's version"},
	{Message: regexp.MustCompile(`nil pointer|index out of range|slice bounds|concurrent map|NullPointerException`),
		Advice: "this is a fault in the program: look for it, or report it, with the first lines of its stack trace"},
}
