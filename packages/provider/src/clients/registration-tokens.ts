import type { RecordKey, StorageAdapter } from '@carnet/adapter-contract';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { CarnetError } from '../errors.ts';
import { randomText } from '../random.ts';
import { payloadReader } from '../storage/payload.ts';
import { recordId } from '../storage/record-id.ts';
import { parseWith, type Refuse } from '../validation.ts';
import type { ClientRecord } from './client-record.ts';
import { hashFast, matchesFastHash } from './secret-hash.ts';

/** A registration access token (RFC 7592), and what is kept of it in the client's record. */
export const generateRegistrationToken = (): { readonly value: string; readonly hash: string } => {
  const value = `carnet_rat_${randomText(32)}`;
  return { value, hash: hashFast(value) };
};

/** In constant time. A client without a token has none that matches. */
export const matchesRegistrationToken = ({ registrationToken }: ClientRecord, token: string): boolean =>
  registrationToken !== undefined && matchesFastHash(token, registrationToken);

export const initialTokenKey = (token: string): RecordKey => ({ kind: 'registration_token', id: recordId(token) });

const initialToken = z.object({ isReusable: z.boolean() });

export const readInitialToken = payloadReader(initialToken);

const aDay = 86_400;
const aYear = 365 * aDay;

export const createRegistrationToken = z.object({
  expiresIn: z
    .int()
    .min(60)
    .max(aYear)
    .default(aDay)
    .describe('The lifetime in seconds, 60 to a year. Default: a day.'),
  reusable: z
    .boolean()
    .default(false)
    .describe('Whether the token may register any number of clients. By default it registers one.'),
});

export interface CreateRegistrationToken {
  /** The lifetime in seconds, 60 to a year. Default: a day. */
  readonly expiresIn?: number;
  /** Whether the token may register any number of clients. Default: one. */
  readonly reusable?: boolean;
}

export interface RegistrationToken {
  /** The id with which the token can be deleted. */
  readonly id: string;
  /** The initial access token. It is never shown again. */
  readonly token: string;
  readonly expiresAt: Date;
  readonly reusable: boolean;
}

/** Initial access tokens (RFC 7591, section 3), with which programs register clients. */
export interface RegistrationTokens {
  /** @throws CarnetError `invalid_request` */
  create(options?: CreateRegistrationToken): Promise<RegistrationToken>;
  /** Deletes a token, used or not. The clients that it registered stay. @throws CarnetError `not_found` */
  delete(id: string): Promise<void>;
}

interface RegistrationTokensDependencies extends Clock {
  readonly adapter: Pick<StorageAdapter, 'commit'>;
  readonly refuse: Refuse;
}

export const createRegistrationTokens = (deps: RegistrationTokensDependencies): RegistrationTokens => ({
  async create(options = {}) {
    const { expiresIn, reusable } = parseWith(createRegistrationToken, options, deps.refuse);
    const token = `carnet_iat_${randomText(32)}`;
    const key = initialTokenKey(token);
    const payload: z.output<typeof initialToken> = { isReusable: reusable };
    const expiresAt = new Date(deps.now() + expiresIn * 1000);
    await deps.adapter.commit([{ type: 'claim', record: { ...key, payload: JSON.stringify(payload), expiresAt } }]);
    return { id: key.id, token, expiresAt, reusable };
  },
  async delete(id) {
    if (!/^[\w-]{43}$/.test(id)) throw new CarnetError('not_found', '');
    await deps.adapter.commit([{ type: 'remove', key: { kind: 'registration_token', id } }]);
  },
});
