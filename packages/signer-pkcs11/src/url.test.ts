import { SignerUnfitError } from '@carnet/signer-contract';
import { describe, expect, it } from 'vitest';
import { parseUrl } from './url.ts';

const module = 'module-path=/usr/lib/softhsm/libsofthsm2.so';

describe('a pkcs11: URL', () => {
  it('names a token, objects, the module and the file of the PIN', () => {
    expect(
      parseUrl(`pkcs11:token=carnet;object=signing?${module}&pin-source=file:/run/secrets/pin`, 'private'),
    ).toEqual({
      token: { token: 'carnet' },
      object: { label: 'signing', id: undefined },
      modulePath: '/usr/lib/softhsm/libsofthsm2.so',
      pinFile: '/run/secrets/pin',
      sessions: 4,
    });
  });

  it('has percent-encoded values, and an id of any bytes', () => {
    const url = `pkcs11:token=a%3bb%20%C3%A9;id=%01%FFB%c3;type=private;serial=7?${module}&sessions=16&pin-source=file:///run/pin`;
    expect(parseUrl(url, 'private')).toMatchObject({
      token: { token: 'a;b é', serial: '7' },
      object: { label: undefined, id: '01ff42c3' },
      pinFile: '/run/pin',
      sessions: 16,
    });
  });

  it.each([
    ['https://example.com', 'must begin with pkcs11:'],
    [`pkcs11:object=signing?${module}`, 'no token is chosen'],
    ['pkcs11:token=carnet', 'module-path is missing'],
    ['pkcs11:token=carnet?module-path=libsofthsm2.so', 'module-path is missing'],
    [`pkcs11:token=carnet?${module}&pin-value=1234`, 'pin-value is not allowed: put the PIN into a file'],
    [`pkcs11:token=carnet?${module}&pin-source=%7Ccat%20pin`, 'pin-source names a command'],
    [`pkcs11:token=carnet?${module}&pin-source=file:pin`, 'pin-source must be file:/'],
    [`pkcs11:token=carnet?${module}&sessions=0`, 'sessions must be a number from 1 to 64'],
    [`pkcs11:token=carnet?${module}&module-name=softhsm2`, 'module-name is not supported'],
    [`pkcs11:token=carnet;library-version=3?${module}`, 'library-version is not supported'],
    [`pkcs11:token=carnet;token=other?${module}`, 'token occurs twice'],
    [`pkcs11:token?${module}`, 'token has no value'],
    [`pkcs11:token=%E9?${module}`, 'token is not percent-encoded UTF-8'],
    [`pkcs11:token=carnet;type=cert?${module}`, 'type must be private'],
    [`pkcs11:token=carnet;id=?${module}`, 'id is empty'],
  ])('%s is refused: %s', (url, message) => {
    expect(() => parseUrl(url, 'private')).toThrow(SignerUnfitError);
    expect(() => parseUrl(url, 'private')).toThrow(message);
    expect(() => parseUrl(url, 'private')).not.toThrow('1234');
  });
});
