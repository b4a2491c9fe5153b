package cli

import (
	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/webhook"
)

// hookOptions configure where --watch posts new verdicts.
type hookOptions struct{ url, template string }

func (o *hookOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.url, "webhook", "", "with --watch: POST each new verdict to this `URL`, as JSON")
	f.StringVar(&o.template, "webhook-template", "", "a `FILE` with a Go template that makes the JSON of --webhook")
}

// unwatched rejects flags that need --watch.
func (o *hookOptions) unwatched() error {
	if o.url != "" || o.template != "" {
		return command.Usage("--webhook posts what happens from now on: add --watch")
	}
	return nil
}

// start returns the hook, nil if there is none.
func (o *hookOptions) start(say func(string)) (*webhook.Hook, error) {
	if o.url == "" {
		if o.template != "" {
			return nil, command.Usage("--webhook-template needs --webhook URL")
		}
		return nil, nil
	}
	var text string
	if o.template != "" {
		var err error
		if text, err = webhook.ReadTemplate(o.template); err != nil {
			return nil, command.Usage("%w", err)
		}
	}
	to, err := webhook.New(webhook.Options{URL: o.url, Template: text, Say: say})
	if err != nil {
		return nil, command.Usage("%w", err)
	}
	return to, nil
}
