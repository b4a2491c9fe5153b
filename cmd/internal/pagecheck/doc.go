// Package pagecheck holds tests alone. They look at the pages of -o html in a real browser, as a user would see them:
// light, dark, narrow, printed, without scripts (make html-check). They fail if a page requests or logs anything, does
// not fit a phone, has a text that is hard to read, or lets a text from a cluster become more than text.
//
// They may import what makes a page from the recorded incident. The browser's driver needs only the standard library.
package pagecheck
