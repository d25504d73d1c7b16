import { hkdfSync } from 'node:crypto';

const derive = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', `carnet console: ${purpose}`, 32));

/** The secrets of the console. Each purpose has a key of its own: a value of one purpose opens nothing of another. */
export interface ConsoleSecrets {
  /** Encrypts new cookies. */
  readonly cookieKey: Uint8Array;
  /** Decrypt cookies: the current key, then those of earlier secrets. */
  readonly cookieKeys: readonly Uint8Array[];
  /** The secret of the client that the console registers. */
  readonly clientSecret: string;
}

/** @param secrets the current one first; at least 32 characters each */
export const deriveSecrets = (secrets: readonly [string, ...string[]]): ConsoleSecrets => {
  const cookieKeys = secrets.map((secret) => derive(secret, 'cookies'));
  return {
    cookieKey: derive(secrets[0], 'cookies'),
    cookieKeys,
    clientSecret: Buffer.from(derive(secrets[0], 'client secret')).toString('base64url'),
  };
};
