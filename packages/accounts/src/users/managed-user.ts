import type { ManagedUser } from '../api/users.ts';
import type { Account } from '../directory/index.ts';
import type { User } from '../store/index.ts';

const dateOf = (milliseconds: number | undefined): Date | undefined =>
  milliseconds === undefined ? undefined : new Date(milliseconds);

/** A user of the accounts database. */
export const localUser = (user: User, subject: string, directory: string): ManagedUser => ({
  subject,
  directory,
  state: user.state,
  logins: user.identifiers.map(({ value }) => value),
  claims: user.claims,
  groups: user.groups,
  externalId: user.externalId,
  hasPassword: user.passwordVersion > 0,
  createdAt: new Date(user.createdAt),
  updatedAt: new Date(user.updatedAt),
  deleteAt: dateOf(user.deleteAt),
  version: String(user.updatedAt),
});

/** A user of another directory. */
export const directoryUser = ({ subject, directory, refusal, login, claims }: Account): ManagedUser => ({
  subject,
  directory,
  state: refusal === 'disabled' || refusal === 'locked' ? refusal : 'active',
  logins: login === undefined ? [] : [login],
  claims,
});
