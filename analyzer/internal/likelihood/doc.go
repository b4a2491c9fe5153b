// Package likelihood orders causes that all fit one end: how often each cause is behind such an end, times a factor for
// the facts around this one.
//
// It holds the two tables for that, and nothing else: `ends` (the form of an end, and the shares of its causes) and
// `facts` (what makes a cause more or less likely). A likelihood never proves and never rules out; it orders what the
// rules left, and says when one cause has a clear lead. It may import causes, finding and evidence.
//
// The shares are per hundred ends of that form. They come from the public incidents of test/field (the half that is not
// blind), from the causes that k8sgpt, Robusta and Komodor describe as the most frequent ones in their guides to exit
// codes, and from Datadog's "State of Kubernetes" surveys; they are rounded, because such a table can only know orders
// of magnitude.
package likelihood
