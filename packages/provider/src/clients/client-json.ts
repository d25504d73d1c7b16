import type { OAuth2Client } from './client-record.ts';

const texts = new WeakMap<OAuth2Client, string>();

/** A client as the APIs show it, as JSON: made once for as long as the metadata stay the same object. */
export const clientJson = (metadata: OAuth2Client): string => {
  const known = texts.get(metadata);
  if (known !== undefined) return known;
  const text = JSON.stringify(metadata);
  texts.set(metadata, text);
  return text;
};

const lists = new WeakMap<readonly OAuth2Client[], string>();

/** A page of clients, as JSON: made once for all callers that get the same page. */
export const clientListJson = (clients: readonly OAuth2Client[]): string => {
  const known = lists.get(clients);
  if (known !== undefined) return known;
  const text = `[${clients.map(clientJson).join(',')}]`;
  lists.set(clients, text);
  return text;
};
