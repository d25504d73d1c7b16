import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createClientCertificates } from './client-certificate.ts';

const pem = readFileSync(new URL('../../test/fixtures/tls/certificate.pem', import.meta.url), 'utf8');
const { raw, fingerprint256 } = new X509Certificate(pem);
const base64 = raw.toString('base64');
const escaped = encodeURIComponent(pem);

const read = createClientCertificates({
  clientCertificateHeader: 'Client-Cert',
  clientVerifiedHeader: 'Client-Verify',
  trustedProxies: ['10.0.0.0/8', '::1', '192.0.2.7'],
});

const request = (remoteAddress: string | undefined, ...rawHeaders: readonly string[]): IncomingMessage =>
  ({ socket: { remoteAddress }, rawHeaders, headers: { 'client-cert': rawHeaders[1] } }) as unknown as IncomingMessage;

const shown = (value: string, remoteAddress: string | undefined = '10.1.2.3') =>
  read(request(remoteAddress, 'Client-Cert', value))?.certificate.fingerprint256;

describe('the certificate in a header', () => {
  it.each([
    ['RFC 9440', `:${base64}:`],
    ['nginx', escaped],
    ['Envoy', `Hash=${'a'.repeat(64)};Cert="${escaped}";Subject="CN=a, \\"b\\"";URI=spiffe://a`],
    ['Envoy with the certificate alone', `Cert="${escaped}"`],
  ])('a certificate is read as %s writes it', (_, value) => {
    expect(shown(value)).toBe(fingerprint256);
  });

  it.each([
    ['nothing', ''],
    ['nonsense', 'nonsense'],
    ['base64 without colons', base64],
    ['DER that is none', `:${Buffer.from('nonsense').toString('base64')}:`],
    ['two of RFC 9440', `:${base64}:, :${base64}:`],
    ['two of Envoy', `Cert="${escaped}",Cert="${escaped}"`],
    ['two of Envoy in one element', `Cert="${escaped}";Cert="${escaped}"`],
    ['two in one PEM', escaped + escaped],
    ['what has no end', `:${'A'.repeat(20_000)}:`],
    ['escapes that are none', '-----BEGIN%20CERTIFICATE-----%zz'],
  ])('a certificate is absent when it is %s', (_, value) => {
    expect(shown(value)).toBeUndefined();
  });

  it.each(['10.1.2.3', '::ffff:10.1.2.3', '::1', '192.0.2.7'])('counts from %s', (address) => {
    expect(shown(`:${base64}:`, address)).toBe(fingerprint256);
  });

  it.each(['11.0.0.1', '127.0.0.1', '::ffff:127.0.0.1', '::2', '', '10.1.2.3.evil'])(
    'does not count from "%s", and is taken off the request',
    (address) => {
      const message = request(address, 'Client-Cert', `:${base64}:`);
      expect(read(message)).toBeUndefined();
      expect(message.headers).not.toHaveProperty('client-cert');
    },
  );

  it('does not count when it is there twice, however it is written', () => {
    const twice = ['Client-Cert', `:${base64}:`, 'CLIENT-CERT', `:${base64}:`];
    expect(read(request('10.1.2.3', ...twice))).toBeUndefined();
  });

  it('a single header of the proxy alone verifies a certificate', () => {
    const verified = (...more: readonly string[]) =>
      read(request('10.1.2.3', 'Client-Cert', `:${base64}:`, ...more))?.isVerified;
    expect(verified('Client-Verify', 'SUCCESS')).toBe(true);
    expect(verified('Client-Verify', 'FAILED:self signed certificate')).toBe(false);
    expect(verified('Client-Verify', 'NONE', 'client-verify', 'SUCCESS')).toBe(false);
    expect(verified()).toBe(false);
  });
});
