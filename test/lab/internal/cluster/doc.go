// Package cluster turns machines into a Kubernetes cluster: etcd and kube-apiserver on the host, one kubelet per
// machine, each with its own version.
//
// It may import machine, ledger, pki, binaries and client-go. It knows no scenarios. There is no scheduler and no
// controller manager: pods name their node, which keeps the lab small and makes every restart the kubelet's own action.
package cluster
