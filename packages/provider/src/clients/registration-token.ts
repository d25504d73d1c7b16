import type { RecordKey } from '@carnet/adapter-contract';
import { z } from 'zod';
import { randomText } from '../random.ts';
import { payloadReader } from '../storage/payload.ts';
import { recordId } from '../storage/record-id.ts';
import type { ClientRecord } from './client-record.ts';
import { hashSecret, matchesFastHash } from './secret-hash.ts';

const make = (prefix: string): string => prefix + randomText(32);

const initialPrefix = 'carnet_iat_';

/** An initial access token, which permits the registration of one client or several (RFC 7591, section 3). */
export const generateInitialToken = (): string => make(initialPrefix);

/** `undefined` for what is no such token. */
export const initialTokenKey = (token: string): RecordKey | undefined =>
  token.startsWith(initialPrefix) ? { kind: 'registration_token', id: recordId(token) } : undefined;

const initialToken = z.object({ isReusable: z.boolean() });

export type InitialTokenPayload = Readonly<z.output<typeof initialToken>>;

export const readInitialToken = payloadReader(initialToken);

/** A registration access token (RFC 7592), and what is kept of it in the client's record. */
export const generateRegistrationToken = async (): Promise<{ readonly value: string; readonly hash: string }> => {
  const value = make('carnet_rat_');
  return { value, hash: await hashSecret(value, { generated: true }) };
};

/** In constant time. A client without a token has none that matches. */
export const matchesRegistrationToken = ({ registrationToken }: ClientRecord, token: string): boolean =>
  registrationToken !== undefined && matchesFastHash(token, registrationToken);
