// Converts users of Amazon Cognito to lines for `carnet users import`:
//
//   aws cognito-idp list-users --user-pool-id $POOL > users.json
//   aws cognito-idp list-users-in-group --user-pool-id $POOL --group-name admins > admins.json
//   node cognito.ts users.json admins=admins.json > users.jsonl
//
// Cognito returns no password hashes: users set a password with "Forgot your password?".
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Members = Readonly<Record<string, unknown>>;

interface CognitoUser {
  readonly Username: string;
  readonly Attributes?: readonly { readonly Name: string; readonly Value: string }[];
  readonly Enabled?: boolean;
  readonly UserStatus?: string;
  readonly MFAOptions?: readonly unknown[];
}

export interface UserList {
  readonly Users: readonly CognitoUser[];
}

export interface Converted {
  readonly users: readonly Members[];
  /** One line for each part that is left out. */
  readonly problems: readonly string[];
}

/** Members of a user, or names of its own. The rest are standard claims and attributes that begin with `custom:`. */
const notClaims = new Set([
  'sub',
  'email',
  'email_verified',
  'preferred_username',
  'identities',
  'cognito:mfa_enabled',
]);

const jsonOrText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return { formatted: text };
  }
};

const claimOf = (name: string, value: string): unknown => {
  if (name === 'address') return jsonOrText(value);
  if (name === 'phone_number_verified') return value === 'true';
  return name === 'updated_at' ? Number(value) : value;
};

const convertUser = (user: CognitoUser, groups: readonly string[], report: (problem: string) => void) => {
  const { Username, Attributes = [], Enabled, UserStatus, MFAOptions = [] } = user;
  const values = Object.fromEntries(Attributes.map(({ Name, Value }) => [Name, Value]));
  const { sub: id = Username, email, preferred_username: preferred } = values;
  if (MFAOptions.length > 0) report(`user ${id}: the second factor`);
  if (UserStatus === 'EXTERNAL_PROVIDER') report(`user ${id}: sign-in by another provider`);
  // A pool whose users sign in with their email address has the `sub` or the address as the user name.
  const username = [Username, preferred].find((name) => name !== undefined && name !== id && name !== email);
  if (username === Username && preferred !== undefined && preferred !== username)
    report(`user ${id}: the second user name ${preferred}`);
  const claims = Attributes.filter(({ Name }) => !notClaims.has(Name)).map(({ Name, Value }) => {
    const name = Name.replace(/^(?:custom|dev):/, '');
    return [name, claimOf(name, Value)] as const;
  });
  return {
    id,
    email,
    email_verified: values.email_verified === 'true',
    username,
    state: Enabled === false ? 'disabled' : 'active',
    claims: { ...Object.fromEntries(claims), groups: groups.length > 0 ? groups : undefined },
  };
};

/** @param groups the users of each group, by the name of the group */
export const convertUsers = ({ Users }: UserList, groups: Readonly<Record<string, UserList>> = {}): Converted => {
  const problems = ['the passwords of all users: Cognito returns no hashes'];
  const groupsOf = (name: string): readonly string[] =>
    Object.keys(groups).filter((group) => groups[group]?.Users.some(({ Username }) => Username === name));
  return {
    users: Users.map((user) => convertUser(user, groupsOf(user.Username), (problem) => problems.push(problem))),
    problems,
  };
};

const listIn = (file: string): UserList => JSON.parse(readFileSync(file, 'utf8')) as UserList;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [users = 'users.json', ...groups] = process.argv.slice(2);
  const lists = groups.map((argument) => {
    const at = argument.indexOf('=');
    return [argument.slice(0, at), listIn(argument.slice(at + 1))] as const;
  });
  const converted = convertUsers(listIn(users), Object.fromEntries(lists));
  for (const user of converted.users) process.stdout.write(`${JSON.stringify(user)}\n`);
  for (const problem of converted.problems) process.stderr.write(`left out: ${problem}\n`);
}
