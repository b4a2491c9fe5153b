// Package ends counts the container exits in a kubelet's log, with regular expressions and nothing else. It judges the
// program's own reader, so it shares no code with it and never imports a package of this module.
package ends
