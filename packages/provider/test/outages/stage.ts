import type { ConfigInput } from '@carnet/provider';
import { redirectUri, type TestClient } from '../clients.ts';
import { authorize, codeIn, type Json, redeem } from '../login.ts';
import { type ProviderProcess, startProvider } from '../stores/provider-process.ts';
import { clients, registrations } from '../threat-target.ts';

/** A provider whose store is going to fail, and what alice had got from it before. */
export interface Stage {
  readonly provider: ProviderProcess;
  /** Of a browser in which her login is remembered. */
  readonly cookies: ReadonlyMap<string, string>;
  /** Of that login. */
  readonly tokens: Json;
  stop(): Promise<void>;
}

const { app, signing } = clients;

const register = async ({ admin }: ProviderProcess, { id, secret }: TestClient, metadata: object): Promise<void> => {
  const body = {
    client_id: id,
    client_secret: secret,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    scope: 'openid offline_access profile',
    ...metadata,
  };
  const { status } = await fetch(`${admin}/admin/clients`, { method: 'POST', body: JSON.stringify(body) });
  if (status !== 201) throw new Error(`The client ${id} could not be registered: ${status}.`);
};

/** The code that somebody's login ends with. */
export const newCode = async (
  { provider }: Pick<Stage, 'provider'>,
  subject: string,
  remember = false,
): Promise<string> => {
  const end = await authorize(provider, app, { browser: provider.browser(), subject, login: { remember } });
  return codeIn(end);
};

/** Somebody's login, remembered in a browser of its own. */
export const rememberLogin = async (
  { provider }: Pick<Stage, 'provider'>,
  subject: string,
): Promise<Pick<Stage, 'cookies' | 'tokens'>> => {
  const browser = provider.browser();
  const end = await authorize(provider, app, { browser, subject, login: { remember: true } });
  const { body } = await redeem(provider, app, codeIn(end));
  return { cookies: browser.cookies, tokens: body };
};

/** Starts it with the clients of the tests. */
export const openStage = async (storage: NonNullable<ConfigInput['storage']>): Promise<Stage> => {
  const quietly = { storage: { ...storage, sweepSeconds: 0 }, log: { level: 'silent' } } as const;
  const provider = await startProvider({ storage, config: quietly });
  await register(provider, app, registrations.app);
  await register(provider, signing, registrations.signing);
  return { provider, ...(await rememberLogin({ provider }, 'alice')), stop: () => provider.kill() };
};
