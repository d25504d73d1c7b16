import { setTimeout as delay } from 'node:timers/promises';
import type { FoundRecord, StorageAdapter } from '@carnet/adapter-contract';
import { type Browser, locationOf } from './browser.ts';
import { type Endpoints, headless } from './login.ts';

export const logoutPage = 'http://login.test/logout';

export const logoutUrl = ({ issuer }: Pick<Endpoints, 'issuer'>, params: Readonly<Record<string, string>> = {}) =>
  `${issuer}/oauth2/sessions/logout?${new URLSearchParams(params)}`;

/** Where the browser goes once the logout page has said yes. */
export const acceptLogout = async (endpoints: Pick<Endpoints, 'admin'>, asked: Response): Promise<string> => {
  const challenge = locationOf(asked).searchParams.get('logout_challenge');
  const { body } = await headless(endpoints, 'PUT', `logout/accept?logout_challenge=${challenge}`);
  return String(body.redirect_to);
};

/** A whole logout: the last response. */
export const signOut = async (
  endpoints: Endpoints,
  browser: Browser,
  params: Readonly<Record<string, string>> = {},
): Promise<Response> => browser.get(await acceptLogout(endpoints, await browser.get(logoutUrl(endpoints, params))));

/** What is still to be told to clients. */
export const deliveriesIn = async (adapter: Pick<StorageAdapter, 'list'>): Promise<readonly FoundRecord[]> =>
  (await adapter.list({ kind: 'delivery', limit: 500 })).records;

/** Resolves when nothing is left to be told. */
export const untilDelivered = async (adapter: Pick<StorageAdapter, 'list'>): Promise<void> => {
  // Redis lists what is replaced at that moment neither as it was nor as it is: nothing is there twice in a row.
  for (let looks = 0; looks < 2; await delay(10)) {
    looks = (await deliveriesIn(adapter)).length === 0 ? looks + 1 : 0;
  }
};
