import type { IncomingMessage } from 'node:http';

/** A request to the admin API of one issuer: `/issuers/acme/admin/clients` is `/admin/clients` of `acme`. */
export interface NamedRequest {
  readonly name: string;
  /** The path and the query below the issuer. */
  readonly url: string;
}

// No part is decoded: only the exact name of an issuer is one.
const pattern = /^\/issuers\/([a-z0-9-]{1,63})(\/.*)$/s;

/** The issuer that the path of a request names. */
export const namedIn = ({ url = '/' }: Pick<IncomingMessage, 'url'>): NamedRequest | undefined => {
  const [, name, rest] = pattern.exec(url) ?? [];
  return name === undefined || rest === undefined ? undefined : { name, url: rest };
};
