import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { openOidcProvider } from '../src/index.ts';
import { optionsOf } from './open-preset.ts';

const issuer = 'https://idp.example';
const event = 'http://schemas.openid.net/event/backchannel-logout';
const seconds = Math.floor(Date.now() / 1_000);
const claims = {
  ...{ iss: issuer, aud: 'carnet', sub: 'u-1', jti: 'id-1', iat: seconds, exp: seconds + 120 },
  events: { [event]: {} },
};

const open = async () => {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const { privateKey: foreign } = await generateKeyPair('RS256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }];
  const metadata = {
    ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
    ...{ jwks_uri: `${issuer}/keys`, id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'] },
  };
  const requests: string[] = [];
  const outage = { isOn: false };
  const provider = await openOidcProvider(optionsOf({ name: 'corp', issuer }), {
    send: async ({ url }) => {
      requests.push(url);
      if (outage.isOn) throw new Error('unreachable');
      const body = JSON.stringify(url === metadata.jwks_uri ? { keys } : metadata);
      return { status: 200, headers: new Headers({ 'content-type': 'application/json' }), body };
    },
    now: Date.now,
  });
  const sign = (members: object = {}, header: object = {}, key = privateKey) =>
    new SignJWT({ ...claims, ...members }).setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header }).sign(key);
  const verify = async (token: string) => provider.verifyLogout?.(token);
  return { sign, verify, foreign, requests, outage };
};

describe('a logout token', () => {
  it.each([
    ['without a type', {}],
    ['with the type of logout tokens', { typ: 'logout+jwt' }],
  ])('the token names the user, and until when its id must be remembered: %s', async (_title, header) => {
    const { sign, verify } = await open();
    const result = await verify(await sign({}, header));
    expect(result).toEqual({ outcome: 'verified', subject: 'u-1', id: 'id-1', expiresAt: (seconds + 360) * 1_000 });
  });

  it.each<[string, object, object, string]>([
    ['of another issuer', { iss: 'https://evil.example' }, {}, 'iss_check_failed'],
    ['for another client', { aud: 'another' }, {}, 'aud_check_failed'],
    ['that has expired', { exp: seconds - 60 }, {}, 'exp_check_failed'],
    ['without an expiry', { exp: undefined }, {}, 'exp_missing'],
    ['of ten minutes ago', { iat: seconds - 600 }, {}, 'iat_check_failed'],
    ['without a time', { iat: undefined }, {}, 'iat_missing'],
    ['without an id', { jti: undefined }, {}, 'jti_missing'],
    ['with an empty id', { jti: '' }, {}, 'jti'],
    ['with a nonce, as an ID token has it', { nonce: 'n' }, {}, 'nonce'],
    ['without events', { events: undefined }, {}, 'no_logout_event'],
    ['with another event', { events: { other: {} } }, {}, 'no_logout_event'],
    ['with null for the event', { events: { [event]: null } }, {}, 'no_logout_event'],
    ['with a list for the event', { events: { [event]: [] } }, {}, 'no_logout_event'],
    ['with a sid alone', { sub: undefined, sid: 's' }, {}, 'no_subject'],
    ['of another type', {}, { typ: 'at+jwt' }, 'typ'],
    ['of an unknown key', {}, { kid: 'k2' }, 'ERR_JWKS_NO_MATCHING_KEY'],
  ])('the token is refused: %s', async (_title, members, header, reason) => {
    const { sign, verify } = await open();
    expect(await verify(await sign(members, header))).toEqual({ outcome: 'failed', reason });
  });

  it('the token is refused with the signature of another key, with a symmetric one, and without one', async () => {
    const { sign, verify, foreign } = await open();
    const forged = await sign({}, {}, foreign);
    expect(await verify(forged)).toEqual({ outcome: 'failed', reason: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' });
    const [, payload = ''] = forged.split('.');
    const header = (alg: string) => Buffer.from(JSON.stringify({ alg, kid: 'k1' })).toString('base64url');
    const symmetric = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .sign(new TextEncoder().encode('the secret of the client'));
    for (const token of [symmetric, `${header('none')}.${payload}.`])
      expect(await verify(token)).toEqual({ outcome: 'failed', reason: 'ERR_JOSE_ALG_NOT_ALLOWED' });
  });

  it('the keys are read once, also for unknown ones; if they cannot be read, the token is not refused', async () => {
    const { sign, verify, requests, outage } = await open();
    await verify(await sign());
    outage.isOn = true;
    for (const kid of ['k1', 'k2', 'k3']) await verify(await sign({}, { kid }));
    expect(requests).toEqual([`${issuer}/.well-known/openid-configuration`, `${issuer}/keys`]);
    const other = await open();
    await other.verify('no.token.at-all');
    other.outage.isOn = true;
    await expect(other.verify(await other.sign())).rejects.toThrow('error');
  });
});
