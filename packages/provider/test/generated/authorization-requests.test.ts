import { expect, test } from 'vitest';
import { redirectUri, registerClient } from '../clients.ts';
import { everyFeature } from '../every-feature.ts';
import { start } from '../harness.ts';
import { sendRawTo } from '../raw-http.ts';
import { clientsOfTests, generateParameters, queryOf, requestFor } from './authorization-requests.ts';
import { createRandom, seedOfTests, timesOfTests } from './random.ts';

/** The origins and paths to which a client may be redirected; the query is the client's own, or the response. */
const receivers = (id: string | undefined): readonly string[] => {
  const { redirect_uris: uris = [redirectUri] } = (clientsOfTests[id ?? ''] ?? {}) as { redirect_uris?: string[] };
  return uris.map((uri) => uri.split(/[?#]/, 1)[0] ?? '');
};

const withoutPort = (uri: string): string => uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d+/, '$1');

test.each([
  ['by default', {}],
  ['with every feature on', everyFeature],
  ['with wildcard scopes and PKCE for all', { tokens: { scopeStrategy: 'wildcard' }, pkce: { required: 'always' } }],
] as const)('no generated authorization request fails, or is redirected to another receiver, %s', async (_, config) => {
  const instance = await start({ config });
  for (const [id, metadata] of Object.entries(clientsOfTests)) {
    if (metadata.subject_type !== 'pairwise') await registerClient(instance, id, metadata).catch(() => undefined);
  }
  const random = createRandom(seedOfTests);
  const outcomes = new Set<string>();
  for (let count = 0; count < 350 * timesOfTests; count += 1) {
    const params = generateParameters(random);
    const request = requestFor(random, [])(queryOf(random, params));
    const { status, headers } = await sendRawTo(instance.issuer, request);
    const hint = `seed ${random.seed}: ${JSON.stringify(request)} was answered ${status} ${headers.location}`;
    expect([200, 204, 302, 303, 400, 404, 405, 414], hint).toContain(status);
    outcomes.add(`${status} ${new URLSearchParams(headers.location?.split(/[?#]/)[1]).get('error') ?? ''}`);
    const target = (headers.location ?? '').split(/[?#]/, 1)[0] ?? '';
    if (target === '' || target.startsWith('http://login.test/')) continue;
    const ids = params.filter(([name]) => name === 'client_id').map(([, id]) => id);
    const allowed = ids.flatMap(receivers).map((uri) => withoutPort(URL.parse(uri)?.href ?? uri));
    expect(allowed, hint).toContain(withoutPort(target));
  }
  expect(outcomes.size).toBeGreaterThan(5);
  expect(instance.log()).not.toMatch(/"level":50/);
});
