import type { ClientRecord } from './client-record.ts';

/** What a client is registered for, in the form that requests are compared with. */
export interface Registration {
  /** Without a registered scope it has `openid`. */
  readonly scopes: ReadonlySet<string>;
  readonly audience: ReadonlySet<string>;
  /** Seconds since 1970. */
  readonly since: number;
}

const registrations = new WeakMap<object, Registration>();

const derive = ({ metadata }: Pick<ClientRecord, 'metadata'>): Registration => ({
  scopes: new Set((metadata.scope || 'openid').split(' ').filter(Boolean)),
  audience: new Set(metadata.audience ?? []),
  since: Math.floor(Date.parse(metadata.created_at) / 1000),
});

/** Derived once for as long as the record is the same object. */
export const registrationOf = (record: Pick<ClientRecord, 'metadata'>): Registration => {
  const known = registrations.get(record);
  if (known !== undefined) return known;
  const registration = derive(record);
  registrations.set(record, registration);
  return registration;
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
