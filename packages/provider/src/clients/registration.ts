import type { ClientRecord } from './client-record.ts';

/** What a client is registered for, in the form that requests are compared with. */
export interface Registration {
  /** Without a registered scope it has `openid`. */
  readonly scopes: ReadonlySet<string>;
  /** What it has registered, and the resources that are open to every client. */
  readonly audience: ReadonlySet<string>;
  /** Seconds since 1970. */
  readonly since: number;
  /** The scopes of the resources that are open to every client, by identifier. */
  readonly open: ReadonlyMap<string, readonly string[]>;
}

/** What is read of a client. */
type Registered = Pick<ClientRecord, 'metadata' | 'open'>;

const registrations = new WeakMap<object, Registration>();

const derive = ({ metadata, open = [] }: Registered): Registration => ({
  scopes: new Set((metadata.scope || 'openid').split(' ').filter(Boolean)),
  audience: new Set([...(metadata.audience ?? []), ...open.map(({ identifier }) => identifier)]),
  since: Math.floor(Date.parse(metadata.created_at) / 1000),
  open: new Map(open.map(({ identifier, scopes }) => [identifier, scopes])),
});

/** Derived once for as long as the record is the same object. */
export const registrationOf = (record: Registered): Registration => {
  const known = registrations.get(record);
  if (known !== undefined) return known;
  const registration = derive(record);
  registrations.set(record, registration);
  return registration;
};

/** The scopes that come with those of the resources that are open to every client. */
export const openScopes = (record: Registered, resources: readonly string[]): readonly string[] => {
  const { open } = registrationOf(record);
  return open.size === 0 ? [] : resources.flatMap((one) => open.get(one) ?? []);
};

/**
 * The scopes that a client may have together with these resources. An open resource brings its scopes only where it is
 * named: a token for anything else never has them.
 */
export const scopesWith = (record: Registered, resources: readonly string[]): ReadonlySet<string> => {
  const { scopes } = registrationOf(record);
  const more = openScopes(record, resources);
  return more.length === 0 ? scopes : new Set([...scopes, ...more]);
};

/**
 * Whether something that a client got at a time, in seconds since 1970, was this client's: one that was deleted and
 * registered again under the same id inherits nothing.
 */
export const isOfRegistration = (record: Pick<ClientRecord, 'metadata'>, seconds: number): boolean =>
  seconds >= registrationOf(record).since;

/** The generation that access tokens of a client are issued under today; those of any other are dead. */
export const tokenGenerationOf = ({ tokenGeneration = 0 }: Pick<ClientRecord, 'tokenGeneration'>): number =>
  tokenGeneration;
