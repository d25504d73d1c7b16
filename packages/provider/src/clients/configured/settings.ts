import type { RegisteredMetadata } from '../client-schema.ts';

type Members = Omit<RegisteredMetadata, 'jwks'>;

/** A client of the key `clients`: metadata by their registered names, as in the admin API, but without `null`. */
export type ClientSettings = { readonly [Name in keyof Members]?: NonNullable<Members[Name]> } & {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly client_secret_hash?: string | string[];
  readonly jwks?: { readonly keys: ({ readonly kty: string } & Readonly<Record<string, unknown>>)[] };
  /** Increased by one, it invalidates all access tokens of the client. Default 0. */
  readonly token_epoch?: number;
};

/** `shop-app` -> `CLIENT_SHOP_APP_SECRET`: the environment variable from which the `carnet` command takes a secret. */
export const secretVariableOf = (clientId: string): string =>
  `CLIENT_${clientId.toUpperCase().replaceAll(/[^A-Z\d]+/g, '_')}_SECRET`;
