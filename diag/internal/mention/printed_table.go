package mention

import "regexp"

// The words of a program's own output (printed.go).
var (
	// complaint matches an error as a program without a logger prints it: who complains, of what, and the system's word
	// for it (errno), or a word for an error in front.
	complaint = regexp.MustCompile(`^(?:[\[(]?(?:line \d+|[\w./@-]+)[\])]?: ){1,4}.*(?i:\b(?:permission denied|operation not permitted|no such file or directory|` +
		`read-only file system|no space left on device|(?:command )?not found|exec format error|cannot allocate memory|connection refused|` +
		`is a directory|not a directory|device or resource busy|input/output error|invalid argument|address already in use|` +
		`cannot open shared object file|must be suid to work properly|(?:invalid|unrecognized|unknown|illegal) (?:option|argument|flag|command)\b.*|` +
		`is not set|is required|unbound variable|syntax error\b.*))\W*$|` +
		`^\W{0,3}(?:\S+ ){0,2}?(?:ERROR|FATAL|CRITICAL|Error|Fatal|FatalError|fatal|error|panic)(?: \S{1,24})?: \S|^\W{0,3}(?:ERROR|FATAL|Error|Fatal|error|fatal)(?: [\w'/.-]{1,24}){2,4}: \S|` +
		`^\W{0,3}(?:\[(?:error|fatal|crit|emerg|ERR|FTL)\]|ERR!|E!) |^npm (?:ERR!|error) |` +
		`(?:^|[\s|])(?:ERR|FTL|EMERG)[\s|:]|\blevel=(?:crit|critical)\b|(?:^|\s)[A-Z]\w+(?:Error|Exception)(?:$|: )`)
	// prefixes matches what shows logs of several containers in one: docker compose, stern, kubectl logs --prefix and
	// --timestamps.
	prefixes = regexp.MustCompile(`^(?:[\w./@-]+ +\| +|\[[\w./-]+\] |[\w.-]+ › (?:[\w.-]+ )?|[a-z][a-z0-9-]*-[a-z0-9]+ [a-z][a-z0-9-]* |` + aTime + `[ |]+)+`)
	// behindError matches what programs and their runtimes print behind the error that ends them.
	behindError = regexp.MustCompile(`^\s*(?:$|at \S|File "|\.\.\. \d+ more|goroutine \d|Caused by:|Node\.js v\d|[\s\^~}\])|]+$|created by |[\w./-]+\.\w+:\d+\b|` +
		`note: run with|stack backtrace|\d+: 0x|\d+: \S+::|\(?(?:[Ee]xit(?:ing|ed)?|[Aa]bort(?:ing|ed)|[Tt]erminat(?:ing|ed)|[Ss]hutting down|` +
		`[Gg]iving up|[Ss]topp(?:ing|ed)|[Gg]oodbye|[Qq]uitting)\b[^:]{0,60}$)`)
	// goesOn are words of an error with which a program lives on.
	goesOn = regexp.MustCompile(`(?i)\b(?:re-?try\w*|try(?:ing)? again|will try|re-?conn?e\w+|continu\w+|ignor\w+|skip\w*|recover\w*|caught|` +
		`fall(?:ing)? ?back|instead|warn\w*|deprecat\w*|backing off|next attempt|healthy|0 errors?|no errors?)\b`)
	// ofClient matches errors of programs that somebody typed, which no container runs: kubectl, helm, docker; and lines
	// of the kubelet and of what evicts pods, which speak of other things than their own end.
	ofClient = regexp.MustCompile(`^(?:Error from server|error: (?:the server|You must|no context|unable to (?:upgrade|forward|recognize)|` +
		`error (?:validating|when)|deployment "|timed out|there is no|current-context|resource mapping|name or)|The connection to the server|` +
		`Unable to connect to the server|Error: (?:INSTALLATION|UPGRADE|UNINSTALL|release|repo|chart|kubernetes cluster)|docker: |` +
		`Error response from daemon|Error: unable to get pod logs|error converting|error parsing|\[ERROR \w+\]|Error saving|FATA\[)|` +
		`\b(?:eviction_manager|kubelet\w*|kuberuntime_\w+|pod_workers|prober|file_linux|scale_down|evictions|updater)\.go:\d+\] |` +
		`[EF]\d{4} \d\d:\d\d:\d\d\.\d{6} +\d{3,} |^\W*[\w-]+\.service\b`)
	// neverEnded matches a row of a pod that runs and never restarted, notWell one that does not run.
	neverEnded = regexp.MustCompile(`\s[1-9]\d*/\d+\s+Running\s+0\s`)
	notWell    = regexp.MustCompile(`\s\d+/\d+\s+(?:[A-QS-Z]|R[a-tv-z])\S+\s+\d`)
	// set matches a line of settings.
	set = regexp.MustCompile(`^\s*(?:- )?["']?[\w./-]+["']?:(?:\s+\S.*)?$|^\s*- \S+$`)
)
