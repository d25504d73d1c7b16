import type { WebAuthnCredential } from '@simplewebauthn/server';
import type { Factor } from '../store.ts';

/** The payload of a passkey. It holds no secret: the private key never leaves the authenticator. */
export interface PasskeyPayload {
  /** COSE key, base64url. */
  readonly publicKey: string;
  readonly transports: readonly string[];
  /** 32 random bytes, base64url: the same in all passkeys of a user, and it reveals nothing about the user. */
  readonly userHandle: string;
  /** Whether the passkey is copied between devices. */
  readonly isSynced: boolean;
}

export const passkeyPayload = (factor: Factor): PasskeyPayload => JSON.parse(factor.payload);

/** For `allowCredentials` and `excludeCredentials`. */
export const descriptorOf = (factor: Factor): { id: string; transports: string[] } => ({
  id: factor.id,
  transports: [...passkeyPayload(factor).transports],
});

export const credentialOf = (factor: Factor): WebAuthnCredential => ({
  ...descriptorOf(factor),
  publicKey: new Uint8Array(Buffer.from(passkeyPayload(factor).publicKey, 'base64url')),
  counter: factor.counter,
});
