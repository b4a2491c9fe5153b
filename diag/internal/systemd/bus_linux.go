package systemd

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	sddbus "github.com/coreos/go-systemd/v22/dbus"
	"github.com/godbus/dbus/v5"
)

// dial connects over the system bus, or without a bus daemon over systemd's own socket, which only root may use.
func dial(ctx context.Context, root string) (Bus, error) {
	conn, err := dialSocket(ctx, filepath.Join(root, "run/dbus/system_bus_socket"), true)
	if err == nil {
		return realBus{conn}, nil
	}
	conn, err2 := dialSocket(ctx, filepath.Join(root, "run/systemd/private"), false)
	if err2 != nil {
		return nil, fmt.Errorf("%w; %w", err, err2)
	}
	return realBus{conn}, nil
}

// dialSocket connects to one socket. A bus daemon needs a Hello, systemd's own socket does not.
func dialSocket(ctx context.Context, socket string, hello bool) (*sddbus.Conn, error) {
	if _, err := os.Stat(socket); err != nil {
		return nil, err
	}
	return sddbus.NewConnection(func() (*dbus.Conn, error) {
		conn, err := dbus.Dial("unix:path="+dbus.EscapeBusAddressValue(socket), dbus.WithContext(ctx))
		if err != nil {
			return nil, fmt.Errorf("connect to %s: %w", socket, err)
		}
		// By number, because looking up a user name needs libc.
		err = conn.Auth([]dbus.Auth{dbus.AuthExternal(strconv.Itoa(os.Getuid()))})
		if err == nil && hello {
			err = conn.Hello()
		}
		if err != nil {
			conn.Close()
			return nil, fmt.Errorf("greet %s: %w", socket, err)
		}
		return conn, nil
	})
}

// realBus adapts go-systemd's connection.
type realBus struct{ conn *sddbus.Conn }

func (b realBus) UnitProperty(ctx context.Context, unit, name string) (any, error) {
	return value(b.conn.GetUnitPropertyContext(ctx, unit, name))
}

func (b realBus) ServiceProperty(ctx context.Context, unit, name string) (any, error) {
	return value(b.conn.GetServicePropertyContext(ctx, unit, name))
}

func (b realBus) Close() { b.conn.Close() }

func value(p *sddbus.Property, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return p.Value.Value(), nil
}
