// Package pki creates the certificates and tokens of a lab cluster.
//
// It may import only the standard library. Everything it creates is for one lab and ends with it; no key is ever read
// from elsewhere.
package pki

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

// validity of every certificate: far longer than any lab, short enough to be harmless if forgotten.
const validity = 7 * 24 * time.Hour

// Pair is a certificate and its key, both PEM.
type Pair struct{ Cert, Key []byte }

// Authority signs the certificates of one cluster.
type Authority struct {
	Pair
	cert *x509.Certificate
	key  crypto.Signer
	now  time.Time
}

// NewAuthority creates a new authority; its certificates are valid from an hour before now, so that a slightly wrong
// clock does no harm.
func NewAuthority(now time.Time) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make authority: %w", err)
	}
	template := certificate("lab-ca", now)
	template.IsCA = true
	template.BasicConstraintsValid = true
	template.KeyUsage |= x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("make authority: %w", err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("make authority: %w", err)
	}
	pair, err := encode(der, key)
	if err != nil {
		return nil, fmt.Errorf("make authority: %w", err)
	}
	return &Authority{Pair: pair, cert: cert, key: key, now: now}, nil
}

// Issue signs a certificate for a user or server. Kubernetes reads the common
// name as the user and the organizations as its groups.
func (a *Authority) Issue(commonName string, organizations []string, ips ...net.IP) (Pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Pair{}, fmt.Errorf("issue certificate for %s: %w", commonName, err)
	}
	template := certificate(commonName, a.now)
	template.Subject.Organization = organizations
	template.IPAddresses = ips
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	if err != nil {
		return Pair{}, fmt.Errorf("issue certificate for %s: %w", commonName, err)
	}
	pair, err := encode(der, key)
	if err != nil {
		return Pair{}, fmt.Errorf("issue certificate for %s: %w", commonName, err)
	}
	return pair, nil
}

// Token returns a new bearer token.
func Token() string {
	b := make([]byte, 16)
	rand.Read(b) // never fails since Go 1.24
	return hex.EncodeToString(b)
}

func certificate(commonName string, now time.Time) *x509.Certificate {
	serial := make([]byte, 8)
	rand.Read(serial)
	return &x509.Certificate{
		SerialNumber: new(big.Int).SetBytes(serial),
		Subject:      pkix.Name{CommonName: commonName},
		NotBefore:    now.Add(-time.Hour),
		NotAfter:     now.Add(validity),
		KeyUsage:     x509.KeyUsageDigitalSignature | x509.KeyUsageKeyEncipherment,
	}
}

func encode(der []byte, key *ecdsa.PrivateKey) (Pair, error) {
	raw, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return Pair{}, err
	}
	return Pair{
		Cert: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		Key:  pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: raw}),
	}, nil
}
