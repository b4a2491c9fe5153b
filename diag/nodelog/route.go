package nodelog

import (
	"io"

	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
)

func route(r io.Reader, f Format, times Times, router *statement.Router) (odd int, err error) {
	return ReadText(r, f, times, router.Add)
}
