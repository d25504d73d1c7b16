import { createHash, generateKeyPairSync, sign, verify } from 'node:crypto';

const times = 300;

const microsecondsOf = (work: () => void): number => {
  const before = process.cpuUsage();
  for (let index = 0; index < times; index += 1) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
};

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = publicKey.export({ format: 'jwk' });
/** As long as the signing input of a DPoP proof. */
const input = Buffer.alloc(300, 'a');
const signature = sign('sha256', input, privateKey);

/** CPU microseconds of cryptography that cannot be avoided, as node:crypto takes them in this process. */
export interface CryptoCost {
  /** One more ES256 signature: that of a JWT access token. */
  readonly signature: number;
  /** The check of a DPoP proof by a known key: its thumbprint, an ES256 verification. */
  readonly proof: number;
}

export const measureCrypto = (): CryptoCost => ({
  signature: microsecondsOf(() => sign('sha256', input, privateKey)),
  proof: microsecondsOf(() => {
    createHash('sha256').update(JSON.stringify(jwk)).digest('base64url');
    if (!verify('sha256', input, publicKey, signature)) throw new Error('the signature is not verified');
  }),
});
