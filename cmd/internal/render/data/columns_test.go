package data

import "testing"

func TestAPanicOfATemplateIsAnError(t *testing.T) {
	if err := safely(func() error { panic("odd") }); err == nil || err.Error() != "odd" {
		t.Errorf("a panic became %v", err)
	}
}
