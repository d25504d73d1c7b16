import type { StorageAdapter } from '@carnet/adapter-contract';
import { bearerGrant, createAssertionIssuer, trust } from '../assertions.ts';
import { postForm } from '../call.ts';
import type { TestClient } from '../clients.ts';
import { basicOf, registerClient } from '../clients.ts';
import { codeFor, type Json, redeem, redemptionOf } from '../login.ts';
import { assertionForm, clientAssertion } from '../signed-requests.ts';
import { clients, registrations } from '../threat-target.ts';
import { issuer, type ProviderProcess } from './provider-process.ts';

const { app, signing } = clients;

export type Answer = Awaited<ReturnType<typeof postForm>>;

/** A request to the token endpoint, to be sent to any process, and as often as wanted. */
export type TokenRequest = (
  at: Pick<ProviderProcess, 'issuer'>,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** `app`, which has a secret, and `signing`, which signs assertions. */
export const registerClients = async (adapter: StorageAdapter, at: Pick<ProviderProcess, 'issuer'>): Promise<void> => {
  await registerClient({ adapter, issuer: at.issuer }, app.id, registrations.app);
  await registerClient({ adapter, issuer: at.issuer }, signing.id, registrations.signing);
};

const post = ({ issuer: origin }: Pick<ProviderProcess, 'issuer'>, form: URLSearchParams, headers = {}) =>
  postForm(`${origin}/oauth2/token`, form, headers);

const byApp =
  (params: Readonly<Record<string, string>>): TokenRequest =>
  (at, headers = {}) =>
    post(at, new URLSearchParams(params), { ...basicOf(app), ...headers });

/** With an assertion of its own each time. */
const bySigning =
  (params: Readonly<Record<string, string>>): TokenRequest =>
  async (at, headers) => {
    const form = assertionForm(await clientAssertion(issuer));
    for (const [name, value] of Object.entries(params)) form.set(name, value);
    return post(at, form, headers);
  };

interface LoginOptions {
  readonly remember?: boolean;
  readonly client?: TestClient;
}

/** What a login of alice's ends with. */
export const newCode = (at: ProviderProcess, { remember = false, client = app }: LoginOptions = {}): Promise<string> =>
  codeFor(at, client, { browser: at.browser(), login: { remember } });

/** The tokens that a login of alice's ends with. */
export const newTokens = async (at: ProviderProcess): Promise<Json> => (await redeem(at, app, await newCode(at))).body;

export const redemption = (code: string): TokenRequest => byApp(redemptionOf(code));

export const signedRedemption = async (at: ProviderProcess): Promise<TokenRequest> =>
  bySigning(redemptionOf(await newCode(at, { client: signing })));

export const refreshing = ({ refresh_token }: Json): TokenRequest =>
  byApp({ grant_type: 'refresh_token', refresh_token: String(refresh_token) });

/** A token for one and the same assertion of an issuer that the first process is told to trust (RFC 7523). */
export const bearerUse = async (adapter: StorageAdapter, at: ProviderProcess): Promise<TokenRequest> => {
  const client = await registerClient({ adapter, issuer: at.issuer }, 'bearer', {
    grant_types: [bearerGrant],
    scope: 'read',
  });
  const trusted = await createAssertionIssuer();
  await trust(at, trusted);
  const form = new URLSearchParams({ grant_type: bearerGrant, assertion: await trusted.sign(issuer), scope: 'read' });
  return (each, headers) => post(each, form, { ...basicOf(client), ...headers });
};

/** A token of the client's own, by one and the same assertion. */
export const assertionUse = async (): Promise<TokenRequest> => {
  const form = assertionForm(await clientAssertion(issuer));
  return (at, headers) => post(at, form, headers);
};
