import type { core, ZodObject, ZodType } from 'zod';
import type { JsonObject } from '../kit/json.ts';

/** The schema of a registration, of the provider: `clientBody`. */
export type ClientSchema = ZodObject<{ readonly scope: ZodType }>;

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
  const others = grants.filter((grant) => grant !== 'client_credentials');
  const why = 'a client that does not authenticate can not use it';
  // No list of grant types is the default.
  const rest = others.length > 0 ? '' : '. It was the only grant type: the client gets the default, authorization_code';
  return {
    client: { ...client, grant_types: others },
    notes: [`left out client_credentials of grant_types: ${why}${rest}`],
  };
};

/** The server reads a blank as no scope. It takes an omitted or empty scope as the default scopes. */
const noScope = ' ';

/** The scopes that the server accepts. The others are never replaced by the default scopes. */
const acceptedScopes = (scope: unknown, schema: ClientSchema): string => {
  let kept = '';
  for (const one of typeof scope === 'string' ? scope.split(/\s+/) : []) {
    const longer = `${kept} ${one}`.trim();
    if (schema.shape.scope.safeParse(longer).success) kept = longer;
  }
  return kept === '' ? noScope : kept;
};

/** The positions of the first items of a list that the schema accepts. */
const firstAccepted = (items: readonly unknown[], schema: ZodType | undefined, maximum: number): readonly number[] =>
  [...items.keys()].filter((position) => schema?.safeParse([items[position]]).success).slice(0, maximum);

/** Positions as a reader counts them, from 1: `1, 102 to 131`. The given positions ascend. */
const formatPositions = (positions: readonly number[]): string => {
  const ends = positions.filter((position, index) => positions[index + 1] !== position + 1);
  const starts = positions.filter((position, index) => positions[index - 1] !== position - 1);
  return starts
    .map((start, index) => (start === ends[index] ? `${start + 1}` : `${start + 1} to ${(ends[index] ?? start) + 1}`))
    .join(', ');
};

type Issue = NonNullable<ReturnType<ClientSchema['safeParse']>['error']>['issues'][number];

/** A copy of a client without what the schema refuses, and the name of what was left out. */
const without = (
  client: JsonObject,
  { path: [name, index], ...issue }: Issue,
  schema: ClientSchema,
): readonly [JsonObject, string] => {
  const members: Readonly<Record<string, ZodType>> = schema.shape;
  const member = String(name);
  const value = client[member];
  if (member === 'scope') {
    const scope = acceptedScopes(value, schema);
    return [{ ...client, scope }, scope === noScope ? 'scope, so that the client has none' : 'a part of scope'];
  }
  if (Array.isArray(value) && typeof index === 'number') {
    return [{ ...client, [member]: value.filter((_, position) => position !== index) }, `${member}.${index}`];
  }
  if (Array.isArray(value) && issue.code === 'too_big') {
    const kept = firstAccepted(value, members[member], Number(issue.maximum));
    const lost = [...value.keys()].filter((position) => !kept.includes(position));
    return [{ ...client, [member]: kept.map((position) => value[position]) }, `${member} ${formatPositions(lost)}`];
  }
  const { [member]: _, ...rest } = client;
  return [rest, member];
};

/** Later items of a list are removed first, so that the positions of earlier items stay the same. */
const laterFirst = ({ path: [, one] }: Issue, { path: [, other] }: Issue): number =>
  Number(other ?? 0) - Number(one ?? 0);

/** The members that the schema refuses are left out, each with a note. `client_id` is never left out. */
const withoutRefused = (
  client: JsonObject,
  { schema, message }: Pick<ImportableOptions, 'schema' | 'message'>,
): Importable => {
  const issues =
    schema.safeParse(client, { error: message }).error?.issues.filter(({ path }) => path[0] !== 'client_id') ?? [];
  // An item or a member can have several issues.
  const byPath = new Map(issues.map((issue) => [issue.path.slice(0, 2).join('.'), issue] as const));
  const notes: string[] = [];
  let left = client;
  for (const issue of [...byPath.values()].toSorted(laterFirst)) {
    const [rest, what] = without(left, issue, schema);
    notes.push(`left out ${what}: ${issue.message}`);
    left = rest;
  }
  const hasUris = ({ redirect_uris: uris }: JsonObject): boolean => Array.isArray(uris) && uris.length > 0;
  if (hasUris(client) && !hasUris(left)) notes.push('no redirect URI is left: users can not sign in at this client');
  return { client: left, notes };
};

export interface ImportableOptions {
  /** Leaves out every member that the schema refuses, instead of letting the server refuse the client. */
  readonly lenient: boolean;
  /** The schema of a registration: `clientBody` of `@carnet/provider/clients`. */
  readonly schema: ClientSchema;
  /** Words for the issues of the schema that have none of their own: `fieldMessage` of `@carnet/provider/clients`. */
  readonly message: core.$ZodErrorMap;
}

/** Converts a client from another server's export to the body that this server accepts. */
export const importable = (exported: JsonObject, { lenient, ...options }: ImportableOptions): Importable => {
  const { client, notes } = withoutUselessGrant(withHash(exported));
  if (!lenient) return { client, notes };
  const accepted = withoutRefused(client, options);
  return { client: accepted.client, notes: [...notes, ...accepted.notes] };
};

/**
 * Why an object is no client: it has no member of a registration. The server ignores unknown members, so that it would register a
 * client with a random id and no redirect URI.
 */
export const problemOfFormat = (exported: JsonObject, schema: ClientSchema): string | undefined =>
  Object.keys(exported).some((name) => Object.hasOwn(schema.shape, name))
    ? undefined
    : 'The object has no member of a registration, such as client_id or redirect_uris. For an export of Keycloak, see the guide "Coming from Keycloak", which converts it.';
