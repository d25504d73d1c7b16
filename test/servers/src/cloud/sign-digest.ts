import { constants, createECDH, type KeyObject, privateEncrypt } from 'node:crypto';

/** The order of P-256 (SEC 2, section 2.4.2). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const toBytes = (number: bigint): Buffer => Buffer.from(number.toString(16).padStart(64, '0'), 'hex');

const inverse = (number: bigint): bigint => {
  let [r, next, t, nextT] = [order, number % order, 0n, 1n];
  while (next !== 0n) {
    const quotient = r / next;
    [r, next] = [next, r - quotient * next];
    [t, nextT] = [nextT, t - quotient * nextT];
  }
  return t < 0n ? t + order : t;
};

interface Nonce {
  readonly r: bigint;
  readonly inverse: bigint;
}

/** Nonces, each for one signature. One inversion serves the batch, by Montgomery's method. */
const createNonces = (count: number): Nonce[] => {
  const pairs = Array.from({ length: count }, () => {
    const curve = createECDH('prime256v1');
    const point = curve.generateKeys();
    return { k: toNumber(curve.getPrivateKey()), r: toNumber(point.subarray(1, 33)) % order };
  });
  const products = [1n];
  for (const { k } of pairs) products.push(((products.at(-1) as bigint) * k) % order);
  let inverted = inverse(products.at(-1) as bigint);
  return pairs.toReversed().map(({ k, r }, index) => {
    const own = (inverted * (products[count - 1 - index] as bigint)) % order;
    inverted = (inverted * k) % order;
    return { r, inverse: own };
  });
};

const batchSize = 16;

/**
 * The ECDSA signature of a digest with P-256, 64 bytes (FIPS 186-5, section 6.4.1). `sign` of node:crypto always hashes, and
 * a key management service gets digests. For tests: the arithmetic is not constant-time.
 */
export const createEcdsa = (privateKey: KeyObject): ((digest: Buffer) => Buffer) => {
  const { d } = privateKey.export({ format: 'jwk' });
  const secret = toNumber(Buffer.from(d as string, 'base64url'));
  let nonces: Nonce[] = [];
  return (digest) => {
    if (nonces.length === 0) nonces = createNonces(batchSize);
    const { r, inverse: inverted } = nonces.pop() as Nonce;
    const s = (inverted * (toNumber(digest) + r * secret)) % order;
    return Buffer.concat([toBytes(r), toBytes(s)]);
  };
};

const derNumber = (bytes: Buffer): Buffer => {
  const at = bytes.findIndex((byte) => byte !== 0);
  const digits = bytes.subarray(at);
  const isNegative = (digits[0] as number) >= 0x80;
  return Buffer.concat([
    Buffer.from([0x02, digits.length + Number(isNegative)]),
    Buffer.alloc(Number(isNegative)),
    digits,
  ]);
};

/** A signature of 64 bytes as DER. */
export const derOf = (signature: Buffer): Buffer => {
  const numbers = Buffer.concat([derNumber(signature.subarray(0, 32)), derNumber(signature.subarray(32))]);
  return Buffer.concat([Buffer.from([0x30, numbers.length]), numbers]);
};

/** The prefix of DigestInfo for SHA-256 (RFC 8017, section 9.2). */
const digestInfo = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/** The RSASSA-PKCS1-v1_5 signature of a digest of SHA-256. */
export const signRsaDigest = (key: KeyObject, digest: Buffer): Buffer =>
  privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.concat([digestInfo, digest]));
