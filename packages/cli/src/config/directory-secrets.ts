import type { Tree } from '@carnet/provider/config';

/** A secret of a directory: the member that it sets, its variable, and the variable that names a file with the value. */
export interface SecretVariable {
  readonly member: string;
  readonly name: string;
  readonly fileName: string;
}

const secretsOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ldap: { bindPassword: 'BIND_PASSWORD' },
  http: { token: 'TOKEN' },
};

/**
 * The variables for the secrets of a directory, such as `ACCOUNTS_DIRECTORY_STAFF_BIND_PASSWORD` of the directory `staff`, so
 * that the list of directories can be in a file without secrets.
 */
export const secretVariablesOf = ({ name, kind }: Tree): readonly SecretVariable[] => {
  if (typeof name !== 'string' || typeof kind !== 'string') return [];
  const prefix = `ACCOUNTS_DIRECTORY_${name.toUpperCase().replaceAll('-', '_')}`;
  return Object.entries(secretsOf[kind] ?? {}).map(([member, suffix]) => {
    const variable = `${prefix}_${suffix}`;
    return { member, name: variable, fileName: `${variable}_FILE` };
  });
};
