import { isUtf8 } from 'node:buffer';

type Members = Readonly<Record<string, unknown>>;

/** A compact JWS (RFC 7515) with claims. Its signature is not verified yet. */
export interface UnverifiedJws {
  readonly header: Members;
  readonly claims: Members;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

/** Buffer decodes base64url leniently: only the canonical text of the bytes is accepted. */
const bytesOf = (segment: string): Buffer => {
  const bytes = Buffer.from(segment, 'base64url');
  if (bytes.toString('base64url') !== segment) throw new TypeError('not base64url');
  return bytes;
};

const membersOf = (segment: string): Members => {
  const bytes = bytesOf(segment);
  const value: unknown = isUtf8(bytes) && JSON.parse(bytes.toString());
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('not a JSON object');
  return { ...value };
};

/** Undefined for a text that is no compact JWS, or that has extensions which its recipient must understand (`crit`). */
export const readJws = (text: string): UnverifiedJws | undefined => {
  const [head = '', body = '', signature, ...rest] = text.split('.');
  if (signature === undefined || rest.length > 0) return undefined;
  try {
    const header = membersOf(head);
    if (header.crit !== undefined) return undefined;
    return { header, claims: membersOf(body), signed: Buffer.from(`${head}.${body}`), signature: bytesOf(signature) };
  } catch {
    return undefined;
  }
};
