package pki

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"testing"
	"time"
)

func TestIssuedCertificatesVerifyAgainstTheirAuthority(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	ca, err := NewAuthority(now)
	if err != nil {
		t.Fatal(err)
	}
	pair, err := ca.Issue("system:node:n1", []string{"system:nodes"}, net.ParseIP("10.213.0.1"))
	if err != nil {
		t.Fatal(err)
	}
	both, err := tls.X509KeyPair(pair.Cert, pair.Key)
	if err != nil {
		t.Fatalf("certificate and key do not belong together: %v", err)
	}
	cert, err := x509.ParseCertificate(both.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca.Cert)
	if _, err := cert.Verify(x509.VerifyOptions{Roots: roots, DNSName: "10.213.0.1", CurrentTime: now}); err != nil {
		t.Errorf("as a server: %v", err)
	}
	usages := []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	if _, err := cert.Verify(x509.VerifyOptions{Roots: roots, KeyUsages: usages, CurrentTime: now}); err != nil {
		t.Errorf("as a client: %v", err)
	}
	if cert.Subject.CommonName != "system:node:n1" || cert.Subject.Organization[0] != "system:nodes" {
		t.Errorf("subject = %v", cert.Subject)
	}

	other, err := NewAuthority(now)
	if err != nil {
		t.Fatal(err)
	}
	strangers := x509.NewCertPool()
	strangers.AppendCertsFromPEM(other.Cert)
	if _, err := cert.Verify(x509.VerifyOptions{Roots: strangers, CurrentTime: now}); err == nil {
		t.Error("verified against another lab's authority")
	}
}

func TestTokensDiffer(t *testing.T) {
	if a, b := Token(), Token(); a == b || len(a) != 32 {
		t.Errorf("tokens %q, %q", a, b)
	}
}
