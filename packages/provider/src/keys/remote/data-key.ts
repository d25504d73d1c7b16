import { randomBytes } from 'node:crypto';
import type { StorageAdapter } from '@carnet/adapter-contract';
import type { KeyWrapper } from '@carnet/signer-contract';
import { z } from 'zod';
import { ConfigError } from '../../errors.ts';
import { recordId } from '../../storage/record-id.ts';
import { type ObserveCall, observed, repeated } from './calls.ts';
import { startError } from './signer-errors.ts';

/** The record of the wrapped key. */
export const wrappedKeyRecord = { kind: 'key', id: recordId(JSON.stringify(['sealing-key', 1])) } as const;

const keyBytes = 32;
/** For a call with its repetition. A process waits for it once, when it starts. */
const timeoutMs = 10_000;

const payloadSchema = z.object({ wrapped: z.base64() });

const damaged = (): ConfigError =>
  new ConfigError([
    'keys.sealedBy: the record of the encrypted key is damaged, or was removed at this moment. Start again. If the record is damaged, restore it from a backup.',
  ]);

export interface DataKeyDependencies {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
  readonly wrapper: KeyWrapper;
  /** The name of the service, for metrics. */
  readonly service: string;
  readonly observe: ObserveCall;
}

const read = async (adapter: DataKeyDependencies['adapter']): Promise<Uint8Array | undefined> => {
  const [found] = await adapter.read([wrappedKeyRecord]);
  if (found === undefined) return undefined;
  try {
    return Buffer.from(payloadSchema.parse(JSON.parse(found.payload)).wrapped, 'base64');
  } catch {
    throw damaged();
  }
};

/** Returns the wrapped key that the store has afterwards: this one, or that of a faster process. */
const create = async ({ adapter, wrapper, service, observe }: DataKeyDependencies): Promise<Uint8Array> => {
  const wrapped = await observed({ service, operation: 'wrap' }, observe, () =>
    repeated((call) => wrapper.wrap(randomBytes(keyBytes), call), timeoutMs),
  );
  const payload = JSON.stringify({ wrapped: Buffer.from(wrapped).toString('base64') });
  // This claim is the step that makes all processes use one key.
  const conflict = await adapter.commit([{ type: 'claim', record: { ...wrappedKeyRecord, payload, expiresAt: null } }]);
  const stored = conflict === undefined ? wrapped : await read(adapter);
  // A key that is not in the store must not encrypt anything: the next start could not decrypt it.
  if (stored === undefined) throw damaged();
  return stored;
};

/**
 * The key that encrypts the signing keys in the store. The store has it encrypted by a service. The first process creates
 * it.
 *
 * @throws ConfigError if the service cannot decrypt it; CarnetError `signer_unavailable`, `storage_unavailable`
 */
export const openDataKey = async (deps: DataKeyDependencies): Promise<string> => {
  const { adapter, wrapper, service, observe } = deps;
  try {
    const wrapped = (await read(adapter)) ?? (await create(deps));
    const key = await observed({ service, operation: 'unwrap' }, observe, () =>
      repeated((call) => wrapper.unwrap(wrapped, call), timeoutMs),
    );
    if (key.length === keyBytes) return Buffer.from(key).toString('base64url');
  } catch (error) {
    throw startError('keys.sealedBy', error);
  }
  throw new ConfigError([`keys.sealedBy: ${service} has decrypted something else than the key of ${keyBytes} bytes.`]);
};
