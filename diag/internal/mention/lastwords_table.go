package mention

import "regexp"

// ofUnit matches a journal's lines from a program of the node: its last message is not a container's.
var ofUnit = regexp.MustCompile(`^\S{3,8} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)? \S+ [\w.@-]+: |(?:^|\s)[\w.@-]+\[\d+\]: `)

// ofDaemon matches what is said of a process of the machine's own, which is in no container.
var ofDaemon = regexp.MustCompile(`(?i)\b(?:systemd(?:-[a-z]+)?|containerd(?:-shim[\w-]*)?|dockerd|crio|conmon|kubelet|k3s|rke2|udevd|sshd|snapd|` +
	`cupsd|fwupd|firefox|chrom(?:e|ium)|gnome-[\w-]+|Xorg)` +
	`(?:\[\d+\]: (?:segfault|unhandled|undefined|worker |traps)|\[\d+\] (?:general|trap)|\) of user |" exe="|` +
	`\.service: (?:Killing process|A process of this unit|State '))|\bfrom PID 1 \(systemd\)`)

// inside matches an event of docker or podman about a container that runs on: a command beside its process, a health
// check. exit matches containerd's event of a process's exit: one beside the container's own has an id of its own.
var (
	inside = regexp.MustCompile(`\bcontainer (?:exec_[a-z]+|health_status)(?:: [^(]*)? [0-9a-f]{12,64} \(`)
	exit   = regexp.MustCompile(`(?i)\bcontainer_?id["\\]*:["\\ ]*([\w.-]+)["\\ ]*,?["\\ ]*id["\\]*:["\\ ]*([\w.-]+)`)
)

// runsInside reports whether a line is about something in a container that runs on.
func runsInside(line string) bool {
	m := exit.FindStringSubmatch(line)
	return m != nil && m[1] != m[2] || inside.MatchString(line)
}

// fatals are log levels at which a logger ends its process.
var fatals = regexp.MustCompile(`\blevel=(?:fatal|panic)\b|"level":"(?:fatal|panic)"|\tFATAL\t|\[(?:emerg|FATAL)\] `)

// caught matches messages of a program that continues.
var caught = regexp.MustCompile(`(?i)\b(?:recover(?:ed|ing)? (?:from|a)|caught|ignor(?:ed|ing)|retry(?:ing)?)\b`)

// lastWords are the last messages of a process that ends itself, after whatever a tool adds before a log line: they are
// about the container whose log they are in.
var lastWords = []word{
	{
		any:  []string{"] "},
		says: regexp.MustCompile(`(F\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ [\w./-]+\.go:\d+\] .*)`), ended: endsCrash,
		ofProcess: true,
	},
	{ // Go, Rust, Java, .NET, C++, Node.js
		any: []string{"panic: ", "fatal error: ", "' panicked at", "thread \"main\"", "Terminating due to java",
			"Java Runtime", "Unhandled exception. ", "terminate called ", "heap out of memory", "throw er; "},
		says: regexp.MustCompile(`((?:^|[\s|\]])(?:panic|fatal error): .+|Observed a panic: .+|\bthread '[^']+' panicked at |` +
			`Exception in thread "main"|Terminating due to java\.lang\.OutOfMemoryError|` +
			`insufficient memory for the Java Runtime|` +
			`Unhandled exception\. \w+(?:\.\w+)+|terminate called (?:after throwing|without an active)|` +
			`JavaScript heap out of memory|^\W*throw er; // Unhandled 'error' event)`),
		ended: endsCrash, but: caught, ofProcess: true,
	},
	{ // a Java machine writes its report and aborts
		any:   []string{"detected by the Java Runtime"},
		says:  regexp.MustCompile(`(A fatal error has been detected by the Java Runtime)`),
		ended: endsWith + "134", ofProcess: true,
	},
	{ // runc init: the file is not one that this machine can execute
		any: []string{"exec "},
		says: regexp.MustCompile(`(\bexec format error\b|exec user process caused\b.{0,4} ?\S.*|(?:^|[\s|\]])exec /\S+: ` +
			`(?:exec format error|no such file or directory|permission denied|operation not permitted))`),
		ended: endsCrash, ofProcess: true,
	},
	{ // interpreters and runtimes that cannot begin: Python, Node.js, Ruby, Java, .NET, Perl, PHP; flags of Go
		any: []string{"ModuleNotFoundError: ", "ImportError: ", ": No module named ", ": can't open file '",
			"Cannot find module '", "(LoadError)", "load main class ", "access jarfile ", "initialization of VM",
			" in @INC", "PHP Fatal error: ", "FAILED TO START", "to execute does not exist: ", "not defined: -",
			"unknown flag: "},
		says: regexp.MustCompile(`((?:^|[\s|\]])(?:ModuleNotFoundError|ImportError): \S.*|` +
			`\bpython[\d.]*: (?:No module named|can't open file) .*|Error: Cannot find module '.*|\(LoadError\)|` +
			`Error: (?:Could not find or load main class|Unable to access jarfile) .*|` +
			`Error occurred during initialization of VM|` +
			`Can't locate \S+ in @INC.*|PHP Fatal error: .*|^\W*APPLICATION FAILED TO START\W*$|` +
			`The application to execute does not exist: .*|flag provided but not defined: -.*|\bunknown flag: --.*)`),
		ended: endsCrash, but: caught, ofProcess: true,
	},
	{ // servers that give up: Elasticsearch, MySQL, PostgreSQL's first process, CoreDNS; a script that cannot go on
		any: []string{"bootstrap checks failed", "max virtual memory areas", "] Aborting", " [1] FATAL: ", "[FATAL] plugin/",
			": exec: ", "mkdir: ", "chown: ", "exiting because of error: ", "CRITICAL"},
		says: regexp.MustCompile(`(bootstrap checks failed|max virtual memory areas vm\.max_map_count \[\d+\] .*|` +
			`\[(?:Server|ERROR)\] Aborting|UTC \[1\] FATAL: .*|(?:^|\s)\[FATAL\] plugin/.*|` +
			`\blog: exiting because of error: .*|^\W*CRITICAL\b.*\b(?:has failed|cannot|could not|unable to)\b.*|` +
			`line \d+: exec: \S+ (?:not found|cannot execute.*)|` +
			`^\W*(?:mkdir|chown): (?:cannot|can't|changing) .*: ` +
			`(?:Permission denied|Operation not permitted|Read-only file system))`),
		ended: endsCrash, but: caught, ofProcess: true,
	},
	{ // loggers whose word for it ends the process, which may be a program of the node: logrus, zap, zerolog; nginx
		any: []string{"level=fatal ", "\tFATAL\t", "\"level\":\"fatal\"", "\"level\":\"panic\"", "[emerg] ", "[FATAL] "},
		says: regexp.MustCompile(`((?:^|[\s|\]])(?:level=fatal msg=|\tFATAL\t|(?:nginx: )?\[emerg\] ).*|"level":"(?:fatal|panic)".*|` +
			`^(?:\S+ )?(?:\[?[\d/:.TZ-]+\]? ){0,2}\[FATAL\] .*)`),
		ended: endsCrash, but: caught, ofProcess: true, beside: true,
	},
	{ // a server without its port does not go on
		any:  []string{"ddress already in use", "EADDRINUSE"},
		says: regexp.MustCompile(`(listen \S+ \S+: bind: address already in use|EADDRINUSE\b.*)`), ended: endsCrash,
		but: caught, ofProcess: true,
	},
	{ // client-go tools/leaderelection, and what controllers and the control plane say before they end for it
		any:  []string{"election lost", "eaderelection lost", "leader lease lost"},
		says: regexp.MustCompile(`((?:leader ?election|leader lease) lost)`), ended: endsCrash, ofProcess: true,
	},
	{ // the same on the way there: many go on after it
		any:   []string{"resource lock ", "ailed to renew lease ", "topped leading"},
		says:  regexp.MustCompile(`(error retrieving resource lock |[Ff]ailed to renew lease |[Ss]topped leading)`),
		ended: endsCrash, beside: true,
	},
	{
		any:   []string{"egmentation fault", "core dumped", "SIG"},
		says:  regexp.MustCompile(`\b(Segmentation fault|core dumped|SIG(?:SEGV|ABRT|FPE|BUS|ILL|SYS))\b`),
		ended: endsCrash,
	},
	{ // what a shell says of a program that a signal ended, and Ceph's own handler of one
		any: []string{"llegal instruction", "Bus error", "loating point exception", "Aborted", "Caught signal (",
			"ceph_abort_msg("},
		says: regexp.MustCompile(`(: line \d+:\s+\d+ (?:Illegal instruction|Bus error|Floating point exception|Aborted)\b.*|` +
			`^\W*(?:Illegal instruction|Bus error|Floating point exception|Aborted)(?: \(core dumped\))?$|` +
			`\*\*\* Caught signal \([A-Z][a-z ]+\) \*\*|: \d+: ceph_abort_msg\(.*)`),
		ended: endsCrash, ofProcess: true,
	},
	{ // servers that cannot go on: Redis, Kafka, PostgreSQL, Cassandra, MongoDB
		any: []string{" # ", "Fatal error during ", "due to startup process failure", "encountered during startup",
			"after fassert() failure"},
		says: regexp.MustCompile(`(\b\d+:[CMS] \d\d [A-Z][a-z]{2} .* # (?:Can't |Fatal |Bad |Short read|Unexpected |Failed |FATAL).*|` +
			`\bFatal error during \w+ startup\b.*|aborting startup due to startup process failure|` +
			`\bException encountered during startup\b|\baborting after fassert\(\) failure)`),
		ended: endsCrash, but: caught, ofProcess: true,
	},
	{ // servers that were told to end, by a signal: etcd, Cilium, controllers, nginx, JVMs
		any: []string{"ignal", "SIGTERM"},
		says: regexp.MustCompile(`((?i)\b(?:received|got|caught) (?:(?:the |a )?signal:? ?)?["']?(?:SIGTERM|SIGINT|terminated signal|` +
			`interrupt signal)\b.*|(?i)\breceived signal; shutting down\b.*|(?i)\bsignal received\b.*\bterminated\b)`),
		ended: endsBare, ofProcess: true,
	},
	{ // databases that were told to end
		any: []string{"shutdown request", "is shut down", "mysqld: ", "mariadbd: ", "dbexit: "},
		says: regexp.MustCompile(`(\breceived (?:fast|smart|immediate) shutdown request|\bdatabase system is shut down|` +
			`\b(?:mysqld|mariadbd): (?:Normal shutdown|Shutdown complete)|\bdbexit: )`),
		ended: endsBare, ofProcess: true,
	},
	{ // a parent that survives its child: nginx, uwsgi, gunicorn, PostgreSQL, supervisord, fluentd, os/exec
		any: []string{" by signal ", " with signal ", " on signal ", "was sent SIG", "killed by SIG", "signal: killed",
			" got signal ", "was sent code ", " to signal ", "by signal: "},
		says: regexp.MustCompile(`((?i:worker|process|child|program|task)\b.{0,60}\b(?i:(?:exited|died|finished|killed|terminated|ended)\b.{0,24}` +
			`\b(?:by|with|on|due to)) signal:? (?:9|11|6|SIG[A-Z]+|Killed)\b|was sent (?:SIG[A-Z]+|code \d+)!|killed by SIG[A-Z]+|` +
			`(?:: |=\\?"|'|^)signal: killed\b|(?i:worker|process|child) \d+ got signal (?:9|11|6)\b)`),
		ended: endsBare, but: caught, beside: true,
	},
}
