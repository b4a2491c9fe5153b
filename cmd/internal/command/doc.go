// Package command is what the commands of the program share: their environment, connection, scope, evidence, output,
// progress, and errors with hints and exit codes.
//
// A command is a struct of options that are completed, validated and run (packages cli, hashcmd, preflightcmd). This
// package may import everything but them. It knows no cause and parses no evidence, and never exits the process. Output
// that may be piped goes to standard output, messages for people to standard error.
package command
