import type { Accounts } from '@carnet/accounts';
import { servePages } from '../../../../test/browser/serve-pages.ts';
import { listen } from '../../../../test/servers/src/listen.ts';
import { accountCookies } from '../../src/account/account-session.ts';
import type { SessionsApi } from '../../src/api/sessions-api.ts';
import { pagesOf } from '../../src/pages.ts';
import type { Services } from '../../src/services.ts';
import { partOfServices } from '../services.ts';
import { createStandInProviders, type StandInProviders, signedIn } from '../stand-in-providers.ts';
import { startProviderPage } from './provider-page.ts';

/** The pages on `localhost` with a user, and a provider on `127.0.0.1`: for browsers these are two sites. */
export interface ProviderPages {
  readonly ui: string;
  readonly providers: StandInProviders;
  /** The bodies with which login requests were accepted or rejected. */
  readonly decided: object[];
  /** The name and the value of the cookie of a user on the account page. */
  readonly session: { readonly name: string; readonly value: string };
  close(): Promise<void>;
}

const user = { subject: 'u1', name: 'Ada Lovelace', detail: 'ada@example.com' };
const corp = { name: 'corp', label: 'Northwind Traders International' };

const withResults = (providers: StandInProviders): StandInProviders => {
  const { results, linked } = providers;
  for (const state of ['denied', 'provider_failed', 'unknown_user'] as const) results.set(state, { state });
  results.set('first', { state: 'sign_up', progress: 'p', user });
  results.set('link', { state: 'link', link: 'proof', login: user.detail, provider: corp });
  results.set('factor', { state: 'factor', progress: 'p', user, kinds: ['totp', 'recovery_code'] });
  const linkedAt = new Date('2026-11-20T10:00:00Z');
  linked.push({ id: 'i1', provider: 'corp', label: corp.label, shown: 'ada@northwind.example', linkedAt });
  return providers;
};

const accountsOf = (providers: StandInProviders): Accounts =>
  ({
    settings: async () => ({ factorKinds: [], passwordRecovery: true, signUp: true }),
    signIn: {
      password: async ({ password }: { password: string }) => (password === 'secret' ? signedIn : { state: 'refused' }),
      factor: async () => signedIn,
    },
    account: { show: async () => ({ user, claims: { email: user.detail }, can: {} }) },
    factors: { list: async () => ({ factors: [] }) },
    providers,
  }) as unknown as Accounts;

/** The page to which the provider of the login requests would redirect. */
const issuerPage = '<!doctype html><html lang="en"><title>Issuer</title><h1>Signed in</h1>';

export const startProviderPages = async (): Promise<ProviderPages> => {
  const page = await startProviderPage();
  const issuer = await listen((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'referrer-policy': 'no-referrer' }).end(issuerPage),
  );
  const labels = [corp, { name: 'google', label: 'Google', preset: 'google' } as const];
  const standIn = withResults(createStandInProviders(labels));
  const providers: StandInProviders = {
    ...standIn,
    begin: async (input) => {
      const { url, cookie } = await standIn.begin(input);
      const state = new URL(url).searchParams.get('state') ?? '';
      return { url: `${page.origin}/?${new URLSearchParams({ state, callback: input.callback })}`, cookie };
    },
  };
  const decided: object[] = [];
  const decide = async (_challenge: string, body: object) => {
    decided.push(body);
    return { state: 'decided', redirectTo: `${issuer.origin}/oauth2/auth` } as const;
  };
  const request = { skip: false, subject: '', client: { client_id: 'shop', client_name: 'Shop' } };
  const login = { find: async () => ({ state: 'open', request }) as const, accept: decide, reject: decide };
  const services = partOfServices({
    api: { login } as unknown as Services['api'],
    accounts: accountsOf(providers),
    sessionsApi: { sessions: async () => [], clients: async () => [] } as Partial<SessionsApi> as SessionsApi,
  });
  let ui = '';
  const { port, close } = await servePages((received) =>
    pagesOf({ ...services, settings: { ...services.settings, uiUrl: new URL(ui) } })(received),
  );
  ui = `http://localhost:${port}`;
  const session = { subject: user.subject, authTime: Math.floor(Date.now() / 1000), idToken: 't', isKept: false };
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(accountCookies(services).session.set(session)) ?? [];
  return {
    ui,
    providers,
    decided,
    session: { name, value },
    close: async () => void (await Promise.all([close(), issuer.close(), page.close()])),
  };
};
