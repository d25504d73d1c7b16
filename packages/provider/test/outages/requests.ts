import { setTimeout as pause } from 'node:timers/promises';
import { basicOf } from '../clients.ts';
import { authorizationUrl } from '../login.ts';
import { assertionUse } from '../stores/token-requests.ts';
import { clients } from '../threat-target.ts';
import type { Stage } from './stage.ts';
import { verdictOn } from './verdict.ts';

/** A request that can't be answered without the store. */
export interface StoreRequest {
  readonly title: string;
  readonly send: (stage: Stage) => Promise<Response>;
  /** What it is answered with while the store works. */
  readonly status: number;
  /** Text of every such answer: what is not there was not found. */
  readonly holds?: string;
}

const { app } = clients;
const { authorization = '' } = basicOf(app);

const post = (url: string, form: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) });

export const introspection: StoreRequest = {
  title: 'introspection',
  send: ({ provider, tokens }) =>
    post(`${provider.admin}/admin/oauth2/introspect`, { token: String(tokens.access_token) }),
  status: 200,
  holds: '"active":true',
};

export const clientCredentials: StoreRequest = {
  title: 'client_credentials',
  send: ({ provider }) => post(`${provider.issuer}/oauth2/token`, { grant_type: 'client_credentials' }),
  status: 200,
  holds: 'access_token',
};

export const assertion: StoreRequest = {
  title: 'a token request by a client that signs an assertion',
  async send({ provider }) {
    const { status, headers, body } = await (await assertionUse())(provider);
    return new Response(JSON.stringify(body), { status, headers: new Headers(headers) });
  },
  status: 200,
  holds: 'access_token',
};

export const loggedIn: StoreRequest = {
  title: 'an authorization request of somebody who is logged in',
  send: ({ provider, cookies }) => provider.browser(cookies).get(authorizationUrl(provider, app)),
  status: 302,
};

export const registration: StoreRequest = {
  title: 'the registration of a client',
  send: ({ provider }) =>
    fetch(`${provider.admin}/admin/clients`, {
      method: 'POST',
      body: JSON.stringify({ client_id: clients.signing.id }),
    }),
  // It is there already: only the store knows, and only when it writes.
  status: 409,
};

export const listing: StoreRequest = {
  title: 'the list of clients',
  send: ({ provider }) => fetch(`${provider.admin}/admin/clients`),
  status: 200,
  holds: app.id,
};

const others: readonly StoreRequest[] = [
  {
    title: 'userinfo',
    send: ({ provider, tokens }) =>
      fetch(`${provider.issuer}/userinfo`, { headers: { authorization: `Bearer ${tokens.access_token}` } }),
    status: 200,
    holds: 'alice',
  },
  {
    title: 'an authorization request of a client nobody has heard of',
    send: ({ provider }) => provider.browser().get(authorizationUrl(provider, { id: 'unheard-of' })),
    // To the page for errors.
    status: 302,
  },
  {
    title: 'a client nobody has heard of',
    send: ({ provider }) => fetch(`${provider.admin}/admin/clients/unheard-of`),
    status: 404,
  },
];

/** One of each kind. */
export const storeRequests: readonly StoreRequest[] = [
  introspection,
  clientCredentials,
  assertion,
  loggedIn,
  registration,
  listing,
  ...others,
];

/** Far beyond every timeout of the stores here. Milliseconds. */
const silenceMs = 15_000;

/** What comes of a request: `answered`, `unavailable`, or what is wrong. */
export const ask = async (request: StoreRequest, stage: Stage): Promise<string> => {
  const over = new AbortController();
  const silence = pause(silenceMs, `no answer within ${silenceMs} ms`, { signal: over.signal });
  silence.catch(() => {});
  const answer = request.send(stage).then(
    (response) => verdictOn(response, request),
    (error: Error) => `no answer: ${error.message}`,
  );
  try {
    return await Promise.race([answer, silence]);
  } finally {
    over.abort();
  }
};

/** What comes of each, by its title. */
export const askAll = async (
  stage: Stage,
  requests: readonly StoreRequest[] = storeRequests,
): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    await Promise.all(requests.map(async (request) => [request.title, await ask(request, stage)] as const)),
  );

export const each = (verdict: string, requests: readonly StoreRequest[] = storeRequests) =>
  Object.fromEntries(requests.map(({ title }) => [title, verdict]));
