import { type CryptoKey, SignJWT } from 'jose';
import { type ClientAuth, ClientSecretPost } from 'openid-client';

interface SignedSecretOptions {
  readonly key: CryptoKey;
  readonly keyId: string;
  readonly teamId: string;
  readonly clientId: string;
  readonly audience: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Apple accepts six months. A secret that is needed once need not live longer than its request. */
const lifetimeSeconds = 300;

/** Authentication by a client secret that is a JWT, as Apple requires it. Each request gets a new one. */
export const signedSecret =
  ({ key, keyId, teamId, clientId, audience, now }: SignedSecretOptions): ClientAuth =>
  async (...request) => {
    const seconds = Math.floor(now() / 1_000);
    const secret = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setSubject(clientId)
      .setAudience(audience)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + lifetimeSeconds)
      .sign(key);
    await ClientSecretPost(secret)(...request);
  };
