import { type Browser, createBrowser, locationOf } from './browser.ts';
import { postForm } from './call.ts';
import type { TestClient } from './clients.ts';
import { basicOf } from './clients.ts';
import { consentPage, loginPage } from './harness.ts';
import { acceptConsent, acceptLogin, challengeIn, type Decisions, type Endpoints, headless } from './login.ts';

const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';

export const devicePages = { verification: 'http://login.test/device', success: 'http://login.test/device/success' };

/** For `start`: a device may ask as often as it likes. */
export const deviceConfig = {
  urls: { login: loginPage, consent: consentPage, error: 'http://login.test/error', device: devicePages },
  features: { device: { pollingIntervalSeconds: 1 } },
};

/** What a client of devices is registered for. */
export const deviceMetadata = { grant_types: [deviceGrantType, 'refresh_token'], redirect_uris: [] };

export interface DeviceCodes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
}

const post = (url: string, client: TestClient, params: Readonly<Record<string, string>>) =>
  postForm(url, client.secret === undefined ? { client_id: client.id, ...params } : params, basicOf(client));

export const askForCodes = (
  { issuer }: Pick<Endpoints, 'issuer'>,
  client: TestClient,
  params: Readonly<Record<string, string>> = {},
) => post(`${issuer}/oauth2/device/auth`, client, { scope: 'openid offline_access profile', ...params });

export const newCodes = async (
  at: Pick<Endpoints, 'issuer'>,
  client: TestClient,
  params: Readonly<Record<string, string>> = {},
) => (await askForCodes(at, client, params)).body as unknown as DeviceCodes;

export const poll = ({ issuer }: Pick<Endpoints, 'issuer'>, client: TestClient, deviceCode: string) =>
  post(`${issuer}/oauth2/token`, client, { grant_type: deviceGrantType, device_code: deviceCode });

/** Begins the person's part; returns the challenge. */
export const beginDevice = async (
  { issuer }: Pick<Endpoints, 'issuer'>,
  browser: Browser,
  query: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const url = `${issuer}/oauth2/device/verify?${new URLSearchParams(query)}`;
  const challenge = locationOf(await browser.get(url)).searchParams.get('device_challenge');
  if (challenge === null) throw new Error('no device_challenge');
  return challenge;
};

export const acceptUserCode = (at: Pick<Endpoints, 'admin'>, challenge: string, userCode: string) =>
  headless(at, 'PUT', `device/accept?device_challenge=${challenge}`, { user_code: userCode });

/** The user's part up to the login page: the login challenge. */
export const typeCode = async (
  at: Endpoints,
  browser: Browser,
  userCode: string,
  query: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const { body } = await acceptUserCode(at, await beginDevice(at, browser, query), userCode);
  return challengeIn(await browser.get(String(body.redirect_to)), 'login');
};

export type DeviceWalk = Decisions & { readonly browser?: Browser };

/** From the user code to the URL that ends the flow: all a person does, without the last redirect. */
export const walkDevice = async (
  at: Endpoints,
  { user_code }: Pick<DeviceCodes, 'user_code'>,
  { browser = createBrowser(), subject = 'alice', login, consent }: DeviceWalk = {},
): Promise<{ readonly browser: Browser; readonly end: string }> => {
  const toConsent = await acceptLogin(at, await typeCode(at, browser, user_code), { subject, ...login });
  const end = await acceptConsent(at, challengeIn(await browser.get(toConsent), 'consent'), consent);
  return { browser, end };
};

/** A person lets a device in; returns where the browser ends. */
export const letIn = async (at: Endpoints, codes: DeviceCodes, options: DeviceWalk = {}): Promise<Response> => {
  const { browser, end } = await walkDevice(at, codes, options);
  return browser.get(end);
};
