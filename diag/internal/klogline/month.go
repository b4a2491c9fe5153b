package klogline

import (
	"strings"
	"time"
)

// Month returns the month that a word names, in English or as strftime's %b has it in another locale; 0 for any other
// word. Journalctl, rsyslog and dmesg -T print such words.
func Month(word string) time.Month {
	const names = "JanFebMarAprMayJunJulAugSepOctNovDec"
	if len(word) == 3 {
		if i := strings.Index(names, word); i >= 0 && i%3 == 0 {
			return time.Month(i/3 + 1)
		}
	}
	for _, sign := range []string{"月", "월"} {
		if n, ok := strings.CutSuffix(word, sign); ok {
			for i, number := range [...]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"} {
				if n == number {
					return time.Month(i + 1)
				}
			}
		}
	}
	return abroad[word]
}

// abroad has months where they differ from English: German, French, Spanish, Portuguese, Italian, Dutch, Polish and
// Russian. Chinese, Japanese and Korean have numbers.
var abroad = map[string]time.Month{
	"Mär": 3, "Mai": 5, "Okt": 10, "Dez": 12,
	"janv.": 1, "févr.": 2, "mars": 3, "avril": 4, "avr.": 4, "mai": 5, "juin": 6, "juil.": 7, "août": 8, "sept.": 9,
	"oct.": 10, "nov.": 11, "déc.": 12,
	"ene": 1, "feb": 2, "mar": 3, "abr": 4, "may": 5, "jun": 6, "jul": 7, "ago": 8, "sep": 9,
	"oct": 10, "nov": 11, "dic": 12,
	"jan": 1, "fev": 2, "set": 9, "out": 10, "dez": 12, "gen": 1, "apr": 4, "mag": 5, "giu": 6, "lug": 7, "ott": 10,
	"mrt": 3, "mei": 5, "aug": 8, "okt": 10, "dec": 12,
	"sty": 1, "lut": 2, "kwi": 4, "maj": 5, "cze": 6, "lip": 7, "sie": 8, "wrz": 9, "paź": 10, "lis": 11, "gru": 12,
	"янв": 1, "фев": 2, "мар": 3, "апр": 4, "мая": 5, "май": 5, "июн": 6, "июл": 7, "авг": 8, "сен": 9, "окт": 10,
	"ноя": 11, "дек": 12,
}
