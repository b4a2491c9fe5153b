// Package tui is a viewer of a report.Report: a list of restarts, and one
// restart with its proof.
//
// It has one root model (model); the panes are plain structs that are told what
// to show and render themselves into a rectangle. All keys are in KeyMap, all
// styles in theme. It may import analyzer/report and the terminal libraries,
// nothing else of the project. What never enters: a judgement, a look-up of the
// cluster, I/O inside Update. The strings of a report are safe text already;
// nothing here makes untrusted text safe.
package tui
