import { randomBytes } from 'node:crypto';
import {
  type StandIn,
  type StandInAnswer,
  type StandInOptions,
  type StandInRequest,
  startStandIn,
} from './stand-in.ts';
import {
  createTransitVersion,
  decryptTransit,
  encryptTransit,
  signTransit,
  type TransitKey,
  type TransitType,
  type TransitVersion,
  VaultRefusal,
} from './vault-key.ts';

export interface VaultOptions extends StandInOptions {
  /** Default: none. */
  readonly namespace?: string;
}

/** The transit engine at `transit/`. */
export interface Vault extends StandIn {
  /** The token that is accepted now. */
  token(): string;
  /** Called with the body of each request that is accepted. */
  onBody(listen: ((body: unknown) => void) | undefined): void;
  /** Replaces the accepted token. */
  rotateToken(): string;
  addKey(name: string, type: TransitType): void;
  rotate(name: string): void;
  /** As `vault write transit/keys/<name>/config`. */
  configure(
    name: string,
    config: { readonly minEncryptionVersion?: number; readonly minAvailableVersion?: number },
  ): void;
}

type Fields = Readonly<Record<string, unknown>>;

const bytesOf = (fields: Fields, name: string): Buffer => {
  const text = fields[name];
  const bytes = Buffer.from(String(text ?? ''), 'base64');
  if (typeof text !== 'string' || bytes.toString('base64') !== text) {
    throw new VaultRefusal(400, `unable to decode ${name} as base64`);
  }
  return bytes;
};

/** The version that a request names, and the newest without one, as Vault does. @throws VaultRefusal */
const versionOf = (key: TransitKey, given: unknown): number => {
  const version = given === undefined || given === 0 ? key.versions.length : Number(given);
  if (version < 0) throw new VaultRefusal(400, 'requested version for signing is negative');
  if (version > key.versions.length) {
    throw new VaultRefusal(400, 'requested version for signing is higher than the latest key version');
  }
  if (version < key.minEncryptionVersion || version < key.minAvailableVersion) {
    throw new VaultRefusal(400, 'requested version for signing is less than the minimum encryption key version');
  }
  return version;
};

const describe = (name: string, { type, versions, minEncryptionVersion, minAvailableVersion }: TransitKey) => ({
  name,
  type,
  derived: false,
  exportable: false,
  latest_version: versions.length,
  min_available_version: minAvailableVersion,
  min_decryption_version: 1,
  min_encryption_version: minEncryptionVersion,
  supports_signing: type !== 'aes256-gcm96',
  keys: Object.fromEntries(
    versions
      .map(({ publicKey, createdAt }, index) => [
        index + 1,
        publicKey === undefined
          ? Math.floor(createdAt.getTime() / 1_000)
          : { name: type, creation_time: createdAt.toISOString(), public_key: publicKey },
      ])
      .filter(([version]) => Number(version) >= minAvailableVersion),
  ),
});

const signed = (key: TransitKey, hash: string | undefined, fields: Fields) => {
  const algorithm = hash ?? fields.hash_algorithm ?? 'sha2-256';
  if (algorithm !== 'sha2-256') throw new VaultRefusal(400, `the stand-in has no hash ${String(algorithm)}`);
  const marshaling = fields.marshaling_algorithm ?? 'asn1';
  if (marshaling !== 'asn1' && marshaling !== 'jws') throw new VaultRefusal(400, 'invalid marshaling type');
  const signatureAlgorithm = fields.signature_algorithm ?? 'pss';
  if (signatureAlgorithm !== 'pss' && signatureAlgorithm !== 'pkcs1v15') {
    throw new VaultRefusal(500, `unsupported rsa signature algorithm ${String(signatureAlgorithm)}`);
  }
  const version = versionOf(key, fields.key_version);
  const isJws = marshaling === 'jws';
  const signature = signTransit(key, key.versions[version - 1] as TransitVersion, {
    input: bytesOf(fields, 'input'),
    isPrehashed: fields.prehashed === true,
    isJws,
    isPkcs1: signatureAlgorithm === 'pkcs1v15',
  });
  return { key_version: version, signature: `vault:v${version}:${signature.toString(isJws ? 'base64url' : 'base64')}` };
};

const encrypted = (key: TransitKey, fields: Fields) => {
  const version = versionOf(key, fields.key_version);
  const { secret } = key.versions[version - 1] as TransitVersion;
  if (secret === undefined) throw new VaultRefusal(400, `key type ${key.type} does not support encryption`);
  const ciphertext = encryptTransit(
    secret,
    bytesOf(fields, 'plaintext'),
    bytesOf({ associated_data: '', ...fields }, 'associated_data'),
  );
  return { key_version: version, ciphertext: `vault:v${version}:${ciphertext.toString('base64')}` };
};

const decrypted = (key: TransitKey, fields: Fields) => {
  const [, version, text = ''] = /^vault:v(\d+):(.+)$/.exec(String(fields.ciphertext)) ?? [];
  const secret = key.versions[Number(version) - 1]?.secret;
  if (secret === undefined) throw new VaultRefusal(400, 'invalid ciphertext: no prefix, or an unknown version');
  const associated = bytesOf({ associated_data: '', ...fields }, 'associated_data');
  return { plaintext: decryptTransit(secret, bytesOf({ text }, 'text'), associated).toString('base64') };
};

const route = /^(GET|POST) \/v1\/transit\/(keys|sign|encrypt|decrypt)\/([^/]+)(?:\/([^/]+))?$/;

/** Starts a stand-in of Vault's transit engine, with real keys. */
export const startVault = async (options: VaultOptions = {}): Promise<Vault> => {
  const keys = new Map<string, TransitKey>();
  const namespace = options.namespace ?? '';
  let token = `hvs.${randomBytes(16).toString('hex')}`;
  let listen: ((body: unknown) => void) | undefined;

  const assertPermitted = ({ headers }: StandInRequest): void => {
    // A wrong namespace has neither the token nor the policy.
    const isOwn = (headers['x-vault-namespace'] ?? '') === namespace && headers['x-vault-token'] === token;
    if (!isOwn) throw new VaultRefusal(403, '1 error occurred:\n\t* permission denied\n\n');
  };

  const answer = (request: StandInRequest): unknown => {
    assertPermitted(request);
    const [, method, call, name = '', hash] = route.exec(`${request.method} ${request.path}`) ?? [];
    if (call === undefined) throw new VaultRefusal(404, '');
    const key = keys.get(name);
    if (call === 'keys') {
      if (key === undefined || method !== 'GET' || hash !== undefined) throw new VaultRefusal(404, '');
      return describe(name, key);
    }
    if (method !== 'POST') throw new VaultRefusal(405, 'unsupported operation');
    if (key === undefined)
      throw new VaultRefusal(400, call === 'sign' ? 'signing key not found' : 'encryption key not found');
    const fields = (request.body ?? {}) as Fields;
    listen?.(fields);
    if (call === 'sign') return signed(key, hash, fields);
    return call === 'encrypt' ? encrypted(key, fields) : decrypted(key, fields);
  };

  const answered = (request: StandInRequest): StandInAnswer => {
    try {
      return { status: 200, body: { request_id: 'stand-in', lease_id: '', data: answer(request) } };
    } catch (error) {
      if (!(error instanceof VaultRefusal)) throw error;
      return { status: error.status, body: { errors: error.message === '' ? [] : [error.message] } };
    }
  };

  const keyOf = (name: string): TransitKey => {
    const key = keys.get(name);
    if (key === undefined) throw new Error(`no key ${name}`);
    return key;
  };

  const standIn = await startStandIn(answered, options);
  return {
    ...standIn,
    token: () => token,
    onBody(next) {
      listen = next;
    },
    rotateToken() {
      token = `hvs.${randomBytes(16).toString('hex')}`;
      return token;
    },
    addKey(name, type) {
      keys.set(name, { type, versions: [createTransitVersion(type)], minEncryptionVersion: 0, minAvailableVersion: 0 });
    },
    rotate: (name) => void keyOf(name).versions.push(createTransitVersion(keyOf(name).type)),
    configure: (name, config) => void Object.assign(keyOf(name), config),
  };
};
