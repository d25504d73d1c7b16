import { openMemoryAdapter } from '@carnet/adapter-memory';
import { listen } from '@carnet/test-servers/listen';
import { expect, onTestFinished } from 'vitest';
import type { PageTokens } from '../../src/admin/answers.ts';
import { type AdminAuthorizeOptions, createAdminAuthorize } from '../../src/admin/authorize.ts';
import { type AdminDependencies, adminRoutes } from '../../src/admin/index.ts';
import { type ClientStore, createClientStore } from '../../src/clients/client-store.ts';
import { type ClientsDependencies, createClients } from '../../src/clients/manage-clients.ts';
import { createRegistrationTokens } from '../../src/clients/registration-tokens.ts';
import { createConsents } from '../../src/consents/consents.ts';
import { CarnetError } from '../../src/errors.ts';
import { createKeyRing } from '../../src/flow/key-ring.ts';
import { createRedemptions } from '../../src/flow/redemptions.ts';
import { adminSecurityHeaders } from '../../src/http/response.ts';
import { createRouter } from '../../src/http/router.ts';
import { createVault } from '../../src/keys/sealing/vault.ts';
import { createKeySets } from '../../src/keys/sets/key-sets.ts';
import { createKeys } from '../../src/keys/sets/manage-keys.ts';
import { createSigningKeys } from '../../src/keys/signing/signing-keys.ts';
import { generateKeys } from '../../src/keys/sources/generate-keys.ts';
import { parsePrivateSigner } from '../../src/keys/sources/load-keys.ts';
import { createSessions } from '../../src/sessions/revoke-sessions.ts';
import { createTokens, type TokensDependencies } from '../../src/tokens/manage-tokens.ts';
import { createTrustedIssuers } from '../../src/trust/trusted-issuers.ts';
import { createRefuse } from '../../src/validation.ts';
import { problemsOf } from '../answer-check.ts';

const pageTokens = {
  seal: (listing, place) => Buffer.from(`${listing}:${place}`).toString('base64url'),
  open: (listing, token) => {
    const text = Buffer.from(token, 'base64url').toString();
    if (!text.startsWith(`${listing}:`)) throw new CarnetError('invalid_request', 'Not a page token.');
    return text.slice(`${listing}:`.length);
  },
} satisfies PageTokens;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what the API answers is what these tests look into
  readonly body: any;
}

export interface AdminOverrides extends Partial<Pick<AdminDependencies, 'ready'>> {
  readonly clients?: ClientStore;
  readonly validateMetadata?: ClientsDependencies['validateMetadata'];
  readonly introspect?: TokensDependencies['introspect'];
}

/** The admin API on a port of its own, over a memory store; closed after the test. */
export const startAdmin = async (
  overrides: AdminOverrides = {},
  token?: string,
  tokens?: AdminAuthorizeOptions['tokens'],
) => {
  const adapter = openMemoryAdapter();
  const { clients = createClientStore({ adapter }), ready = async () => ({}) } = overrides;
  const { introspect = async () => ({ active: false }), validateMetadata = async () => {} } = overrides;
  const keys = createSigningKeys(generateKeys(['ES256']).keys.map(parsePrivateSigner));
  const shared = { adapter, refuse: createRefuse(), now: Date.now };
  const redemptions = createRedemptions({
    ttl: { loginConsentRequest: 1_800, authCode: 600, deviceUserCode: 600 },
    now: Date.now,
  });
  const keyRing = createKeyRing({ issuer: 'https://op.test', secrets: ['a system secret of the tests'] });
  const deps: AdminDependencies = {
    pageTokens,
    clients: createClients({
      clients,
      bcryptCost: 4,
      now: Date.now,
      registrationUri: (id) => `https://op.test/oauth2/register/${id}`,
      validateMetadata,
    }),
    tokens: createTokens({ introspect, jwts: { open: () => undefined }, clients, adapter, redemptions, keyRing }),
    registrationTokens: createRegistrationTokens(shared),
    trustedIssuers: createTrustedIssuers(shared),
    ready,
    renderMetrics: async () => ({ contentType: 'text/plain', text: '' }),
    version: '1.2.3',
    keys: createKeys({
      ...shared,
      keySets: createKeySets({ adapter, vault: createVault(['a system secret of the tests']), now: Date.now }),
      signingKeys: { current: () => keys },
    }),
    sessions: createSessions({ ...shared, clients, deliveries: { announce: () => {} } }),
    consents: createConsents({ ...shared, issuer: 'https://op.test', clients, redemptions }),
  };
  const handler = createRouter({
    routes: adminRoutes(deps),
    authorize: createAdminAuthorize({ token, tokens }),
    responseHeaders: adminSecurityHeaders,
    alsoWithoutAdminPrefix: true,
  });
  const { origin, close } = await listen((request, response) => void handler(request, response));
  onTestFinished(close);
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const sent =
      body === undefined || body instanceof URLSearchParams || typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${origin}${path}`, { method, headers, body: sent as string });
    const text = await response.text();
    expect(await problemsOf({ method, path, status: response.status, text })).toEqual([]);
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  return { call, clients };
};
