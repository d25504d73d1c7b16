// Converts users of Auth0 to lines for `carnet users import`. The first file has one user on each line: the bulk export, or
// users of the Management API, to which `roles` may be added. The second file is the export of password hashes, which
// Auth0's support makes on request.
//
//   node auth0.ts users.ndjson password-hashes.ndjson > users.jsonl
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Members = Readonly<Record<string, unknown>>;

interface Auth0User {
  /** `auth0|5dea9f9c82dd7c0e76e4ec93`. */
  readonly user_id: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly username?: string;
  readonly name?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly nickname?: string;
  readonly picture?: string;
  readonly phone_number?: string;
  readonly blocked?: boolean;
  readonly multifactor?: readonly string[];
  readonly app_metadata?: Members;
  readonly user_metadata?: Members;
  /** The names of `GET /api/v2/users/{id}/roles`. Auth0's export has none. */
  readonly roles?: readonly string[];
}

interface Auth0Hash {
  readonly _id: { readonly $oid: string };
  /** The id of a user of a custom database. */
  readonly alt_id?: string;
  readonly passwordHash?: string;
}

export interface Converted {
  readonly users: readonly Members[];
  /** One line for each part that is left out. */
  readonly problems: readonly string[];
}

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;

const namesIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** Roles or groups: of Auth0, in `app_metadata`, and in its member `authorization`, where Auth0's extension keeps them. */
const allNames = (member: 'roles' | 'groups', { app_metadata: metadata = {}, ...user }: Auth0User) => {
  const authorization = isMembers(metadata.authorization) ? metadata.authorization : {};
  const own = member === 'roles' ? (user.roles ?? []) : [];
  const names = [...new Set([...own, ...namesIn(metadata[member]), ...namesIn(authorization[member])])];
  return names.length > 0 ? names : undefined;
};

const convertUser = (user: Auth0User, hash: string | undefined, report: (problem: string) => void) => {
  const { user_id: id, email, email_verified, username, blocked, multifactor = [] } = user;
  const tell = (problem: string): void => report(`user ${id}: ${problem}`);
  for (const factor of multifactor) tell(`the second factor "${factor}"`);
  if (!id.startsWith('auth0|')) tell('sign-in by another provider');
  else if (hash === undefined) tell('the password, of which there is no hash');
  for (const metadata of ['app_metadata', 'user_metadata'] as const) {
    for (const name of Object.keys(user[metadata] ?? {})) {
      const isClaim = metadata === 'app_metadata' && ['roles', 'groups', 'authorization'].includes(name);
      if (!isClaim) tell(`${metadata}.${name}`);
    }
  }
  const { name, given_name, family_name, nickname, picture, phone_number } = user;
  return {
    id,
    email,
    email_verified,
    username,
    password_hash: hash,
    state: blocked ? 'disabled' : 'active',
    claims: {
      ...{ name, given_name, family_name, nickname, picture, phone_number },
      groups: allNames('groups', user),
      roles: allNames('roles', user),
    },
  };
};

export const convertUsers = (users: readonly Auth0User[], hashes: readonly Auth0Hash[]): Converted => {
  const problems: string[] = [];
  const byId = new Map(hashes.map((one) => [`auth0|${one.alt_id ?? one._id.$oid}`, one.passwordHash]));
  return {
    users: users.map((user) => convertUser(user, byId.get(user.user_id), (problem) => problems.push(problem))),
    problems,
  };
};

const linesOf = <T>(file: string | undefined): readonly T[] =>
  file === undefined
    ? []
    : readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.trim())
        .map((line) => JSON.parse(line) as T);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [users, hashes] = process.argv.slice(2);
  const converted = convertUsers(linesOf<Auth0User>(users), linesOf<Auth0Hash>(hashes));
  for (const user of converted.users) process.stdout.write(`${JSON.stringify(user)}\n`);
  for (const problem of converted.problems) process.stderr.write(`left out: ${problem}\n`);
}
