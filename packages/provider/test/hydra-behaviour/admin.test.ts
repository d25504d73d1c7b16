import { randomUUID } from 'node:crypto';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { describe, expect, test } from 'vitest';
import { createAssertionIssuer } from '../assertions.ts';
import type { Json } from '../login.ts';
import { admin, createClient } from './clients.ts';
import { startLikeHydra } from './start.ts';

const path = '/trust/grants/jwt-bearer/issuers';

describe('the admin API as Hydra has it', () => {
  const instance = beforeTests(() => startLikeHydra());

  const newGrant = async (): Promise<Json> => {
    const { jwk } = await createAssertionIssuer('token-service', 'token-service-key', 'RS256');
    const expires_at = new Date(Math.ceil(Date.now() / 1000) * 1000 + 31_536_000_000).toISOString();
    return { issuer: randomUUID(), subject: 'bob@example.com', expires_at, scope: ['openid', 'offline'], jwk };
  };

  test('makes a secret of 26 characters for a client without one', async () => {
    const scope = 'foo openid offline_access';
    const client = await createClient(instance, { scope, grant_types: ['client_credentials'] });
    expect(client.client_secret).toHaveLength(26);
  });

  test.each([
    ['one subject', {}],
    ['any subject', { subject: undefined, allow_any_subject: true }],
  ])('creates, shows and lists a trusted issuer for %s', async (_what, more) => {
    const grant: Json = { ...(await newGrant()), ...more };
    const { status, body } = await admin(instance, 'POST', path, grant);
    expect([status, body]).toMatchObject([
      201,
      {
        issuer: grant.issuer,
        subject: grant.subject ?? '',
        allow_any_subject: grant.subject === undefined,
        scope: grant.scope,
        public_key: { set: grant.issuer, kid: 'token-service-key' },
      },
    ]);
    expect(Date.parse(body.expires_at)).toBe(Date.parse(String(grant.expires_at)));
    expect(Math.abs(Date.parse(body.created_at) - Date.now())).toBeLessThan(60_000);
    expect((await admin(instance, 'GET', `${path}/${body.id}`)).body).toEqual(body);
    expect((await admin(instance, 'GET', `${path}?issuer=${grant.issuer}`)).body).toEqual([body]);
    expect((await admin(instance, 'DELETE', `${path}/${body.id}`)).status).toBe(204);
  });

  test('refuses the same trusted issuer twice: 409', async () => {
    const grant = await newGrant();
    expect((await admin(instance, 'POST', path, grant)).status).toBe(201);
    expect((await admin(instance, 'POST', path, grant)).status).toBe(409);
  });

  test.each([
    ['issuer', { issuer: '' }],
    ['subject and allow_any_subject', { subject: undefined }],
  ])('refuses a trusted issuer without %s: 400', async (_what, wrong) => {
    expect((await admin(instance, 'POST', path, { ...(await newGrant()), ...wrong })).status).toBe(400);
  });
});
