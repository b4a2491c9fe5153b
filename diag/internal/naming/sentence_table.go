package naming

import "regexp"

const (
	// dashed is a name with a dash: no plain word has one.
	dashed = `([a-z][a-z0-9.]*-[a-z0-9.-]*[a-z0-9])`
	// either is such a name or one word.
	either = `([a-z][a-z0-9]*(?:[.-][a-z0-9]+)*)`
	// ofSystem is a namespace that cannot be anything else.
	ofSystem = `(kube-public|[a-z][a-z0-9-]*-system)`
	// marks are what people put around a name.
	marks = `["'“”*]?`
	// made are what has pods.
	made = `(?:pods?|daemon ?sets?|stateful ?sets?|replica ?sets?|deployments?)`
	// does are words after which a name is a whole one: the verb of its sentence.
	does = `(?:is|are|was|were|has|have|had|keeps?|kept|got|gets?|went|goes|restart\w*|crash\w*|die[sd]?|does|doesn't|` +
		`fail\w*|never|can't|cannot|could|won't|shows?|ends?|ended|exit\w*|enter\w*|stops?|stopped|starts?|comes?)`
)

// said is a form of a name in a sentence.
type said struct {
	form
	weak bool // the name counts only where the text has no other
}

// inSentences are the forms, which are applied to a line without marks of Markdown.
var inSentences = []said{
	{form: newForm(" pod|aemon|tateful|eplica", `(?i:\b(?:the|an?|our|my|its|both|all|one|two|three|each|every|any|of|these|those|`+
		`other|new|whose|which|and|\d+)|^\W*|[,;:(]) `+marks+dashed+marks+` `+
		`(?:pods?|daemon ?sets?|stateful ?sets?|replica ?sets?)\b`, "w")},
	{form: newForm(" pod", `^\W*`+marks+dashed+marks+` pods?\b`, "w")},
	{form: newForm(" pod|aemon|tateful|eplo",
		dashed+marks+` `+made+`,? (?:that (?:is|are|runs?) |which (?:is|are|runs?) |running )?`+
			`(?:in|of|from) (?:the |our |my )?`+marks+telling+marks+
			`(?: namespace| ns| project)?(?:$|[.,;:)]| `+does+`\b)`, "ws")},
	{form: newForm(" pod|aemon|tateful|eplo",
		dashed+marks+` `+made+`,? in `+marks+aLabel+marks+`(?:$|[.,;:)]| `+does+`\b)`, "ws")},
	{form: newForm(" in ", `(?:^|[.;:(] )(?i:[a-z ]{0,24}\b(?:use|run|running|using|have|deployed|installed) )?`+marks+either+marks+
		`,? (?:\(?v?\d+(?:\.[\w+-]+)+\)?,? )(?:(?:deployed |installed |running |runs )?in (?:the |our )?(?:namespace )?)`+marks+ofSystem+`\b`, "wn")},
	{form: newForm(" in ", `(?:^|[.;:(] )`+marks+dashed+marks+` in (?:the |our )?(?:namespace )?`+
		marks+ofSystem+`\b`, "wn")},
	{form: newForm(" in ", `(?:^|[.;:(] )`+marks+dashed+marks+`,? v?\d+(?:\.[\w+-]+)+,? in `+
		`(?:the |our )?(?:namespace )?`+marks+aLabel, "ws")},
	{form: newForm("-system)", either+marks+`,? (?:v?\d+(?:\.[\w+-]+)+ )?\((?:in |ns |namespace )?`+ofSystem+`\)`, "wn")},
	{form: newForm("'s |’s ", `(?:^|[\s(])`+marks+dashed+marks+`['’]s (?:own |only |main |new )?`+made+`\b`, "w")},
	{form: newForm("pods |pod |Pods |Pod ", `(?i:\bpods?) (?:of|for|from|behind) (?:the |our |my )?`+
		marks+dashed+marks, "w"), weak: true},
	{form: newForm(" deploy",
		`(?i:\b(?:the|an?|our|my|its|each|both)) `+marks+dashed+marks+` deployments?\b`, "w"), weak: true},
	{form: newForm(": |] ", `^(?:\W{0,4}|\W{0,4}[a-z]{2,9})[\[(]?`+dashed+`[\])]?!?:? (?i:(?:the |its |a |an |all |our )?(?:live(?:li)?ness|readiness|startup|`+
		`health|probes?|memory|mem|cpu|resources?|limits?|requests?|pods?|containers?|init|oom|crash|restart|keeps|kept|kill|evict|raise|increase|`+
		`bump|set|sets|lower|reduce|relax|extend|lengthen|give|add|adds|fix|fixes|tune|double|stop|fail|cannot|can't|does|doesn't|never|stuck)\w*)\b`, "w"),
		weak: true},
	{form: newForm("aise|ncrease|ump|elax|xtend|ix |ixe|une |djust|ouble|ive |ift ", `(?i:\b(?:raise|increase|bump|relax|extend|fix|fixe|tune|adjust|double|give|lift|lengthen)[sd]?)`+
		` (?:the |our )?`+marks+dashed+marks+`(?:['’]s)? (?i:memory|cpu|resources?|liveness|readiness|startup|probes?|limits?|health|a |more )`, "w"), weak: true},
	{form: newForm(" pod", `(?i:\b(?:the|our|my|an?)) `+marks+either+marks+` pods? (?:\w+ )?in (?:the |our )?`+
		marks+ofSystem+marks+`(?:$|[\s.,;:)])`, "wn")},
}

var (
	// compound matches adjectives of several words: "the log-writing pod", "a Redis-backed pod".
	compound = regexp.MustCompile(`-(?:\w{2,}ing|\w{2,}[^dfebsm]ed|based|related|only|free|wide|like|class|ready|facing|specific|prone|` +
		`time|term|scale|root|looped|critical|sized|heavy|hungry|intensive|aware|local|side|dependent|zero|up|note|cause|fix|around|do)$|^[a-z]+ly-`)
	// ordinary matches words before "pod" that are no names, by how English makes them.
	ordinary = regexp.MustCompile(`(?:ing|ed|ous|al|ive|ful|less|able|ible|est|ly|ary|ic|ish|thy|isy|ier|usy|ulty)$|^.{1,3}$|` +
		`^(?:worker|master|agent|client|test|demo|example|sample|user|backend|frontend|database|batch|build|driver|executor|` +
		`operator|controller|sandbox|pause|debug|mirror|control|data|storage|network|root|guest|consumer|producer|sender|` +
		`more|most|some|many|such|these|those|several|various|both|certain|wrong|right|long|short|tiny|small|large|heavy|big|` +
		`good|poor|rogue|stale|clean|fresh|bare|naked|next|late|later|early|older|newer|younger|busy|empty|infra|stuck|dead|` +
		`very|healthy|sick|idle|spare|extra|third|fourth|lost|problem|parent|child|hung|target|source|random|simple|single|own)$`)
	// place matches what is behind "in" and is no namespace.
	place = regexp.MustCompile(`(?:^|-)(?:file|eco|operating|sub|build|init|root)-?system$|cluster|region|zone|datacent|` +
		`^[a-z]{2}-[a-z]+-\d|^(?:crash|pending|terminating|charge|particular|fact|there|here|them|case|use|my|our|k8s|a|an|the|` +
		`which|practice|time|parallel|mode|order|state|status|loop|kind|prod|dev|staging|this|that|all|both|each|its|their)\b`)
)
