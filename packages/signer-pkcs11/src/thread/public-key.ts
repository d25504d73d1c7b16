import { createPublicKey, type JsonWebKeyInput, type KeyObject, X509Certificate } from 'node:crypto';
import type { Handle } from './module.ts';
import { attributeOf, findObjects, type ObjectName } from './objects.ts';
import type { Session } from './session.ts';

type Read = (type: keyof Session['pkcs11'] & `CKA_${string}`) => Buffer | undefined;

/** Object identifiers in DER. Modules name Ed25519 by its identifier (RFC 8410) or by a string (PKCS #11 v3.0). */
const p256 = Buffer.from('06082a8648ce3d030107', 'hex');
const ed25519 = [
  Buffer.from('06032b6570', 'hex'),
  Buffer.from(`130c${Buffer.from('edwards25519').toString('hex')}`, 'hex'),
];

const fromJwk = (jwk: JsonWebKeyInput['key']): KeyObject => createPublicKey({ key: jwk, format: 'jwk' });

const rsaKey = (read: Read): KeyObject | undefined => {
  const [n, e] = [read('CKA_MODULUS'), read('CKA_PUBLIC_EXPONENT')];
  return n && e && fromJwk({ kty: 'RSA', n: n.toString('base64url'), e: e.toString('base64url') });
};

/** The point is a DER octet string; some modules give its content only. */
const contentOf = (point: Buffer, bytes: number): Buffer =>
  point.length === bytes + 2 && point[0] === 4 && point[1] === bytes ? point.subarray(2) : point;

const ecKey = (read: Read): KeyObject | undefined => {
  const point = read('CKA_EC_POINT');
  if (!point || !read('CKA_EC_PARAMS')?.equals(p256)) return undefined;
  const content = contentOf(point, 65);
  if (content.length !== 65 || content[0] !== 4) return undefined;
  const [x, y] = [content.subarray(1, 33), content.subarray(33)];
  return fromJwk({ kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') });
};

const edwardsKey = (read: Read): KeyObject | undefined => {
  const [point, params] = [read('CKA_EC_POINT'), read('CKA_EC_PARAMS')];
  if (!point || !ed25519.some((name) => params?.equals(name))) return undefined;
  const content = contentOf(point, 32);
  return content.length === 32 ? fromJwk({ kty: 'OKP', crv: 'Ed25519', x: content.toString('base64url') }) : undefined;
};

/** The public key that the attributes of one object have. */
const ofObject = (session: Session, object: Handle): KeyObject | undefined => {
  const read: Read = (type) => attributeOf(session, object, session.pkcs11[type] as number);
  try {
    return rsaKey(read) ?? ecKey(read) ?? edwardsKey(read);
  } catch (error) {
    // Attributes that are no key of this type: node:crypto refuses them.
    if (error instanceof Error && 'code' in error && `${error.code}`.startsWith('ERR_')) return undefined;
    throw error;
  }
};

const ofCertificate = (session: Session, object: Handle): KeyObject | undefined => {
  const der = attributeOf(session, object, session.pkcs11.CKA_VALUE);
  try {
    return der && new X509Certificate(der).publicKey;
  } catch {
    return undefined;
  }
};

/**
 * The public half of a private key: of the private key object itself, of the public key object with the same CKA_ID, or of the
 * certificate with the same CKA_ID. A wrong public key does no harm: Carnet verifies each signature before it sends it.
 */
export const publicKeyOf = (session: Session, { object, id }: ObjectName, keyType: number): KeyObject | undefined => {
  const { CKA_CLASS, CKA_ID, CKA_KEY_TYPE, CKO_PUBLIC_KEY, CKO_CERTIFICATE } = session.pkcs11;
  const own = ofObject(session, object);
  if (own || id === '') return own;
  const sameId = { type: CKA_ID, value: Buffer.from(id, 'hex') };
  const halves = findObjects(session, [
    { type: CKA_CLASS, value: CKO_PUBLIC_KEY },
    { type: CKA_KEY_TYPE, value: keyType },
    sameId,
  ]).map((half) => ofObject(session, half));
  const certificates = () =>
    findObjects(session, [{ type: CKA_CLASS, value: CKO_CERTIFICATE }, sameId]).map((half) =>
      ofCertificate(session, half),
    );
  return [...halves, ...certificates()].find((key) => key !== undefined);
};
