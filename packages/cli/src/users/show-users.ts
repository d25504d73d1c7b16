import type { User } from '@carnet/accounts/store';
import type { Surface, Values } from '../command.ts';
import { type Shown, show } from '../output.ts';
import type { ConfiguredUsers } from './users-database.ts';

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** A user as JSON and YAML: everything but the password hash. */
const bodyOf = (user: User, { subjectOf }: Pick<ConfiguredUsers, 'subjectOf'>) => ({
  id: user.id,
  subject: subjectOf(user.id),
  state: user.state,
  logins: user.identifiers.map(({ value }) => value),
  has_password: user.passwordVersion > 0,
  claims: user.claims,
  created_at: timeOf(user.createdAt),
  updated_at: timeOf(user.updatedAt),
  ...(user.deleteAt !== undefined && { delete_at: timeOf(user.deleteAt) }),
});

const headers = ['SUBJECT', 'LOGINS', 'NAME', 'STATE', 'PASSWORD', 'CREATED'];

const rowOf = (user: User, { subjectOf }: Pick<ConfiguredUsers, 'subjectOf'>): readonly string[] => [
  subjectOf(user.id),
  user.identifiers.map(({ value }) => value).join(', '),
  String(user.claims.name ?? ''),
  user.deleteAt === undefined ? user.state : `${user.state}, deleted ${timeOf(user.deleteAt)}`,
  user.passwordVersion > 0 ? 'set' : 'none',
  timeOf(user.createdAt),
];

export interface UsersToShow extends Pick<Shown, 'isList' | 'notes'> {
  readonly users: readonly User[];
  /** More members of the body. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Prints one user, or a list of users. */
export const showUsers = (
  values: Values,
  surface: Pick<Surface, 'out'>,
  configured: Pick<ConfiguredUsers, 'subjectOf'>,
  { users, isList = false, more = {}, notes }: UsersToShow,
): Promise<void> => {
  const bodies = users.map((user) => bodyOf(user, configured));
  return show(values, surface, {
    body: isList ? { items: bodies, ...more } : { ...bodies[0], ...more },
    headers,
    rows: users.map((user) => rowOf(user, configured)),
    ids: users.map(({ id }) => configured.subjectOf(id)),
    isList,
    notes,
  });
};

/** A user as the admin API of a running server answers it. */
export interface ServedUser {
  readonly subject: string;
  readonly directory: string;
  readonly state: string;
  readonly logins: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
  readonly version?: string;
}

export const showServedUser = (values: Values, surface: Pick<Surface, 'out'>, user: ServedUser): Promise<void> =>
  show(values, surface, {
    body: user,
    headers: ['SUBJECT', 'DIRECTORY', 'LOGINS', 'NAME', 'STATE', 'VERSION'],
    rows: [
      [
        user.subject,
        user.directory,
        user.logins.join(', '),
        String(user.claims.name ?? ''),
        user.state,
        user.version ?? '',
      ],
    ],
    ids: [user.subject],
  });
