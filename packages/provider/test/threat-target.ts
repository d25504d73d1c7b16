import { exportJWK, generateKeyPair } from 'jose';
import type { Browser } from './browser.ts';
import { redirectUri, type TestClient } from './clients.ts';
import type { Faults } from './faults.ts';

export interface AuthorizeOptions {
  readonly browser?: Browser;
  /** Default `openid offline_access profile`. */
  readonly scope?: string;
  /** Default true. */
  readonly remember?: boolean;
}

/** What can be attacked: Carnet, or oidc-provider with an ordinary adapter. The same attack runs against both. */
export interface Target {
  readonly issuer: string;
  readonly faults: Faults;
  /** What `faults` calls the session's part in a request by which a person who is logged in gets a code. */
  readonly sessionInFlight: string;
  /** What `faults` calls the storing of tokens. */
  readonly storingTokens: string;
  /** All of an authorization but its last step: opening the URL gives the code. */
  lastStep(client: TestClient, options?: AuthorizeOptions): Promise<string>;
  /** An authorization; the URL at the client, or where else it ended. */
  authorize(client: TestClient, options?: AuthorizeOptions): Promise<URL>;
  logout(browser: Browser): Promise<void>;
  /** The clients that would hear of the end of this browser's session. */
  participants(browser: Browser): Promise<readonly string[]>;
  /** How much was written since the start. */
  written(): number;
  stop(): Promise<void>;
}

const secretOf = (id: string): string => `secret of ${id}, long enough`;
export const clients = {
  app: { id: 'app', secret: secretOf('app') },
  second: { id: 'second', secret: secretOf('second') },
  third: { id: 'third', secret: secretOf('third') },
  /** Sends its secret in the body. */
  posting: { id: 'posting', secret: secretOf('posting') },
  /** Authenticates by assertions signed with `assertionKey`. */
  signing: { id: 'signing' },
} as const satisfies Readonly<Record<string, TestClient>>;

const keyPair = await generateKeyPair('ES256', { extractable: true });
export const assertionKey = keyPair.privateKey;

/** How the clients are registered, beside their secret and what all of them have. */
export const registrations: Readonly<Record<keyof typeof clients, Readonly<Record<string, unknown>>>> = {
  app: {},
  second: {},
  third: {},
  posting: { token_endpoint_auth_method: 'client_secret_post' },
  signing: {
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ ...(await exportJWK(keyPair.publicKey)), kid: 'assertions', alg: 'ES256', use: 'sig' }] },
  },
};

export const isAtClient = (url: URL): boolean => url.href.startsWith(redirectUri);
