package main

import (
	"encoding/json"
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/cases"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
)

// upstream is one running driver: the real functions of one release.
type upstream struct{ *peer.Driver }

// answer sends all lines, each ending with a line feed, and calls meanwhile until the answers come.
func (u upstream) answer(lines [][]byte, meanwhile func()) ([]cases.Answer, error) {
	texts, err := u.Answer(lines, meanwhile)
	if err != nil {
		return nil, err
	}
	answers := make([]cases.Answer, len(lines))
	for i, text := range texts {
		if err := json.Unmarshal(text, &answers[i]); err != nil {
			return nil, fmt.Errorf("read driver's answer: %w", err)
		}
	}
	return answers, nil
}

func (u upstream) answerOne(line []byte) (cases.Answer, error) {
	answers, err := u.answer([][]byte{line}, func() {})
	if err != nil {
		return cases.Answer{}, err
	}
	return answers[0], nil
}
