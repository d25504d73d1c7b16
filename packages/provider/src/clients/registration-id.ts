import { z } from 'zod';
import { randomText } from '../random.ts';
import type { ClientRecord } from './client-record.ts';

/** A new registration id: 48 random bits, enough to distinguish the few registrations of one client id. */
export const createRegistrationId = (): string => randomText(6);

/**
 * The registration id of every client with a metadata document: its URL is its identity, whenever the document was fetched.
 * It is shorter than the ids of `createRegistrationId`, so that no id is the same.
 */
export const documentRegistrationId = 'cimd';

/**
 * The registration id of every client of the configuration: all processes must agree on it. It differs from all ids of
 * `createRegistrationId`, so that a client which is registered under the same id later inherits no grant.
 */
export const configuredRegistrationId = 'conf';

/** The members by which a grant or a consent records which client it was given to. */
export const givenShape = {
  /** The client's registration id when the grant was given. Absent: the client had none. */
  registration: z.string().optional(),
  /** Seconds since 1970. */
  handledAt: z.number(),
};

export type Given = Readonly<z.output<z.ZodObject<typeof givenShape>>>;

/** A client as far as its registration is concerned. */
export type RegisteredClient = Pick<ClientRecord, 'metadata' | 'open' | 'registration'>;

/**
 * Whether a client without a registration id, so one that was registered before such ids existed, was registered by that
 * time. For any other client the id decides, not a clock.
 */
export const wasRegisteredAt = ({ registration, metadata }: RegisteredClient, seconds: number): boolean =>
  registration !== undefined || seconds >= Math.floor(Date.parse(metadata.created_at) / 1000);

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
  tokenRevocations = 0,
}: Pick<ClientRecord, 'registration' | 'tokenRevocations'>): string => {
  if (tokenRevocations === 0) return registration;
  return registration === '' ? String(tokenRevocations) : `${registration}.${tokenRevocations}`;
};
