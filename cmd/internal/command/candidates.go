package command

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

const (
	// completionTime is the time limit for completion candidates.
	completionTime = 3 * time.Second
	// namePage limits the lists for completion and hints: reading a whole cluster is not worth it for either.
	namePage = 500
)

// shortKinds are the kinds that completion offers: those that people type.
var shortKinds = []string{"cronjob", "deploy", "ds", "job", "node", "pod", "rs", "sts", "svc"}

// listPage selects one page of objects, for their containers.
var listPage = metav1.ListOptions{Limit: namePage}

const noFiles = cobra.ShellCompDirectiveNoFileComp

func (c *connection) completeNamespaces(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return c.names(cmd, kube.Namespaces, "", nil), noFiles
}

func (c *connection) CompleteNodes(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	return c.names(cmd, kube.Nodes, "", args), noFiles
}

func (c *connection) CompletePods(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, noFiles
	}
	return c.names(cmd, kube.Pods, "", nil), noFiles
}

// CompleteTargets completes the arguments of a listing, as kubectl does: pods and, after the first letter, kinds; the
// names of a kind after its slash, or as a separate argument after it.
func (c *connection) CompleteTargets(cmd *cobra.Command, args []string,
	word string) ([]string, cobra.ShellCompDirective) {
	if kind, _, ok := strings.Cut(word, "/"); ok {
		if k, ok := kinds[KindOf(kind)]; ok {
			return c.names(cmd, k.Resource, kind+"/", args), noFiles
		}
		return nil, noFiles
	}
	if len(args) > 0 && !strings.Contains(args[0], "/") {
		if k, ok := kinds[KindOf(args[0])]; ok {
			return c.names(cmd, k.Resource, "", args[1:]), noFiles
		}
	}
	out := c.names(cmd, kube.Pods, "", args)
	directive := noFiles
	if word != "" {
		for _, kind := range shortKinds {
			if strings.HasPrefix(kind, word) {
				out, directive = append(out, kind+"/"), directive|cobra.ShellCompDirectiveNoSpace
			}
		}
	}
	return out, directive
}

// CompleteContainers completes the containers of the named pod, or of all pods in the namespace.
func (c *connection) CompleteContainers(cmd *cobra.Command, args []string,
	_ string) ([]string, cobra.ShellCompDirective) {
	var out []string
	c.ask(cmd, func(ctx context.Context, cl *collect.Cluster) error {
		var pods []corev1.Pod
		if len(args) == 1 && !strings.Contains(args[0], "/") {
			p, err := kube.Get[corev1.Pod](ctx, cl.Client, kube.Pods, cl.Namespace, args[0])
			if err != nil {
				return err
			}
			pods = append(pods, *p)
		} else {
			list, err := kube.List[corev1.PodList](ctx, cl.Client, kube.Pods, cl.Namespace, listPage)
			if err != nil {
				return err
			}
			pods = list.Items
		}
		for i := range pods {
			out = append(out, containerNames(&pods[i].Spec)...)
		}
		return nil
	})
	slices.Sort(out)
	return slices.Compact(out), noFiles
}

// completeKubeconfig completes names from the kubeconfig; it contacts no cluster.
func (c *connection) completeKubeconfig(flag string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		loader, err := c.loader()
		if err != nil {
			return nil, noFiles
		}
		raw, err := loader.RawConfig()
		if err != nil {
			return nil, noFiles
		}
		var out []string
		switch flag {
		case "context":
			out = slices.Sorted(maps.Keys(raw.Contexts))
		case "cluster":
			out = slices.Sorted(maps.Keys(raw.Clusters))
		case "user":
			out = slices.Sorted(maps.Keys(raw.AuthInfos))
		}
		return out, noFiles
	}
}

// names reads the names of a kind from the cluster, without those that are given already.
func (c *connection) names(cmd *cobra.Command, r kube.Resource, prefix string, given []string) (out []string) {
	c.ask(cmd, func(ctx context.Context, cl *collect.Cluster) error {
		namespace := cl.Namespace
		if r == kube.Nodes || r == kube.Namespaces {
			namespace = ""
		}
		names, err := cl.Client.Names(ctx, r, namespace, namePage)
		for _, name := range names {
			if !slices.Contains(given, prefix+name) {
				out = append(out, prefix+name)
			}
		}
		return err
	})
	return out
}

// ask runs a query for a completion. Errors are ignored there.
func (c *connection) ask(cmd *cobra.Command, question func(context.Context, *collect.Cluster) error) {
	ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
	defer cancel()
	cl, err := c.Open()
	if err != nil {
		return
	}
	_ = question(ctx, cl) // then there are no candidates
}

func containerNames(spec *corev1.PodSpec) (names []string) {
	for c := range apiobject.Containers(spec) {
		names = append(names, c.Name)
	}
	return names
}
