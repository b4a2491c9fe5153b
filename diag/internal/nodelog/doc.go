// Package nodelog asks a node's kubelet for logs, through the API server: the node log query page by page, the node's
// log files where it is off.
//
// It may import diag/kube, diag/textlog (which reads what comes) and what that may import. It only reads.
package nodelog
