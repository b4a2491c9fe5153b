// Package preflightpage turns a prediction into pages: what a change of kubelets will do, in groups, and what it
// did. Like package present, it has words, order and limits, and no form.
//
// It may import analyzer/report, analyzer/document and analyzer/present.
package preflightpage
