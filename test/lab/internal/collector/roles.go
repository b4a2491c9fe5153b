package collector

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/api"
)

// bindRoles gives a user the three roles of the documentation: the cluster-wide ones everywhere, the collector's only
// in some namespaces.
func bindRoles(ctx context.Context, client *api.Client, dir, user string, namespaces ...string) error {
	for _, name := range []string{"tier0", "tier1", "collector"} {
		role, err := readRole(filepath.Join(dir, name+".yaml"))
		if err != nil {
			return err
		}
		if _, err := client.ClusterRoles().Create(ctx, role, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("make role %s: %w", role.Name, err)
		}
		ref := rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name}
		subjects := []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: user}}
		meta := metav1.ObjectMeta{Name: role.Name}
		if name != "collector" {
			if _, err := client.ClusterRoleBindings().Create(ctx,
				&rbacv1.ClusterRoleBinding{ObjectMeta: meta, RoleRef: ref, Subjects: subjects},
				metav1.CreateOptions{}); err != nil {
				return fmt.Errorf("bind role %s: %w", role.Name, err)
			}
			continue
		}
		for _, ns := range namespaces {
			if _, err := client.RoleBindings(ns).Create(ctx,
				&rbacv1.RoleBinding{ObjectMeta: meta, RoleRef: ref, Subjects: subjects}, metav1.CreateOptions{}); err != nil {
				return fmt.Errorf("bind role %s in %s: %w", role.Name, ns, err)
			}
		}
	}
	return nil
}

func readRole(path string) (*rbacv1.ClusterRole, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read role: %w", err)
	}
	for d := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096); ; {
		var r rbacv1.ClusterRole
		err := d.Decode(&r)
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read role %s: there is none", path)
		}
		if err != nil {
			return nil, fmt.Errorf("read role %s: %w", path, err)
		}
		if r.Kind == "ClusterRole" {
			return &r, nil
		}
	}
}
