import { SignerUnfitError } from '@carnet/signer-contract';

/** The attributes that choose a token. A token must match each one that is present. */
export interface TokenChoice {
  readonly token?: string;
  readonly serial?: string;
  readonly manufacturer?: string;
  readonly model?: string;
  /** Decimal. */
  readonly 'slot-id'?: string;
}

/** The attributes that choose objects on the token: CKA_LABEL, and CKA_ID in hex. */
export interface ObjectChoice {
  readonly label?: string;
  readonly id?: string;
}

/** A `pkcs11:` URL (RFC 7512). */
export interface Pkcs11Url {
  readonly modulePath: string;
  readonly token: TokenChoice;
  readonly object: ObjectChoice;
  /** The path of the file that has the PIN. */
  readonly pinFile?: string;
  /** The number of sessions, and of threads. */
  readonly sessions: number;
}

const tokenAttributes = ['token', 'serial', 'manufacturer', 'model', 'slot-id'] as const;
const mostSessions = 64;
const defaultSessions = 4;

const refuse = (message: string): never => {
  throw new SignerUnfitError(`${message} (the pkcs11: URL of the signer)`);
};

const decode = (name: string, value: string): string => {
  try {
    return decodeURIComponent(value);
  } catch {
    return refuse(`${name} is not percent-encoded UTF-8: encode the character % as %25`);
  }
};

/** The bytes of CKA_ID, in hex: percent-encoded bytes need not be UTF-8 (RFC 7512, section 2.3). */
const decodeId = (value: string): string => {
  const bytes = value.replaceAll(/%[0-9a-f]{2}|[\s\S]/gi, (part) =>
    part.length === 3 ? part.slice(1).toLowerCase() : Buffer.from(part).toString('hex'),
  );
  return /^([0-9a-f]{2})+$/.test(bytes)
    ? bytes
    : refuse('id is empty: write its bytes percent-encoded, such as id=%01');
};

/** The attributes of the path (`separator` ;) or of the query (&), each at most once. */
const attributesOf = (part: string, separator: string): Map<string, string> => {
  const attributes = new Map<string, string>();
  for (const pair of part.split(separator)) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = at < 0 ? pair : pair.slice(0, at);
    if (at < 0) refuse(`the attribute ${name} has no value`);
    if (attributes.has(name)) refuse(`the attribute ${name} occurs twice`);
    attributes.set(name, pair.slice(at + 1));
  }
  return attributes;
};

const pinFileOf = (value: string | undefined): string | undefined => {
  if (value === undefined) return undefined;
  const path = decode('pin-source', value);
  if (path.startsWith('|')) refuse('pin-source names a command, which Carnet does not run: name a file, file:/path');
  const file = path.replace(/^file:(\/\/)?(?=\/)/, '');
  return file.startsWith('/') ? file : refuse('pin-source must be file:/ and an absolute path');
};

const sessionsOf = (value = `${defaultSessions}`): number => {
  const sessions = Number(value);
  return Number.isInteger(sessions) && sessions >= 1 && sessions <= mostSessions
    ? sessions
    : refuse(`sessions must be a number from 1 to ${mostSessions}`);
};

const takeQuery = (query: Map<string, string>): Pick<Pkcs11Url, 'modulePath' | 'pinFile' | 'sessions'> => {
  // A PIN in a URL would be printed with the configuration and be visible in the list of processes.
  if (query.has('pin-value'))
    refuse(
      'pin-value is not allowed: put the PIN into a file and name it with pin-source=file:/path, or set PKCS11_PIN',
    );
  const known = ['module-path', 'pin-source', 'sessions'];
  for (const name of query.keys())
    if (!known.includes(name)) refuse(`the query attribute ${name} is not supported: ${known.join(', ')} are`);
  const modulePath = decode('module-path', query.get('module-path') ?? '');
  if (!modulePath.startsWith('/'))
    refuse('module-path is missing: add the absolute path of the PKCS #11 module, ?module-path=/path/to/module.so');
  return { modulePath, pinFile: pinFileOf(query.get('pin-source')), sessions: sessionsOf(query.get('sessions')) };
};

/**
 * Parses the URL of a signer or of a key wrapper: `type` is the object type that it uses.
 *
 * @throws SignerUnfitError if the URL is not valid. The message says what to do, and contains no value of the URL.
 */
export const parseUrl = (url: string, type: 'private' | 'secret-key'): Pkcs11Url => {
  const [, path, query] = /^pkcs11:([^?#]*)(?:\?([^#]*))?$/.exec(url) ?? refuse('the URL must begin with pkcs11:');
  const attributes = attributesOf(path ?? '', ';');
  const [label, id] = [attributes.get('object'), attributes.get('id')];
  if ((attributes.get('type') ?? type) !== type) refuse(`type must be ${type}, or absent`);
  const token: Record<string, string> = {};
  for (const name of tokenAttributes) {
    const value = attributes.get(name);
    if (value !== undefined) token[name] = decode(name, value);
  }
  for (const name of attributes.keys())
    if (!['object', 'id', 'type', ...tokenAttributes].includes(name))
      refuse(`the attribute ${name} is not supported: ${['object', 'id', 'type', ...tokenAttributes].join(', ')} are`);
  if (Object.keys(token).length === 0) refuse('no token is chosen: add token=, serial= or slot-id=');
  return {
    ...takeQuery(attributesOf(query ?? '', '&')),
    token,
    object: {
      label: label === undefined ? undefined : decode('object', label),
      id: id === undefined ? undefined : decodeId(id),
    },
  };
};
