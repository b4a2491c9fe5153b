package cli

import (
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

// buildInfo is what `version -o json` prints.
type buildInfo struct {
	Version   string `json:"version"`
	GoVersion string `json:"goVersion"`
	Platform  string `json:"platform"`
	// NewestKubelet is the newest modelled minor; later ones are treated as this one.
	NewestKubelet string `json:"newestKubelet"`
}

func newVersion(env command.Env) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  kubectl restartwhy version\n  kubectl restartwhy version -o json",
		Args:    command.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			info := buildInfo{
				Version: env.Version, GoVersion: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
				NewestKubelet: fmt.Sprintf("v1.%d", hash.NewestMinor),
			}
			switch format {
			case "":
				fmt.Fprintf(env.Streams.Out, "kubectl-restartwhy %s (%s, %s; kubelets up to %s)\n",
					info.Version, info.GoVersion, info.Platform, info.NewestKubelet)
			case "json":
				data, err := json.MarshalIndent(info, "", "    ")
				if err != nil {
					return fmt.Errorf("encode version: %w", err)
				}
				fmt.Fprintf(env.Streams.Out, "%s\n", data)
			default:
				return command.Usage("unknown output format %q: want json", format)
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&format, "output", "o", "", "output format: json")
	command.SetUsage(cmd, nil)
	return cmd
}
