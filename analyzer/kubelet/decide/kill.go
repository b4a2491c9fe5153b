package decide

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// kill adds a container to those that are killed; before 1.21 kills had no reason code.
func (d *decision) kill(id, name string, reason ReasonCode, message string) {
	if !d.p.Rules.KillReasons {
		reason = ""
	}
	d.a.kill(Kill{ID: id, Name: name, Reason: reason, Message: message})
}

func unknownInitText(s State) string {
	return fmt.Sprintf("Init container is in %q state, try killing it before restart", string(s))
}

func unknownText(s State) string {
	return fmt.Sprintf("Container is in %q state, try killing it before restart", string(s))
}

// cause is why a running container is killed, with the texts of both eras.
type cause struct {
	reason ReasonCode
	// plain is formatted with the container's name (1.14+); sentence is the whole text before.
	plain, sentence string
}

// text returns the Killing event's text; the old one has its two full stops.
func (d *decision) text(c cause, name string, restart bool) string {
	if d.p.Rules.KillText == kubelet.KillTextSentence {
		if restart {
			return c.sentence + ". Container will be killed and recreated."
		}
		return c.sentence
	}
	text := fmt.Sprintf(c.plain, name)
	if restart {
		text += ", will be restarted"
	}
	return text
}
