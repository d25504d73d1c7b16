import { clientBody } from '@carnet/provider/clients';
import type { JsonObject } from '../json-sources.ts';

/** A client as it is sent to the admin API, and a note for each member that was changed or left out. */
export interface Importable {
  readonly client: JsonObject;
  readonly notes: readonly string[];
}

/** A PBKDF2 or bcrypt hash, as another server's database keeps it in place of a secret. */
const hashPattern = /^\$(?:pbkdf2-|2[aby]\$)/;

/** Another server's export has the hash in `client_secret`; the admin API takes it as `client_secret_hash`. */
const withHash = ({ client_secret: secret, ...client }: JsonObject): JsonObject => {
  if (secret === undefined || secret === null || secret === '') return client;
  const isHash = [secret].flat().every((one) => typeof one === 'string' && hashPattern.test(one));
  return isHash ? { ...client, client_secret_hash: secret } : { ...client, client_secret: secret };
};

/** Hydra registers public clients with this grant type and then refuses to use it, as RFC 6749 section 4.4 asks. */
const withoutUselessGrant = (client: JsonObject): Importable => {
  const { grant_types: grants, token_endpoint_auth_method: method } = client;
  if (method !== 'none' || !Array.isArray(grants) || !grants.includes('client_credentials')) {
    return { client, notes: [] };
  }
  return {
    client: { ...client, grant_types: grants.filter((grant) => grant !== 'client_credentials') },
    notes: ['left out client_credentials of grant_types: a client that does not authenticate can not use it'],
  };
};

/** A copy of a client without the member, or the item of a list, at a path. */
const without = (client: JsonObject, [name, index]: readonly PropertyKey[]): JsonObject => {
  const value = client[String(name)];
  if (Array.isArray(value) && typeof index === 'number') {
    return { ...client, [String(name)]: value.filter((_, position) => position !== index) };
  }
  const { [String(name)]: _, ...rest } = client;
  return rest;
};

/** Later items of a list are removed first, so that the positions of earlier items stay the same. */
const laterFirst = (one: readonly PropertyKey[], other: readonly PropertyKey[]): number =>
  Number(other[1] ?? 0) - Number(one[1] ?? 0);

/** The members that the schema refuses are left out, each with a note. `client_id` is never left out. */
const withoutRefused = (client: JsonObject): Importable => {
  const issues = clientBody.safeParse(client).error?.issues.filter(({ path }) => path[0] !== 'client_id') ?? [];
  const paths = new Map(issues.map(({ path }) => [path.slice(0, 2).join('.'), path] as const));
  return {
    client: [...paths.values()].toSorted(laterFirst).reduce(without, client),
    notes: issues.map(({ path, message }) => `left out ${path.join('.')}: ${message}`),
  };
};

/**
 * Converts a client from another server's export to the body that this server accepts.
 *
 * @param lenient leaves out every member that the schema refuses, instead of letting the server refuse the client
 */
export const importable = (exported: JsonObject, { lenient }: { readonly lenient: boolean }): Importable => {
  const { client, notes } = withoutUselessGrant(withHash(exported));
  if (!lenient) return { client, notes };
  const accepted = withoutRefused(client);
  return { client: accepted.client, notes: [...notes, ...accepted.notes] };
};
