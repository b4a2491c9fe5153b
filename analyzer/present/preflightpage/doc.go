// Package preflightpage turns a prediction into pages: what a change of kubelets will do, in groups, and what it did.
// Like package present, it decides on texts, order and limits, and not on the format.
//
// It may import analyzer/report, analyzer/document and analyzer/present.
package preflightpage
