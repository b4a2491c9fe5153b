// Package textkind tells which kind of text a file is: a program, settings, documentation, or what a person or a
// program reports. All of them have the same words, and only reports are about something that happened.
//
// It may import diag/internal/naming, for what a sentence is, and the standard library. What a text says never enters.
package textkind
