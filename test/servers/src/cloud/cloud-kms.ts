import { type GoogleOptions, type GoogleStandIn, startGoogleStandIn } from './google-stand-in.ts';
import { bytesOf, fieldsOf, GoogleRefusal } from './google-status.ts';
import {
  crc32c,
  createVersion,
  decryptWith,
  encryptWith,
  type KmsVersion,
  signInput,
  verifiesChecksum,
} from './kms-key.ts';
import type { StandInRequest } from './stand-in.ts';

export interface CloudKmsOptions extends GoogleOptions {
  /** The versions that one page of a list has. Default: 100. */
  readonly pageSize?: number;
}

export interface CloudKms extends GoogleStandIn {
  /** Creates a version of a key, and the key. Returns the name of the version. */
  addVersion(cryptoKey: string, algorithm: KmsVersion['algorithm']): string;
  setState(version: string, state: KmsVersion['state']): void;
  /** Changes each answer, as an attacker on the way would. Undefined ends it. */
  setTampering(tamper: ((answer: Record<string, unknown>) => void) | undefined): void;
}

const signFields = ['digest', 'digestCrc32c', 'data', 'dataCrc32c'];
const aadFields = ['additionalAuthenticatedData', 'additionalAuthenticatedDataCrc32c'];

const checksumOf = (bytes: Uint8Array): string => String(crc32c(bytes));

const signed = (version: KmsVersion, request: StandInRequest) => {
  const fields = fieldsOf(request.body, signFields);
  const digest = fields.digest === undefined ? undefined : bytesOf(fieldsOf(fields.digest, ['sha256']), 'sha256');
  const data = fields.data === undefined ? undefined : bytesOf(fields, 'data');
  if (digest !== undefined && data !== undefined) {
    throw new GoogleRefusal('INVALID_ARGUMENT', 'Only one of digest and data may be set.');
  }
  const isDigestVerified = digest !== undefined && verifiesChecksum(fields.digestCrc32c, digest, 'digest_crc32c');
  const isDataVerified = data !== undefined && verifiesChecksum(fields.dataCrc32c, data, 'data_crc32c');
  const signature = signInput(version, { digest, data });
  // As in protocol buffers, a member that is false is absent.
  return {
    name: version.name,
    signature: signature.toString('base64'),
    signatureCrc32c: checksumOf(signature),
    ...(isDigestVerified && { verifiedDigestCrc32c: true }),
    ...(isDataVerified && { verifiedDataCrc32c: true }),
    protectionLevel: 'SOFTWARE',
  };
};

const aadOf = (fields: Readonly<Record<string, unknown>>) => {
  const aad =
    fields.additionalAuthenticatedData === undefined ? Buffer.alloc(0) : bytesOf(fields, 'additionalAuthenticatedData');
  return {
    aad,
    isVerified: verifiesChecksum(fields.additionalAuthenticatedDataCrc32c, aad, 'additional_authenticated_data_crc32c'),
  };
};

const encrypted = (versions: readonly KmsVersion[], request: StandInRequest) => {
  const fields = fieldsOf(request.body, ['plaintext', 'plaintextCrc32c', ...aadFields]);
  const plaintext = bytesOf(fields, 'plaintext');
  const { aad, isVerified } = aadOf(fields);
  const primary = versions.at(-1);
  if (primary?.secret === undefined) throw new GoogleRefusal('FAILED_PRECONDITION', 'The key is not for encryption.');
  const isPlaintextVerified = verifiesChecksum(fields.plaintextCrc32c, plaintext, 'plaintext_crc32c');
  const ciphertext = encryptWith(primary.secret, versions.length - 1, plaintext, aad);
  return {
    name: primary.name,
    ciphertext: ciphertext.toString('base64'),
    ciphertextCrc32c: checksumOf(ciphertext),
    ...(isPlaintextVerified && { verifiedPlaintextCrc32c: true }),
    ...(isVerified && { verifiedAdditionalAuthenticatedDataCrc32c: true }),
  };
};

const decrypted = (versions: readonly KmsVersion[], request: StandInRequest) => {
  const fields = fieldsOf(request.body, ['ciphertext', 'ciphertextCrc32c', ...aadFields]);
  const ciphertext = bytesOf(fields, 'ciphertext');
  verifiesChecksum(fields.ciphertextCrc32c, ciphertext, 'ciphertext_crc32c');
  const { aad } = aadOf(fields);
  const secret = versions[ciphertext[0] as number]?.secret;
  if (secret === undefined)
    throw new GoogleRefusal('INVALID_ARGUMENT', 'Decryption failed: the ciphertext is invalid.');
  const plaintext = decryptWith(secret, ciphertext, aad);
  return { plaintext: plaintext.toString('base64'), plaintextCrc32c: checksumOf(plaintext) };
};

const keyPath = '/v1/(projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/:]+)';
const listRoute = new RegExp(`^GET ${keyPath}/cryptoKeyVersions$`);
const versionRoute = new RegExp(`^(GET|POST) ${keyPath}/cryptoKeyVersions/(\\d+)(/publicKey|:asymmetricSign)$`);
const cipherRoute = new RegExp(`^POST ${keyPath}:(encrypt|decrypt)$`);

/** Starts a stand-in of Cloud KMS over REST, with real keys: `asymmetricSign`, `getPublicKey`, `encrypt`, `decrypt`. */
export const startCloudKms = async (options: CloudKmsOptions = {}): Promise<CloudKms> => {
  const { pageSize = 100 } = options;
  const keys = new Map<string, KmsVersion[]>();
  let tamper: ((answer: Record<string, unknown>) => void) | undefined;

  const versionsOf = (cryptoKey: string | undefined): KmsVersion[] => {
    const versions = keys.get(cryptoKey ?? '');
    if (versions === undefined) throw new GoogleRefusal('NOT_FOUND', `CryptoKey ${cryptoKey} not found.`);
    return versions;
  };

  const list = (cryptoKey: string | undefined, query: URLSearchParams) => {
    const filter = query.get('filter');
    if (filter !== null && filter !== 'state=ENABLED') throw new GoogleRefusal('INVALID_ARGUMENT', 'Invalid filter.');
    // Newest first: the order is not documented.
    const found = versionsOf(cryptoKey)
      .filter(({ state }) => filter === null || state === 'ENABLED')
      .reverse();
    const from = Number(query.get('pageToken') ?? 0);
    const size = Math.min(pageSize, Number(query.get('pageSize') ?? pageSize));
    const page = found.slice(from, from + size).map(({ name, state, algorithm }) => ({ name, state, algorithm }));
    const isLast = from + size >= found.length;
    return { cryptoKeyVersions: page, totalSize: found.length, ...(!isLast && { nextPageToken: String(from + size) }) };
  };

  const ofVersion = (version: KmsVersion | undefined, call: string, request: StandInRequest) => {
    if (version === undefined) throw new GoogleRefusal('NOT_FOUND', 'CryptoKeyVersion not found.');
    const { name, state, algorithm, pem } = version;
    if (state !== 'ENABLED') {
      throw new GoogleRefusal('FAILED_PRECONDITION', `${name} is not enabled, current state is: ${state}.`);
    }
    if (call === ':asymmetricSign') return signed(version, request);
    if (pem === undefined) throw new GoogleRefusal('FAILED_PRECONDITION', `${name} has no public key.`);
    return { name, algorithm, pem, pemCrc32c: checksumOf(Buffer.from(pem)), protectionLevel: 'SOFTWARE' };
  };

  const answer = (request: StandInRequest) => {
    const target = `${request.method} ${request.path}`;
    const listed = listRoute.exec(target);
    if (listed !== null) return list(listed[1], request.query);
    const [, method, cryptoKey, number, call = ''] = versionRoute.exec(target) ?? [];
    if (method === (call === ':asymmetricSign' ? 'POST' : 'GET')) {
      return ofVersion(versionsOf(cryptoKey)[Number(number) - 1], call, request);
    }
    const [, wrapping, verb] = cipherRoute.exec(target) ?? [];
    if (verb !== undefined) return (verb === 'encrypt' ? encrypted : decrypted)(versionsOf(wrapping), request);
    throw new GoogleRefusal('NOT_FOUND', 'The requested URL was not found on this server.');
  };

  const standIn = await startGoogleStandIn((request, assertAuthorized) => {
    assertAuthorized();
    const answered = answer(request);
    tamper?.(answered);
    return answered;
  }, options);
  return {
    ...standIn,
    addVersion(cryptoKey, algorithm) {
      const versions = keys.get(cryptoKey) ?? [];
      keys.set(cryptoKey, versions);
      const name = `${cryptoKey}/cryptoKeyVersions/${versions.length + 1}`;
      versions.push(createVersion(name, algorithm));
      return name;
    },
    setState(name, state) {
      const version = [...keys.values()].flat().find((each) => each.name === name);
      if (version === undefined) throw new Error(`no version ${name}`);
      version.state = state;
    },
    setTampering(next) {
      tamper = next;
    },
  };
};
