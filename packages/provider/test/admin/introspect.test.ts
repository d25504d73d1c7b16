import { describe, expect, it } from 'vitest';
import { CarnetError } from '../../src/errors.ts';
import type { Introspection } from '../../src/tokens/introspect.ts';
import { refusal } from '../call.ts';
import { type AdminOverrides, startAdmin } from './start-admin.ts';

type Introspect = NonNullable<AdminOverrides['introspect']>;
const active = { active: true } as Introspection;

describe('POST /admin/oauth2/introspect', () => {
  it('hands on token and scope, takes a hint, and answers what it is told', async () => {
    const calls: unknown[] = [];
    const introspect: Introspect = async (...args) => {
      calls.push(args);
      return {
        active: true,
        sub: 'x',
        client_id: 'y',
        scope: 'a b',
        ...{ exp: 2, iat: 1, nbf: 1 },
        ...{ aud: [], iss: 'https://op.test', token_type: 'Bearer', token_use: 'access_token' },
      };
    };
    const { call } = await startAdmin({ introspect });
    const form = new URLSearchParams({ token: 'abc', scope: 'a b', token_type_hint: 'access_token' });
    const answer = { status: 200, body: { active: true, sub: 'x' } };
    expect(await call('POST', '/admin/oauth2/introspect', form)).toMatchObject(answer);
    expect((await call('POST', '/oauth2/introspect', 'token=abc')).status).toBe(200);
    expect(calls).toEqual([
      ['abc', { scope: 'a b' }],
      ['abc', { scope: undefined }],
    ]);
  });

  it.each(['', 'token=', 'scope=a', 'token=a&token=b', 'token=a&scope=a&scope=b'])(
    'answers 400 for "%s"',
    async (form) => {
      const { call } = await startAdmin({ introspect: async () => active });
      expect(await call('POST', '/admin/oauth2/introspect', form)).toMatchObject(refusal('invalid_request'));
    },
  );

  it('answers exactly active: false for what is longer than any token', async () => {
    const { call } = await startAdmin({ introspect: async () => active });
    const { text } = await call('POST', '/admin/oauth2/introspect', `token=${'x'.repeat(20_000)}`);
    expect(text).toBe('{"active":false}');
  });

  it('answers 503 with Retry-After when the store is down, not "inactive"', async () => {
    const introspect = async () => {
      throw new CarnetError('storage_unavailable', 'The store did not answer.');
    };
    const { call } = await startAdmin({ introspect });
    const { status, headers, body } = await call('POST', '/admin/oauth2/introspect', 'token=abc');
    expect([status, headers.get('retry-after'), body.error]).toEqual([503, '1', 'temporarily_unavailable']);
  });
});
