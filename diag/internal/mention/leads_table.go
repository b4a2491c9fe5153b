package mention

import "regexp"

// falls are the verbs with which people say that something ends by itself, or does not come up.
const falls = `crash(?:es|ed|ing)?|crash[ -]?loop\w*|die[sd]?|dying|dead|exit(?:s|ed|ing)|quit(?:s|` +
	`ting)|abort(?:s|ed|ing)|` +
	`(?:pods|containers|they|processes|jobs|replicas)\b[^.;,]{0,32} (?:exit|quit|abort|restart|reboot|` +
	`crash|terminate)|(?:in|into|to) (?:an? )?error(?:ed)? state|` +
	`terminat(?:es|ed|ing)|panics|panicked|bails? out|` +
	`goes down|went down|ends (?:up )?(?:in|with)|ended (?:up )?(?:in|with)|` +
	`(?:fail(?:s|ed|ing)?|unable|refuse[sd]?|not able) to (?:re)?(?:start|boot|run|launch|come up|initiali[sz]e)|` +
	`(?:does(?: not|n't)|do(?: not|n't)|did(?: not|n't)|won't|can ?not|can't|could(?: not|n't)|never|not) ` +
	`(?:re)?(?:start(?:s|ed|ing)?|boot|launch|comes? up|coming up|becomes? ready)|` +
	`(?:start(?:-?up)?|boot|launch)[^.;,]{0,24} (?:fail(?:s|ed|ing)?|error)|` +
	`init[ -]?containers?\b[^.;,]{0,40} (?:fail(?:s|ed|ing)?|errors?)|` +
	`(?:pods?|containers?|sidecars?|jobs?|deployments?)[*_` + "`" + `]* (?:always |still |now )?(?:fail(?:s|ed|ing)?|errors? out)`

// oomed matches the word that people make a verb of.
var oomed = regexp.MustCompile(`\bOOM(?:s|ed|ing|[ -]?[Kk]ill\w*)?\b`)

var fallen = regexp.MustCompile(`(?i)\b(?:` + falls + `)\b`)

const (
	// ofMemory is memory, ofSize an amount of it.
	ofMemory = `(?:memory|RAM|mem|RSS|working set)`
	ofSize   = `[1-9][\d.,]* ?(?:[KMG]i?B?|mega|giga)\b`
	// much are words of more memory than there is, short those of less than is needed.
	much = `leak\w*|grow\w*|grew|increas\w+|climb\w*|ris(?:es?|ing)|exhaust\w*|consum\w+|usage|spik\w+|hungry|` +
		`too much|high|huge|more|all|full|excess\w*|balloon\w*|explod\w+|blow\w*|bloat\w*|exceed\w*`
	// takes are verbs of who needs it, aLimit is the limit of it.
	// atLimit is what reaches it.
	atLimit = `(?:at|to|hits?|hit|reach\w*|over|above|beyond|exceed\w*|past) (?:its |the |their |our )?(?:` + ofSize +
		` )?(?:(?:memory )?limit|cap|ceiling|max(?:imum)?|threshold)\b`
	takes  = `(?:needs?|wants?|requires?|tak(?:es?|en|ing)|took|us(?:es?|ed|ing)|consum(?:es?|ed|ing))(?: up)?`
	aLimit = `(?:(?:memory|RAM|mem|OOM|resources?)[ -]limits?|limits? (?:of|on|for) (?:its |the )?(?:memory|RAM))`
	// elsewhere is what is not of the pod that ended.
	elsewhere = `\b(?:an)?other (?:\w+ )?(?:clusters?|namespaces?|pods?|containers?|machines?|services?|` +
		`hosts?|process\w*)\b|\bon (?:his|her) \w`
	short = `insufficient|(?:not|n't) (?:have |get )?enough|too (?:little|low|small|tight|strict|` +
		`restrictive)|lack\w*|little|no (?:free|more|available)|` +
		`run(?:s|ning)? out|ran out`
)

var (
	// enough matches words of memory that does not run out, and of a limit that was raised in vain.
	enough = regexp.MustCompile(`(?i)\bless ` + ofMemory + `\b|` + ofSize + ` (?:less|free|available|` +
		`is free|are free)\b|` + ofSize + ` of ` + ofSize + `|` +
		`\b(?:no|without)(?: \w+){0,2} limits?\b|\bplenty\b|\b(?:never|not|n't) (?:\w+ )?out of\b|` +
		ofMemory + `\b[^.;,]{0,16} (?:is|was|seems?|looks?) (?:\w+ )?(?:fine|ok|okay|low|normal|` +
		`not the (?:problem|issue|cause|reason))\b|` +
		`\b(?:rais|increas|bump|doubl|lift|gave|giving|add)\w*\b.*\bstill\b`)
	// strict matches words of a check that ends something, or of how it was mended.
	strict = regexp.MustCompile(`(?i)\b(?:fail(?:s|ed|ing|ures?)?|gives? up|gave up|tim(?:es?|ed|` +
		`ing)[ -]?outs?|timeouts?|restart\w*|kill\w*|` +
		`(?:increas|rais|bump|extend|relax)\w*|too \w+|long enough|longer|slow\w*|more time|before)\b`)
	// passing matches words of a probe that does not fail, or that there is none.
	passing = regexp.MustCompile(readiness.String() + `|(?i)\b(?:no|not|never|without|n't|remov\w+|` +
		`disabl\w+)\b[^.;,]{0,24}\b(?:probes?|liveness|checks?)\b|` +
		`\b(?:probes?|liveness|checks?)\b[^.;,]{0,24}\b(?:green|fine|ok|pass\w*|succe\w+|work\w*|never|` +
		`not (?:configured|set|used))\b|` + elsewhere)
)

// leads are the families, the surest first.
var leads = []word{
	{ // a signal that a fault raises ended it
		says: regexp.MustCompile(`(?i)\b(?:seg(?:mentation )?[ -]?faults?|segfault\w*|SIGSEGV|bus error|` +
			`illegal instruction|core dumped|dump(?:s|ed|ing) core|SIGABRT|SIGILL|SIGBUS)\b`),
		own: true, ended: endsCrash,
	},
	{ // an init container, before the others begin
		says: regexp.MustCompile(`(?i)\binit[ -]?(?:containers?|steps?|phase)\b[^.;,]{0,48}\b(?:` + falls + `|fail\w*|errors?)\b|` +
			`\b(?:fail\w*|crash\w*|errors?|stuck) (?:in|at|on|of|with|during|` +
			`by)(?: [\w-]+){0,2} init[ -]?containers?\b`),
		own: true, ended: "Error",
		but: regexp.MustCompile(`(?i)\b(?:exit\w*|code|status)\b[^.;]{0,12} 0\b|\bsucce\w+|` +
			`\bcompletes?\b|` + elsewhere),
	},
	{ // a task that is done
		says: regexp.MustCompile(`(?i)\b(?:exit(?:s|ed|ing)?(?:[ -](?:code|status|with|of|is|was|then|` +
			`itself)){0,3}[ :='"` + "`" + `]{1,3}(?:0|zero)\b|` +
			`(?:code|status) (?:is |of |was )?(?:0|zero)\b|exit(?:s|ed|ing)? (?:cleanly|successfully|normally|` +
			`gracefully)|return(?:s|ed)? 0\b|` +
			`without (?:an?|any) error(?:s|\b)|clean(?:ly)? exit(?:s|ed)?|` +
			`no (?:long[ -]?(?:running|lived)|foreground|blocking) (?:process|command|task)\w*)|` +
			`\b(?:[Ss]tate|[Ss]tatus|[Rr]eason|[Pp]hase|in|into|to|as|shows?|says?|` +
			`[Tt]erminated)\b[ :=("'*` + "`" + `]{1,4}Completed\b`),
		but: regexp.MustCompile(`(?i)` + elsewhere), ended: endsWith,
	},
	{ // the memory of a machine, of which the kernel frees some
		says: regexp.MustCompile(`(?i)\b(?:node|host|machine|server|VM|worker|` +
			`instance)s?\b[^.;]{0,40}\b(?:out of ` + ofMemory + `|no (?:free )?` + ofMemory +
			`|OOM\w*|` + ofMemory + ` (?:is |was )?(?:exhausted|full))|\bSystemOOM\b|` +
			`\ball (?:of )?(?:the )?` + ofMemory + ` (?:of|on) the (?:node|host|machine|server)`),
		but: enough, ended: "OOMKilled",
	},
	{ // the memory of a container
		says: regexp.MustCompile(`(?i)\b(?:out[ -]?of[ -]?memory|oom(?:[ -]?(?:ed|s|kill\w*|ing))?|` +
			ofMemory + `\b[^.;]{0,48}?\b(?:` + much + `|` + short + `)\b|` +
			`\b(?:` + much + `|` + short + `)\b[^.;]{0,32}?\b` + ofMemory + `\b|` +
			aLimit + `\b[^.;]{0,32}\b(?:hit|reach\w*|exceed\w*|` + short + `)|(?:hit|reach|exceed|surpass|` +
			`because|due|caus)\w*[^.;]{0,24}\b` + aLimit + `)`),
		but: regexp.MustCompile(ofHeap.String() + `|` + enough.String() + `|(?i)` +
			`, OOM(?:,| or)|(?: or |/)OOM\b|\bOOM(?: or |/)|\b(?:tmpfs|shm|mmap)\b|\b(?:nil|null|invalid|shared|` +
			`unaddressable)[ -](?:pointer|memory)|\bmemory (?:address|access)|` +
			`\bmore than \d+ (?:\w+ )?(?:pods|containers|services|replicas|jobs)\b`),
		ended: "OOMKilled",
	},
	{ // an amount of it
		says: regexp.MustCompile(`(?i)\b(?:` + takes + `\b[^.;,]{0,24} ` + ofSize + ` (?:of )?` + ofMemory + `\b|` +
			ofMemory + `\b[^.;,]{0,32}\b(?:` + takes + `|over|above|beyond|than)\b[^.;,]{0,16} ` + ofSize + `|` +
			takes + ` (?:more than|over|above) (?:(?:its|the|their) )?` + ofSize + `|` +
			ofMemory + `\b[^.;]{0,32}\b` + atLimit + `)`),
		but: regexp.MustCompile(ofHeap.String() + `|` + enough.String() + `|(?i)\b(?:disk|storage|file|image|` +
			`traffic|upload|download)s?\b`),
		ended: "OOMKilled",
	},
	{ // a controller without its lock (client-go tools/leaderelection)
		says: regexp.MustCompile(`(?i)\b(?:(?:lost|loses|losing|loss of)(?: \w+){0,2} (?:lease|leadership|` +
			`leader(?: ?election)?|lock)|(?:leader ?election|lease|leadership|leader lock)(?: \w+){0,2} lost|stopped leading|` +
			`(?:not|\w+n't|unable to|fail(?:s|ed|ing)? to) (?:renew|refresh|acquire|update|extend)(?: \w+){0,2} ` +
			`(?:lease|lock|leadership))\b`),
		ended: endsCrash,
	},
	{ // a probe of what begins slowly
		says: regexp.MustCompile(`(?i)\bstart-?up[ -]?probes?\b`),
		with: regexp.MustCompile(strict.String() + `|(?i)\bnot work\w*`), but: regexp.MustCompile(`(?i)\bliveness`),
		event: "Unhealthy", as: "Startup probe failed: as the text says",
	},
	{ // a probe that is not about being ready, and fails
		says: regexp.MustCompile(`(?i)\b(?:liveness|live)(?:[ -]?(?:probes?|checks?))?\b`),
		with: failing, but: passing,
		event: "Unhealthy", as: "Liveness probe failed: as the text says",
	},
	{ // the same without its name
		says: regexp.MustCompile(`(?i)(?:\b|/)(?:health[ -]?(?:checks?|probes?|endpoints?)|healthz|livez|probes?|initialDelaySeconds|` +
			`failureThreshold|periodSeconds)(?:[^.\w]|\.?$|\. )`),
		with: strict, but: passing,
		event: "Unhealthy", as: "Liveness probe failed: as the text says",
	},
	{ // what it says or does not find, or what it is told, after which it ends itself
		says: regexp.MustCompile(`(?i)\b(?:(?:` + falls + `)\b[^.;:]{0,24}(?:: \S| with ["'` + "`" + `(])|` +
			`error(?:ed)? state|fail(?:s|` +
			`ed) with\b|(?:crash\w*|panic\w*|abort\w*|quits?|exits?) (?:\w+ ){0,2}?(?:when|if|on|while|during|` +
			`because|due|as soon as|after|upon|since|each time|every time)\b|with (?:an? |the |this |these |` +
			`following |below |some )*(?:\w+ )?(?:errors?|exceptions?|message|panic|traceback|stack ?trace)\b|` +
			`(?:errors?|exceptions?|fatal|panic|message|logs?)\b(?: (?:says?|shows?|is|was|reads|contains?|ends?|` +
			`are))?(?: with)?:? ?["'` + "`" + `:]|` +
			`(?:unhandled|uncaught|n(?:il|ull)[ -]?(?:pointer|deref\w*)|exceptions?|traceback|stack ?trace|assert\w*)\b|` +
			`(?:because|since|as|when|if|while|until|after|due to|because of)\b[^.;]{0,60}\b(?:can ?not|can't|` +
			`could(?: not|n't)|unable|fail\w*|missing|invalid|wrong|denied|refused|unreachable|` +
			`unavailable|not (?:found|available|reachable|set|exist|allowed|ready|supported)|n't (?:exist|` +
			`allowed|reachable|available|ready|find|have)|empty|corrupt\w*|error)|` +
			`(?:permission denied|not found|no such file|already in use|connection refused|cannot|unable to|` +
			`No module|undefined|invalid|missing|corrupt\w*)\b|` +
			`(?:on|at|during|in|after|before|upon|when|immediately after|right after) (?:its |the |every |each |` +
			`initial |container |pod )?(?:start\w*|boot\w*|launch\w*|init\w*|begin\w*)\b)`),
		own: true, vague: true, ended: endsCrash,
	},
}
