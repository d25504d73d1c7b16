import { sessionKey } from '../src/sessions/session-record.ts';
import { type Browser, createBrowser, locationOf } from './browser.ts';
import { registerClient, type TestClient } from './clients.ts';
import type { Faults } from './faults.ts';
import { faultyAdapter } from './faulty-adapter.ts';
import { consentPage, type Instance, loginPage, type StartOptions, start } from './harness.ts';
import { acceptConsent, acceptLogin, authorizationUrl, begin, challengeIn } from './login.ts';
import { logoutPage, signOut, untilDelivered } from './sign-out.ts';
import { type AuthorizeOptions, clients, registrations } from './threat-target.ts';

export interface CarnetTarget {
  readonly instance: Instance;
  readonly issuer: string;
  readonly faults: Faults;
  /** All of an authorization but its last step: opening the URL gives the code. */
  lastStep(client: TestClient, options?: AuthorizeOptions): Promise<string>;
  /** An authorization; the URL at the client, or where else it ended. */
  authorize(client: TestClient, options?: AuthorizeOptions): Promise<URL>;
  logout(browser: Browser): Promise<void>;
  /** The clients that are notified when the session of this browser ends. */
  participants(browser: Browser): Promise<readonly string[]>;
  /** How much was written since the start. */
  written(): number;
  stop(): Promise<void>;
}

const urls = { login: loginPage, consent: consentPage, error: 'http://login.test/error', logout: logoutPage };

/** The `sid` in a browser's session cookie. */
export const sidIn = (browser: Browser): string => browser.cookies.get('carnet_session')?.split('.')[0] ?? '';

const logout = async (instance: Instance, browser: Browser): Promise<void> => {
  await signOut(instance, browser);
  await untilDelivered(instance.adapter);
};

const lastStep = async (
  instance: Instance,
  client: TestClient,
  { browser = createBrowser(), scope = 'openid offline_access profile', remember = true }: AuthorizeOptions,
): Promise<string> => {
  const challenge = await begin(browser, authorizationUrl(instance, client, { scope }));
  const toConsent = await acceptLogin(instance, challenge, { subject: 'alice', remember });
  const consent = challengeIn(await browser.get(toConsent), 'consent');
  return acceptConsent(instance, consent, { grant_scope: scope.split(' ') });
};

/** Carnet on a store that can be made slow or fail, with the clients of `threat-target.ts`. */
export const startCarnet = async ({ config, ...options }: StartOptions = {}): Promise<CarnetTarget> => {
  const { adapter, faults } = faultyAdapter(options.adapter);
  const instance = await start({ ...options, adapter, config: { urls, ...config } });
  for (const [name, { id }] of Object.entries(clients)) {
    await registerClient(instance, id, registrations[name as keyof typeof clients]);
  }
  instance.calls.reset();
  return {
    instance,
    issuer: instance.issuer,
    faults,
    lastStep: (client, authorization = {}) => lastStep(instance, client, authorization),
    async authorize(client, options = {}) {
      const { browser = createBrowser() } = options;
      return locationOf(await browser.get(await lastStep(instance, client, { ...options, browser })));
    },
    logout: (browser) => logout(instance, browser),
    async participants(browser) {
      const [session] = await adapter.read([sessionKey(sidIn(browser))]);
      return session?.members ?? [];
    },
    written: () => instance.calls.commits.flat().length,
    stop: instance.stop,
  };
};
