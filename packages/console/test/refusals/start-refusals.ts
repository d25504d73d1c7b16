import { afterAll, beforeAll } from 'vitest';
import { type ClientKeys, createClientKeys } from '../../../provider/test/client-keys.ts';
import type { LocalFunctions } from '../../src/server/console-server.ts';
import { startConsole } from '../start-console.ts';

type Console = Awaited<ReturnType<typeof startConsole>>;
type Registration = Parameters<Console['carnet']['clients']['create']>[0];

export const issuer = 'http://localhost:4444';
const challenge = 'a'.repeat(43);

/** The parameters of a valid request of the client `shop`. */
const valid: Readonly<Record<string, string>> = {
  client_id: 'shop',
  response_type: 'code',
  redirect_uri: 'https://shop.test/cb',
  scope: 'openid email',
  state: 'a-state-of-the-client',
  nonce: 'a-nonce',
  code_challenge: challenge,
  code_challenge_method: 'S256',
};

export type RequestParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The URL of the valid request with these parameters in place of its own. `undefined` leaves one out, a list repeats it. */
export const urlWith = (parameters: RequestParameters, base = `${issuer}/oauth2/auth`): string => {
  const entries = Object.entries({ ...valid, ...parameters }).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => [name, each]),
  );
  return `${base}?${new URLSearchParams(entries)}`;
};

const app = {
  redirect_uris: ['https://shop.test/cb'],
  scope: 'openid email offline_access',
  client_secret: 'a-secret-of-shop',
};

const machine = {
  grant_types: ['client_credentials'],
  scope: 'jobs',
  token_endpoint_auth_method: 'client_secret_post',
} as const;

const clientsWith = ({ jwks }: Pick<ClientKeys, 'jwks'>): readonly Registration[] => [
  {
    ...app,
    client_id: 'shop',
    grant_types: ['authorization_code', 'implicit', 'refresh_token'],
    response_types: ['code', 'code id_token', 'id_token'],
  },
  { ...app, client_id: 'code-only', grant_types: ['authorization_code'], response_types: ['code'] },
  { ...app, client_id: 'two-uris', redirect_uris: ['https://shop.test/cb', 'https://shop.test/other'] },
  { ...app, client_id: 'pushes', require_pushed_authorization_requests: true },
  { ...app, client_id: 'signs', require_signed_request_object: true, jwks, request_object_signing_alg: 'ES256' },
  { ...app, client_id: 'aged', default_max_age: 60 },
  { client_id: 'spa', redirect_uris: ['https://shop.test/cb'], scope: 'openid', token_endpoint_auth_method: 'none' },
  { ...machine, client_id: 'job', client_secret: 'a-secret-of-job', access_token_strategy: 'jwt' },
  { ...machine, client_id: 'opaque', client_secret: 'a-secret-of-opaque' },
  {
    ...app,
    client_id: 'keyed',
    client_secret: undefined,
    jwks,
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'ES256',
  },
  {
    ...app,
    client_id: 'remote',
    client_secret: undefined,
    jwks_uri: 'https://shop.test/jwks',
    token_endpoint_auth_method: 'private_key_jwt',
  },
];

/** A console on a provider with clients for each check, before the tests of a file. */
export const startRefusals = (local: LocalFunctions = {}) => {
  const start = async () => {
    const keys = await createClientKeys();
    const answers: { readonly url: string; readonly location: string }[] = [];
    const { carnet } = await startConsole({
      features: {
        hybrid: { enabled: true },
        implicit: { enabled: true },
        rar: { enabled: true, types: { payment: {} } },
      },
      resources: [{ identifier: 'https://api.test' }],
      pkce: { required: 'public' },
      events: {},
    });
    const fetch: typeof carnet.fetch = async (request) => {
      const answer = await carnet.fetch(request);
      answers.push({ url: request.url, location: answer.headers.get('location') ?? '' });
      return answer;
    };
    const viewer = { subject: 'vic', name: 'Vic', role: 'viewer' } as const;
    const console = await startConsole({}, viewer, { carnet: { ...carnet, fetch }, ...local });
    for (const client of clientsWith(keys)) await console.carnet.clients.create(client);
    return { keys, console, answers };
  };
  let started: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started.console.carnet.close());
  /** The page for a text, and the id of the check that it says has failed. */
  const diagnose = async (text: string) => {
    const response = await started.console.post('/refusals', { text });
    const page = await response.text();
    /** The text of a page's row: the check, its result, and its values. */
    const row = (check: string): string =>
      (
        page
          .split('<tr>')
          .slice(1)
          .find((each) => each.includes(check)) ?? ''
      )
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ');
    return { status: response.status, page, row, failed: /data-failed="(\w+)"/.exec(page)?.[1] };
  };
  return {
    get keys() {
      return started.keys;
    },
    get console() {
      return started.console;
    },
    /** The requests that the page has sent to the server, with where their answers redirect. */
    get answers() {
      return started.answers;
    },
    diagnose,
    /** The id of the check that has failed, or the result. */
    async verdict(text = '') {
      const { failed, page } = await diagnose(text);
      return failed ?? (page.includes('Every check passes') ? 'accepted' : 'undecided');
    },
  };
};
