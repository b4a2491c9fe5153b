// Package field has the fields of one record of a log store, an exporter or a table, flat and by name, and what the
// names say: when the record was written, on which host, by which unit, and whether it is a container's output. Times
// and the names of zones are read here for all texts.
//
// Names and values are the store's: everyone who can write to it can choose them. It imports the standard library only,
// and does not read what a message says.
package field
