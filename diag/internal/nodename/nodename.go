// Package nodename joins what is known of a machine under the name of its host to the Node that it is: in many clusters
// the two differ in their domain, and then the node's own logs would not testify about its pods.
//
// It imports diag/evidence, diag/safetext and the types of the API. What happened on a machine never enters.
package nodename

import (
	"cmp"
	"net"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Aliases returns the names of a Node's host that are not the Node's own.
func Aliases(n *corev1.Node) (names []string) {
	add := func(name string) {
		if name = safetext.Ident(name); name != "" && name != n.Name && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	add(n.Labels[corev1.LabelHostname])
	for _, a := range n.Status.Addresses {
		if a.Type == corev1.NodeHostName || a.Type == corev1.NodeInternalDNS {
			add(a.Address)
			add(short(a.Address))
		}
	}
	return names
}

// Join gives what has a host's name the name of its Node. A host is joined only if its name is an alias of exactly one
// Node, its logs name a pod of that node or are of its machine or boot, and nothing contradicts: two clusters may have
// hosts of one name.
func Join(s *evidence.Snapshot) {
	aliases, real := known(s)
	if len(aliases) == 0 {
		return
	}
	hosts := map[string]*host{}
	meet := func(name string) {
		if to := aliases[name]; to != nil && !real[name] && hosts[name] == nil {
			hosts[name] = &host{node: to}
		}
	}
	for i := range s.Coverage {
		meet(s.Coverage[i].Node)
	}
	last := ""
	for i := range s.Observations {
		if n := s.Observations[i].Source.Node; n != last {
			meet(n)
			last = n
		}
	}
	if len(hosts) == 0 {
		return
	}
	judge(s, hosts)
	to := map[string]string{}
	for name, h := range hosts {
		if h.same && !h.other {
			to[name] = h.node.Name
		}
	}
	if len(to) > 0 {
		rename(s, to)
	}
}

// host is a machine that is known by the name of its host.
type host struct {
	node        *evidence.Node // the only one that it can be
	same, other bool           // something says that it is that node, or another one
}

// known returns the Nodes by their aliases, without names that fit several, and the names that Nodes have themselves.
func known(s *evidence.Snapshot) (aliases map[string]*evidence.Node, real map[string]bool) {
	aliases, real = map[string]*evidence.Node{}, map[string]bool{}
	for i := range s.Pods {
		if n := s.Pods[i].Node; n != "" {
			real[n] = true
		}
	}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if !n.CreatedAt.IsZero() || n.KubeletVersion != "" {
			real[n.Name] = true
		}
		for _, a := range n.Aliases {
			if _, taken := aliases[a]; taken || n.Twice {
				aliases[a] = nil
				continue
			}
			aliases[a] = n
		}
	}
	for name := range real { // a node without an object, or without these names, may be meant, too
		if n, ok := aliases[short(name)]; ok && n != nil && n.Name != name {
			aliases[short(name)] = nil
		}
	}
	return aliases, real
}

// short returns a name without its domain.
func short(name string) string {
	if net.ParseIP(name) != nil {
		return name
	}
	label, _, _ := strings.Cut(name, ".")
	return label
}

// judge finds what says that a host is the Node, or another machine.
func judge(s *evidence.Snapshot, hosts map[string]*host) {
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if h := hosts[n.Name]; h != nil {
			h.compare(n.HostBoot != "" && n.HostBoot == h.node.BootID, n.HostBoot != "" && h.node.BootID != "" &&
				n.HostBoot != h.node.BootID)
		}
	}
	for i := range s.Coverage {
		c := &s.Coverage[i]
		h := hosts[c.Node]
		if h == nil {
			continue
		}
		if o := c.Origin; o != nil {
			named := o.Machine != "" && h.node.Machine != ""
			h.compare(named && o.Machine == h.node.Machine || o.Boot != "" && o.Boot == h.node.BootID,
				named && o.Machine != h.node.Machine)
		}
		h.compare(false, slices.ContainsFunc(s.Coverage, func(own evidence.Coverage) bool {
			return own.Node == h.node.Name && own.Source == c.Source && !own.Origin.Same(c.Origin) &&
				own.From.Before(c.Until) && c.From.Before(own.Until) // two logs of one daemon
		}))
	}
	judgePods(s, hosts)
}

// podName is what a pod of another cluster may be called, too: those of StatefulSets and static pods are not random.
type podName struct{ namespace, pod string }

// judgePods compares the pods that the logs of the hosts name with those of the API.
func judgePods(s *evidence.Snapshot, hosts map[string]*host) {
	nodes, identified, uids := map[podName]string{}, map[podName]bool{}, map[string]string{}
	for i := range s.Pods {
		p := &s.Pods[i]
		n := podName{p.Namespace, p.Name}
		if p.Node != "" {
			nodes[n] = p.Node
		}
		for _, uid := range []string{p.UID, p.RuntimeUID()} {
			if uid != "" && (p.Node != "" || uids[uid] == "") {
				uids[uid], identified[n] = p.Node, true
			}
		}
	}
	type mention struct {
		host *host
		podName
	}
	byName, foreign := map[mention]bool{}, map[mention]bool{}
	for i := range s.Observations {
		o := &s.Observations[i]
		h := hosts[o.Source.Node]
		if h == nil || o.Source.Kind == evidence.SourceAPI {
			continue
		}
		m := mention{h, podName{o.Subject.Namespace, o.Subject.Pod}}
		if uid := o.Subject.PodUID; uid != "" {
			on, known := uids[uid]
			h.compare(on == h.node.Name, on != "" && on != h.node.Name)
			if !known && identified[m.podName] {
				foreign[m] = true
			}
		} else if m.pod != "" && nodes[m.podName] == h.node.Name {
			byName[m] = true
		}
	}
	for m := range byName {
		m.host.compare(!foreign[m], false)
	}
}

func (h *host) compare(same, other bool) { h.same, h.other = h.same || same, h.other || other }

// rename replaces the names everywhere.
func rename(s *evidence.Snapshot, to map[string]string) {
	as := func(name *string) {
		if n, ok := to[*name]; ok {
			*name = n
		}
	}
	for i := range s.Observations {
		as(&s.Observations[i].Source.Node)
		as(&s.Observations[i].Subject.Node)
	}
	for i := range s.Coverage {
		as(&s.Coverage[i].Node)
	}
	for i := range s.Losses {
		as(&s.Losses[i].Node)
	}
	s.Losses = evidence.Joined(s.Losses)
	for i := range s.Read {
		as(&s.Read[i].Node)
	}
	for i := range s.Gaps {
		as(&s.Gaps[i].Node)
	}
	slices.SortStableFunc(s.Coverage, func(x, y evidence.Coverage) int {
		return cmp.Or(cmp.Compare(x.Source, y.Source), cmp.Compare(x.Node, y.Node),
			x.From.Compare(y.From), x.Until.Compare(y.Until))
	})
	for i := range s.Nodes {
		n := &s.Nodes[i]
		at := slices.IndexFunc(s.Nodes, func(x evidence.Node) bool { return x.Name == to[n.Name] })
		if at >= 0 {
			have := &s.Nodes[at]
			have.HostBoot, have.Inside = cmp.Or(have.HostBoot, n.HostBoot), have.Inside || n.Inside
		}
	}
	s.Nodes = slices.DeleteFunc(s.Nodes, func(n evidence.Node) bool { return to[n.Name] != "" })
}
