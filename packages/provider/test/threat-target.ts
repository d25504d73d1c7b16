import { exportJWK, generateKeyPair } from 'jose';
import type { Browser } from './browser.ts';
import type { TestClient } from './clients.ts';

export interface AuthorizeOptions {
  readonly browser?: Browser;
  /** Default `openid offline_access profile`. */
  readonly scope?: string;
  /** Default true. */
  readonly remember?: boolean;
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
