import type { StorageAdapter } from '@carnet/adapter-contract';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { CarnetError } from '../errors.ts';
import { parseWith, type Refuse } from '../validation.ts';
import { generateInitialToken, type InitialTokenPayload, initialTokenKey } from './registration-token.ts';

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

export interface RegistrationTokensDependencies extends Clock {
  readonly adapter: Pick<StorageAdapter, 'commit'>;
  readonly refuse: Refuse;
}

export const createRegistrationTokens = (deps: RegistrationTokensDependencies): RegistrationTokens => ({
  async create(options = {}) {
    const { expiresIn, reusable } = parseWith(createRegistrationToken, options, deps.refuse);
    const token = generateInitialToken();
    const key = initialTokenKey(token);
    if (key === undefined) throw new TypeError('a token of another shape');
    const payload: InitialTokenPayload = { isReusable: reusable };
    const expiresAt = new Date(deps.now() + expiresIn * 1000);
    await deps.adapter.commit([{ type: 'claim', record: { ...key, payload: JSON.stringify(payload), expiresAt } }]);
    return { id: key.id, token, expiresAt, reusable };
  },
  async delete(id) {
    if (!/^[\w-]{43}$/.test(id)) throw new CarnetError('not_found', '');
    await deps.adapter.commit([{ type: 'remove', key: { kind: 'registration_token', id } }]);
  },
});
