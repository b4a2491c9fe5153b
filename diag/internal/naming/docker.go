package naming

import (
	"regexp"
	"slices"
	"strings"
)

// This file finds the names that Docker, Podman and Compose give: they allow underscores and capital letters, and no
// pod is around such a container.

// ofDocker is such a name (github.com/moby/moby daemon/names).
const ofDocker = `([a-zA-Z0-9][a-zA-Z0-9_.-]+)`

var (
	// inDocker are lines about a container's end that begin or end with its name: what Compose logs, rows of docker ps
	// and of its own ps.
	inDocker = []form{
		newForm(" exited with code ", `^`+ofDocker+` exited with code -?\d+(?: \(restarting\))?$`, "D"),
		newForm(" exited with code ", "(?:^|[\\s\"'`(])([a-zA-Z0-9][a-zA-Z0-9_.-]*[_-]\\d{1,3}) exited with code -?\\d", "D"),
		newForm(" ago ", `^[0-9a-f]{12,64}\s.*\sago\s+(?:Up |(?:Exited|Restarting) \(|Dead\b).*\s`+ofDocker+`\s*$`, "D"),
		newForm(" Exit |Restarting", `^`+ofDocker+`\s{2,}\S.*\s{2,}(?:Exit -?\d{1,3}|Restarting)(?:\s{2,}|\s*$)`, "D"),
		newForm(" (", `^`+ofDocker+`\s+.*\s(?i:exited|restarting) \(\d{1,3}\)(?:\s|$)`, "D"),
	}
	// ofDockers are commands, and what docker inspect prints, about one container.
	ofDockers = []form{
		newForm("docker |podman |nerdctl ", `\b(?:docker|podman|nerdctl) (?:container )?(?:inspect|logs)`+
			`(?: --?[a-z-]+(?:[ =](?:\d+|'[^']*'|"[^"]*"))?)* `+ofDocker+`\s*(?:$|[|>&;`+"`"+`])`, "D"),
		newForm(`"/`, `"Name": ?"/`+ofDocker+`"`, "D"),
		newForm("container_name:", `^container_name: ["']?`+ofDocker, "D"),
	}
)

// notDocker are words before "exited with code", at the beginning of a sentence and at the end of a row, that are no
// names.
var notDocker = strings.Fields("command child test tests build step script task job stage pipeline run compose main " +
	"entrypoint shell bash sh python node java ago when if after then and the my our all this that it we some one every " +
	"each since now here i both two three four five several many most")

// isDocker reports whether a container of Docker may have this name, rather than a kubelet's.
func isDocker(name string) bool {
	lower := strings.ToLower(name)
	return !strings.HasPrefix(name, "k8s_") && !anID.MatchString(name) && !numeral.MatchString(name) &&
		!slices.Contains(noNames, lower) && !slices.Contains(things, lower) && !slices.Contains(plainWords, lower) &&
		!slices.Contains(notDocker, lower)
}

var numeral = regexp.MustCompile(`^[\d.:_-]+$`)

// dockerIn returns the container that a line has in one of the forms, "" for none.
func dockerIn(of []form, line string) string {
	plain := strings.Trim(line, "*`_ ")
	for i := range of {
		if found := of[i].find(plain); found != nil && isDocker(found[0]) {
			return found[0]
		}
	}
	return ""
}

// Docker returns the names for a cell of a table of Docker's containers: the container takes the pod's place, too.
func Docker(cell string) Names {
	if whole.MatchString(cell) && isDocker(cell) {
		return Names{Pod: cell, Container: cell}
	}
	return Names{}
}

var whole = regexp.MustCompile(`^` + ofDocker + `$`)
