// Package tui is a viewer of a report.Report: what happened by root cause, every restart, one restart with its proof,
// evidence in context, the timeline, the kubelet's decision, the hashes, the nodes, and the catalogue of causes. A
// report.Preflight is shown in the same frame: its page, and one container.
//
// It has one root model with a stack of screens: enter pushes one, escape pops it. A screen (internal/screen) reads the
// frame around it and returns requests; it never sees the model, which executes them before the next frame. The screens
// of a report are in internal/screens, those of a preflight in internal/preflight. They are made of plain structs: a
// table of items over rows (pane.Rows), a page of text with its search (pager, prompt), and a timeline (timelineview).
// A report with its derived data is a dataset.Dataset, which never changes: a newer report is a new one, and the
// screens find their place in it again. Whatever takes time (an index, a DetailProvider, a file) runs in a command in
// the background, and its answer is dropped if the user has moved on.
//
// All keys are in screen.KeyMap, all styles and glyphs in style.Theme, all wording about restarts in package present.
// It may import analyzer/report, analyzer/document, analyzer/present, its own subpackages and the terminal libraries,
// nothing else of the project: causes come in as text, files go out through functions (Options). It never judges, never
// queries the cluster, and does no I/O inside Update. The strings of a report are safe text already; nothing here makes
// untrusted text safe.
package tui
