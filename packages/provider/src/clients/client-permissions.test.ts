import { describe, expect, it } from 'vitest';
import { assertAudience, assertScopes, bringsRefreshToken } from './client-permissions.ts';
import { type ClientRecord, clientMetadata, type OpenResource } from './client-record.ts';
import { parseClient } from './parse-client.ts';
import { scopeMatches } from './scope-match.ts';

const { exact, wildcard } = scopeMatches;

const open: readonly OpenResource[] = [{ identifier: 'https://mail.test', scopes: ['mail.read'] }];

const client = (metadata: object): ClientRecord => ({
  id: 'app',
  secrets: [],
  open,
  metadata: clientMetadata('app', parseClient(metadata).metadata, '2026-11-22T00:00:00Z'),
});

/** The scope that the client may not have. */
const refusedScope = (...given: Parameters<typeof assertScopes>): string | undefined => {
  try {
    assertScopes(...given);
    return undefined;
  } catch (error) {
    return (error as { readonly scope?: string }).scope;
  }
};

describe('the scopes of a client', () => {
  const app = client({ scope: 'openid photos.*' });

  it.each([
    ['a registered scope', ['openid'], undefined],
    ['no scope', [], undefined],
    ['the first scope that is not registered', ['openid', 'email', 'phone'], 'email'],
    ['a scope that only a wildcard covers', ['photos.read'], 'photos.read'],
  ])('compared exactly: %s', (_what, scopes, unregistered) => {
    expect(refusedScope(app, scopes, exact)).toBe(unregistered);
  });

  it('compared by wildcard cover what their patterns cover', () => {
    expect(refusedScope(app, ['photos.read', 'photos'], wildcard)).toBe('photos');
  });

  it('include the scopes of an open resource only if the request names that resource', () => {
    expect(refusedScope(app, ['mail.read'], exact, ['https://mail.test'])).toBeUndefined();
    expect(refusedScope(app, ['mail.read'], exact)).toBe('mail.read');
    expect(refusedScope(app, ['mail.read'], exact, ['https://other.test'])).toBe('mail.read');
  });

  it('are refused with invalid_scope, which names the scope', () => {
    expect(() => assertScopes(app, ['openid'], exact)).not.toThrow();
    expect(() => assertScopes(app, ['openid', 'email'], exact)).toThrow(
      expect.objectContaining({ error: 'invalid_scope', scope: 'email', status: 400 }),
    );
  });
});

describe('the audience of a client', () => {
  const app = client({ audience: ['https://api.test'] });

  it.each([
    ['a registered one', ['https://api.test'], true],
    ['an open resource', ['https://mail.test', 'https://api.test'], true],
    ['none', [], true],
    ['another one beside a registered one', ['https://api.test', 'https://other.test'], false],
    ['a prefix', ['https://api.tes'], false],
  ])('may be %s', (_what, audience, isAllowed) => {
    const check = expect(() => assertAudience(app, audience));
    if (isAllowed) check.not.toThrow();
    else check.toThrow(expect.objectContaining({ error: 'invalid_request' }));
  });
});

describe('a code brings a refresh token', () => {
  const granted = (...types: readonly string[]) => ({ grantTypeAllowed: (type: string) => types.includes(type) });

  it.each([
    [['refresh_token'], ['openid', 'offline_access'], true],
    [['refresh_token'], ['offline'], true],
    [['refresh_token'], ['openid', 'offline_accessible'], false],
    [['authorization_code'], ['offline_access'], false],
  ])('for a client with %j and the scopes %j: %s', (types, scopes, isBrought) => {
    expect(bringsRefreshToken(granted(...types), scopes)).toBe(isBrought);
  });
});
