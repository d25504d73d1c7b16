import type { StoredRecord } from '@carnet/adapter-contract';
import { isObject, parseJson } from '@carnet/adapter-contract/kit';
import { z } from 'zod';
import { CarnetError } from '../errors.ts';

const isText = (value: unknown): boolean => typeof value === 'string';

export const strings: z.ZodType<readonly string[]> = z.array(z.string());
// `z.record` copies an object member by member. A payload is returned as it was stored, so a check is enough.
export const members = z.custom<Readonly<Record<string, unknown>>>(isObject);
export const texts = z.custom<Readonly<Record<string, string>>>(
  (value) => isObject(value) && Object.values(value).every(isText),
);

/**
 * Reads payloads of one shape. A payload is returned as it was stored, with members that a newer version added, so that a
 * record which is written again keeps them (D3).
 *
 * The reader throws CarnetError `server_error` for another shape. The message names members, and no values: they may be
 * secret.
 */
export const payloadReader =
  <S extends z.ZodType>(schema: S) =>
  ({ kind, payload }: Pick<StoredRecord, 'kind' | 'payload'>): z.output<S> => {
    const stored = parseJson(payload);
    const { error } = schema.safeParse(stored);
    if (error === undefined) return stored as z.output<S>;
    const paths = error.issues.map(({ path }) => path.join('.') || 'the payload');
    throw new CarnetError('server_error', `a stored ${kind} is damaged: ${paths.join(', ')}`);
  };

/** Reads a payload that is one sealed text. */
export const readSealedPayload = payloadReader(z.string());
