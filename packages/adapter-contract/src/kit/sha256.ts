import { createHash, createHmac, createSecretKey, type Hash, type Hmac } from 'node:crypto';

type Source = string | ArrayBuffer | ArrayBufferView;

const bytesOf = (source: Source): Uint8Array => {
  if (typeof source === 'string') return Buffer.from(source);
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
};

/**
 * SHA-256, or HMAC-SHA256 with a secret, for the SDK's signer of requests. The SDK's own class passes the secret to `createHmac` as
 * bytes, which takes three times as long in Node.js 24 as a key object.
 */
export class Sha256 {
  readonly #secret: Source | undefined;
  #state: Hash | Hmac;

  constructor(secret?: Source) {
    this.#secret = secret;
    this.#state = this.#begin();
  }

  #begin(): Hash | Hmac {
    if (this.#secret === undefined) return createHash('sha256');
    return createHmac('sha256', createSecretKey(bytesOf(this.#secret)));
  }

  update(data: Source): void {
    this.#state.update(typeof data === 'string' ? data : bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#state.digest();
  }

  reset(): void {
    this.#state = this.#begin();
  }
}
