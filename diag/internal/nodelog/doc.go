// Package nodelog reads logs from a node's kubelet, through the API server: the node log query page by page, or the
// node's log files if the query is off.
//
// It may import diag/kube, diag/textlog (which parses the logs) and what that may import. It only reads.
package nodelog
