import { randomText } from '../random.ts';
import type { ClientRecord } from './client-record.ts';

/** What a client is registered for, in the form that requests are compared with. */
export interface Registration {
  /** Without a registered scope it has `openid`. */
  readonly scopes: ReadonlySet<string>;
  /** The audience that the client has registered, and the resources that are open to every client. */
  readonly audience: ReadonlySet<string>;
  /** Seconds since 1970. */
  readonly since: number;
  /** The scopes of the resources that are open to every client, by identifier. */
  readonly open: ReadonlyMap<string, readonly string[]>;
}

/** The members of a client that are read here. */
type Registered = Pick<ClientRecord, 'metadata' | 'open'>;

const registrations = new WeakMap<object, Registration>();

const derive = ({ metadata, open = [] }: Registered): Registration => ({
  scopes: new Set((metadata.scope || 'openid').split(' ').filter(Boolean)),
  audience: new Set([...(metadata.audience ?? []), ...open.map(({ identifier }) => identifier)]),
  since: Math.floor(Date.parse(metadata.created_at) / 1000),
  open: new Map(open.map(({ identifier, scopes }) => [identifier, scopes])),
});

/** A new registration id: 48 random bits, enough to distinguish the few registrations of one client id. */
export const createRegistrationId = (): string => randomText(6);

/**
 * The registration id of every client with a metadata document: its URL is its identity, whenever the document was fetched.
 * It is shorter than the ids of `createRegistrationId`, so that no id is the same.
 */
export const documentRegistration = 'cimd';

/** Derived once for as long as the record is the same object. */
export const registrationOf = (record: Registered): Registration => {
  const known = registrations.get(record);
  if (known !== undefined) return known;
  const registration = derive(record);
  registrations.set(record, registration);
  return registration;
};

/** The scopes of those `resources` that are open to every client. */
export const openScopes = (record: Registered, resources: readonly string[]): readonly string[] => {
  const { open } = registrationOf(record);
  return open.size === 0 ? [] : resources.flatMap((one) => open.get(one) ?? []);
};

/**
 * The scopes that a client may have together with these resources. An open resource brings its scopes only if it is named: a
 * token for another resource never has them.
 */
export const scopesWith = (record: Registered, resources: readonly string[]): ReadonlySet<string> => {
  const { scopes } = registrationOf(record);
  const more = openScopes(record, resources);
  return more.length === 0 ? scopes : new Set([...scopes, ...more]);
};

/** A grant or a consent, as far as it records which client it was given to. */
export interface Given {
  /** The client's registration id when the grant was given. Absent: the client had none. */
  readonly registration?: string;
  /** Seconds since 1970. */
  readonly handledAt: number;
}

/** A client as far as its registration is concerned. */
export type RegisteredClient = Pick<ClientRecord, 'metadata' | 'open' | 'registration'>;

/**
 * Whether a client without a registration id, so one that was registered before such ids existed, was registered by that
 * time. For any other client the id decides, not a clock.
 */
export const wasRegisteredAt = (client: RegisteredClient, seconds: number): boolean =>
  client.registration !== undefined || seconds >= registrationOf(client).since;

/** Whether a grant or consent was given to this client: one that was deleted and registered again under its id inherits none. */
export const isOfRegistration = (client: RegisteredClient, given: Given): boolean =>
  client.registration === undefined
    ? wasRegisteredAt(client, given.handledAt)
    : given.registration === client.registration;

/**
 * The epoch that access tokens of a client are issued under: its registration, and how often its tokens were revoked.
 * Tokens of any other epoch are dead. Empty for a client without a registration id whose tokens were never revoked.
 */
export const tokenEpochOf = ({
  registration = '',
  tokenGeneration = 0,
}: Pick<ClientRecord, 'registration' | 'tokenGeneration'>): string => {
  if (tokenGeneration === 0) return registration;
  return registration === '' ? String(tokenGeneration) : `${registration}.${tokenGeneration}`;
};
