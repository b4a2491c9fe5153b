package pace

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

type another struct{}

func TestWhatMakesStepsGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outer, cancelOuter := Within(t.Context(), 30*time.Second)
		defer cancelOuter()
		ctx, cancel := Within(context.WithValue(outer, another{}, "value"), 20*time.Second)
		defer cancel()
		for range 20 { // five minutes in all
			time.Sleep(15 * time.Second)
			Step(ctx)
			if ctx.Err() != nil || outer.Err() != nil {
				t.Fatalf("%v, %v", ctx.Err(), outer.Err())
			}
		}
		time.Sleep(21 * time.Second) // stuck
		synctest.Wait()
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) || outer.Err() != nil {
			t.Fatalf("%v, %v", ctx.Err(), outer.Err())
		}
		Step(ctx) // too late for the inner one
		time.Sleep(29 * time.Second)
		synctest.Wait()
		if ctx.Err() == nil || outer.Err() != nil {
			t.Errorf("%v, %v", ctx.Err(), outer.Err())
		}
	})
}

func TestTheUsersLimitHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all, cancelAll := context.WithTimeout(t.Context(), time.Minute)
		defer cancelAll()
		ctx, cancel := Within(all, 20*time.Second)
		defer cancel()
		for range 12 {
			time.Sleep(10 * time.Second)
			Step(ctx)
		}
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			t.Errorf("%v", ctx.Err())
		}
		given, giveUp := Within(t.Context(), time.Second)
		giveUp()
		if !errors.Is(given.Err(), context.Canceled) {
			t.Errorf("%v", given.Err())
		}
		Step(context.Background()) // nobody waits
	})
}

// A process that was stopped for longer than the limit finds its timer over, and nothing lost.
func TestAProcessThatWasStoppedGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := Within(t.Context(), 40*time.Second)
		defer cancel()
		p := ctx.(*paced)
		p.timer.Reset(0) // over at once, as it is then
		synctest.Wait()
		if ctx.Err() != nil {
			t.Fatal("the time in which it was stopped counts")
		}
		time.Sleep(25 * time.Second)
		Step(ctx)
		time.Sleep(39 * time.Second)
		synctest.Wait()
		if ctx.Err() != nil {
			t.Fatal("a step does not begin the limit anew")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			t.Error("what is stuck goes on")
		}
	})
}
