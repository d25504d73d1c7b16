import type { ClientRecord } from '../clients/client-record.ts';

/** Fields that come back as `null` from a create or a PUT that did not give them, and as `[]` ever after: as in Hydra. */
const echoedAsNull = ['redirect_uris', 'grant_types', 'response_types', 'contacts'] as const;

export interface EchoOptions {
  /** Shown this once: it is not kept. */
  readonly secret: string | undefined;
  /** With which the client manages itself, and where. Shown this once. */
  readonly registration?: { readonly token: string; readonly uri: string };
  /** What the client was made from. */
  readonly sent?: unknown;
}

const unsetIn = (sent: unknown): readonly string[] => {
  if (typeof sent !== 'object' || sent === null) return [];
  const fields = sent as Readonly<Record<string, unknown>>;
  return echoedAsNull.filter((name) => fields[name] === undefined || fields[name] === null);
};

/** A client as it is answered to whoever has just made or changed it. */
export const echoBody = ({ metadata }: ClientRecord, { secret, registration, sent }: EchoOptions): object => ({
  ...metadata,
  ...Object.fromEntries(unsetIn(sent).map((name) => [name, null])),
  ...(secret === undefined ? {} : { client_secret: secret }),
  ...(registration && {
    registration_access_token: registration.token,
    registration_client_uri: registration.uri,
  }),
});
