import { beforeAll, describe, expect, test } from 'vitest';
import { createAssertionIssuer } from '../assertions.ts';
import { startBeforeTests } from '../before-tests.ts';
import { createSdk, refusal, unknownMembers } from './sdk.ts';

describe('trusted issuers through Hydra’s SDK', () => {
  const instance = startBeforeTests();
  let oauth2: ReturnType<typeof createSdk>['oauth2'];

  beforeAll(async () => {
    ({ oauth2 } = createSdk(instance));
  });

  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const body = async (issuer: string, kid = 'k1') => ({
    issuer,
    allow_any_subject: true,
    scope: ['read'],
    expires_at,
    jwk: (await createAssertionIssuer(issuer, kid)).jwk as never,
  });
  const trusting = async (issuer: string, kid?: string, more: object = {}) =>
    (await oauth2.trustOAuth2JwtGrantIssuer({ trustOAuth2JwtGrantIssuer: { ...(await body(issuer, kid)), ...more } }))
      .data;

  test.each([
    ['any subject', {}, ''],
    ['one subject', { subject: 'bob@example.com', allow_any_subject: undefined }, 'bob@example.com'],
  ])('are created, shown, listed and deleted: %s', async (_what, more, subject) => {
    const created = await trusting('https://one.test', 'k1', more);
    expect(created).toEqual({
      id: expect.any(String),
      issuer: 'https://one.test',
      subject,
      allow_any_subject: subject === '',
      scope: ['read'],
      public_key: { set: 'https://one.test', kid: 'k1' },
      created_at: expect.stringMatching(/^20\d\d-.*Z$/),
      expires_at: `${expires_at.slice(0, 19)}Z`,
    });
    expect(unknownMembers('TrustedOAuth2JwtGrantIssuer', created)).toEqual([]);
    const id = created.id ?? '';
    expect((await oauth2.getTrustedOAuth2JwtGrantIssuer({ id })).data).toEqual(created);
    const { id: other = '' } = await trusting('https://two.test');
    const all = (await oauth2.listTrustedOAuth2JwtGrantIssuers({})).data;
    expect(all.map(({ issuer }) => issuer).toSorted()).toEqual(['https://one.test', 'https://two.test']);
    expect((await oauth2.listTrustedOAuth2JwtGrantIssuers({ issuer: 'https://one.test' })).data).toEqual([created]);
    for (const each of [id, other])
      expect((await oauth2.deleteTrustedOAuth2JwtGrantIssuer({ id: each })).status).toBe(204);
    expect((await refusal(oauth2.getTrustedOAuth2JwtGrantIssuer({ id }))).status).toBe(404);
    expect((await refusal(oauth2.deleteTrustedOAuth2JwtGrantIssuer({ id }))).status).toBe(404);
  });

  test('are there once for an issuer, a subject and a key', async () => {
    await trusting('https://twice.test');
    expect((await refusal(trusting('https://twice.test'))).status).toBe(409);
    await trusting('https://twice.test', 'k2');
  });

  test.each([
    ['issuer', { issuer: '' }, 'missing_required_parameter'],
    ['subject', { allow_any_subject: false }, 'missing_required_parameter'],
    ['allow_any_subject', { subject: 'bob' }, 'missing_required_parameter'],
    ['expires_at', { expires_at: undefined }, 'missing_required_parameter'],
    ['jwk', { jwk: undefined }, 'missing_required_parameter'],
    ["'kid'", { jwk: { kty: 'EC' } }, 'missing_required_parameter'],
    ['past', { expires_at: '2020-01-01T00:00:00Z' }, 'invalid_request'],
    ['private', { jwk: { kty: 'oct', k: 'c2VjcmV0', kid: 'k' } }, 'invalid_request'],
    ['RFC 7517', { jwk: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'k' } }, 'invalid_request'],
    ['scope', { scope: 'read' }, 'invalid_request'],
    ['subject', { subject: 'bob ', allow_any_subject: false }, 'invalid_request'],
  ])('are refused with a word about %s', async (word, wrong, error) => {
    const sent = { ...(await body('https://wrong.test')), ...wrong };
    const { status, data } = await refusal(
      oauth2.trustOAuth2JwtGrantIssuer({ trustOAuth2JwtGrantIssuer: sent as never }),
    );
    expect([status, data.error]).toEqual([400, error]);
    expect(data.error_description).toContain(word);
  });

  test('are not listed by the page token of another list', async () => {
    const first = async (list: string) => {
      const { headers } = await fetch(`${instance.admin}/admin/${list}`);
      return /page_token=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
    };
    const own = await first('trust/grants/jwt-bearer/issuers?issuer=https://a.test');
    const others = [
      await first('trust/grants/jwt-bearer/issuers'),
      await first('trust/grants/jwt-bearer/issuers?issuer=https://b.test'),
      await first('clients'),
      await first('oauth2/auth/sessions/consent?subject=alice'),
    ];
    const statusOf = async (token?: string) =>
      (await fetch(`${instance.admin}/admin/trust/grants/jwt-bearer/issuers?issuer=https://a.test&page_token=${token}`))
        .status;
    expect(await statusOf(own)).toBe(200);
    for (const token of others) expect([token, await statusOf(token)]).toEqual([expect.any(String), 400]);
  });

  test('are listed in pages', async () => {
    for (const n of [1, 2, 3]) await trusting(`https://page-${n}.test`);
    const seen: string[] = [];
    let url: string | undefined = `${instance.admin}/admin/trust/grants/jwt-bearer/issuers?page_size=2`;
    while (url !== undefined) {
      const response: Response = await fetch(url);
      seen.push(
        ...((await response.json()) as { id: string; issuer: string }[]).map((one) =>
          JSON.stringify([one.issuer, one.id]),
        ),
      );
      const next: string | undefined = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
      url = next && instance.admin + next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    for (const n of [1, 2, 3]) expect(seen.join()).toContain(`https://page-${n}.test`);
  });
});
