import { type FoundRecord, kinds, type Write } from '@carnet/adapter-contract';
import { parseJson } from '@carnet/adapter-contract/kit';
import { z } from 'zod';

/** The first line of an exported file. */
const headerSchema = z.object({ carnet: z.literal('issuer'), version: z.literal(1) });

/** The last line, without which a file is not whole. */
const endSchema = z.object({ end: z.literal(true), records: z.number().int() });

const dateSchema = z.iso.datetime().transform((date) => new Date(date));

const recordSchema = z.object({
  kind: z.enum(kinds),
  id: z.string().min(1),
  grantId: z.string().min(1).optional(),
  payload: z.string(),
  expiresAt: dateSchema.nullable(),
  subject: z.string().optional(),
  clientId: z.string().optional(),
  consumedAt: dateSchema.nullable(),
  members: z.array(z.string()),
});

export const headerLine = (name: string | undefined, at: Date): string =>
  JSON.stringify({ carnet: 'issuer', version: 1, ...(name !== undefined && { name }), exportedAt: at });

export const recordLine = (record: FoundRecord): string => JSON.stringify(record);

export const endLine = (records: number): string => JSON.stringify({ end: true, records });

/** A line of a file. `header` is the first one, and `end` the last. */
export type ParsedLine =
  | { readonly type: 'header' }
  | { readonly type: 'end'; readonly records: number }
  | { readonly type: 'record'; readonly writes: readonly Write[] };

/** The writes that make a record. If there is one, they are a conflict and change nothing. */
const writesOf = ({ consumedAt, members, ...record }: FoundRecord): readonly Write[] => [
  { type: 'claim', record },
  ...(members.length > 0 ? [{ type: 'merge', key: record, members } as const] : []),
  ...(consumedAt ? [{ type: 'consume', key: record, at: consumedAt } as const] : []),
];

/** What a line is; undefined: it is damaged. */
export const parseLine = (line: string): ParsedLine | undefined => {
  const value = parseJson(line);
  const record = recordSchema.safeParse(value).data;
  if (record !== undefined) return { type: 'record', writes: writesOf(record) };
  if (headerSchema.safeParse(value).success) return { type: 'header' };
  const end = endSchema.safeParse(value).data;
  return end && { type: 'end', records: end.records };
};
