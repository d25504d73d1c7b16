import type { ClientRecord, OAuth2Client } from './client-record.ts';

const texts = new WeakMap<OAuth2Client, string>();

/** A client as the APIs show it, as JSON: made once for as long as the metadata stay the same object. */
export const clientJson = (metadata: OAuth2Client): string => {
  const known = texts.get(metadata);
  if (known !== undefined) return known;
  const text = JSON.stringify(metadata);
  texts.set(metadata, text);
  return text;
};

const lists = new WeakMap<readonly ClientRecord[], string>();

/** A page of clients, as JSON: made once for all callers that get the same page. */
export const clientListJson = (records: readonly ClientRecord[]): string => {
  const known = lists.get(records);
  if (known !== undefined) return known;
  const text = `[${records.map(({ metadata }) => clientJson(metadata)).join(',')}]`;
  lists.set(records, text);
  return text;
};
