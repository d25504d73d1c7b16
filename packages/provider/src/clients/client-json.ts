import type { ClientRecord } from './client-record.ts';

const texts = new WeakMap<ClientRecord, string>();

/** A client as the APIs show it, as JSON: made once for as long as the record stays the same object. */
export const clientJson = (record: ClientRecord): string => {
  const known = texts.get(record);
  if (known !== undefined) return known;
  const text = JSON.stringify(record.metadata);
  texts.set(record, text);
  return text;
};

const lists = new WeakMap<readonly ClientRecord[], string>();

/** A page of clients, as JSON: made once for all who were answered with the same page. */
export const clientListJson = (records: readonly ClientRecord[]): string => {
  const known = lists.get(records);
  if (known !== undefined) return known;
  const text = `[${records.map(clientJson).join(',')}]`;
  lists.set(records, text);
  return text;
};
