import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

type Json = Readonly<Record<string, unknown>>;

export interface AuthenticatorOptions {
  readonly origin: string;
  readonly rpId: string;
  /** Default: true. */
  readonly isUserVerified?: boolean;
  /** Whether it counts signatures. Default: no, as passkeys that are copied between devices. */
  readonly counts?: boolean;
  /** The length of its credential id. Default: 16. */
  readonly idSizeBytes?: number;
  /** More members of the client data, such as those of a page in a frame. */
  readonly clientData?: Json;
}

const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array | string): string => Buffer.from(data).toString('base64url');

/** An ES256 authenticator with one passkey, in this process. It answers as `PublicKeyCredential.toJSON()` does. */
export const createAuthenticator = ({
  origin,
  rpId,
  isUserVerified: canVerify = true,
  counts = false,
  idSizeBytes = 16,
  clientData: initialClientData = {},
}: AuthenticatorOptions) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  const id = randomBytes(idSizeBytes);
  let counter = 0;
  let isUserVerified = canVerify;
  let userHandle: string | undefined;
  let more = initialClientData;

  const clientData = (type: string, challenge: unknown): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...more }));

  /** @param flags 0x01 user present, 0x04 user verified, 0x40 with a credential */
  const authenticatorData = (flags: number, credential: Uint8Array = Buffer.alloc(0)): Buffer => {
    if (counts) counter += 1;
    const head = Buffer.alloc(5);
    head.writeUInt8(flags | 0x01 | (isUserVerified ? 0x04 : 0));
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), head, credential]);
  };

  const coordinate = (name: 'x' | 'y'): Uint8Array => new Uint8Array(Buffer.from(jwk[name] ?? '', 'base64url'));
  const coseKey = (): Uint8Array =>
    isoCBOR.encode(
      new Map<number, number | Uint8Array<ArrayBuffer>>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, coordinate('x') as Uint8Array<ArrayBuffer>],
        [-3, coordinate('y') as Uint8Array<ArrayBuffer>],
      ]),
    );

  const answer = (response: Json): Json => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    id: base64url(id),
    register(options: Json): Json {
      userHandle = (options.user as { id: string }).id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const data = authenticatorData(0x40, Buffer.concat([Buffer.alloc(16), length, id, coseKey()]));
      const attestation = new Map<string, string | Map<string, never> | Uint8Array<ArrayBuffer>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, never>()],
        ['authData', new Uint8Array(data)],
      ]);
      return answer({
        clientDataJSON: base64url(clientData('webauthn.create', options.challenge)),
        attestationObject: base64url(isoCBOR.encode(attestation)),
        transports: ['internal'],
      });
    },
    signIn(options: Json, changes: Json = {}): Json {
      const client = clientData('webauthn.get', options.challenge);
      const data = authenticatorData(0);
      return answer({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
        userHandle,
        ...changes,
      });
    },
    /** From now on the authenticator skips fingerprint and PIN. */
    skipUserVerification(): void {
      isUserVerified = false;
    },
    /** From now on the client data has these members too. */
    changeClientData(members: Json): void {
      more = members;
    },
    /** As a copy of the authenticator that has signed less often. */
    rewind(): void {
      counter = 0;
    },
  };
};
