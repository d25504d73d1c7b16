import { getAt, isTree, secretVariableOf, type Tree } from '@carnet/provider/config';
import { accountsConfig } from '../load-package.ts';
import { upperSnake } from './variables.ts';

/** A secret of an item: the member that it sets, its variable, and the variable that names a file with the value. */
export interface SecretVariable {
  readonly member: string;
  readonly name: string;
  readonly fileName: string;
}

const variableFor = (member: string, name: string): SecretVariable => ({ member, name, fileName: `${name}_FILE` });

type SecretsOfKinds = Readonly<Record<string, readonly string[]>>;

/** The variables of the items of a list in the section `accounts`, whose kinds have these secrets. */
const ofKinds =
  (prefix: string, secrets: SecretsOfKinds = {}) =>
  ({ name, kind }: Tree): readonly SecretVariable[] => {
    if (typeof name !== 'string' || typeof kind !== 'string') return [];
    const owner = `${prefix}_${name.toUpperCase().replaceAll('-', '_')}`;
    return (secrets[kind] ?? []).map((member) => variableFor(member, `${owner}_${upperSnake(member)}`));
  };

const ofWebhook = ({ name }: Tree): readonly SecretVariable[] => {
  if (typeof name !== 'string') return [];
  const owner = `EVENTS_WEBHOOK_${name.toUpperCase().replaceAll('-', '_')}`;
  return ['url', 'secret'].map((member) => variableFor(member, `${owner}_${upperSnake(member)}`));
};

const ofClient = ({ client_id: id }: Tree): readonly SecretVariable[] =>
  typeof id === 'string' && id !== '' ? [variableFor('client_secret', secretVariableOf(id))] : [];

const ofToken =
  (prefix: string) =>
  ({ name, file }: Tree): readonly SecretVariable[] =>
    typeof name === 'string' && file === undefined
      ? [variableFor('value', `${prefix}_${name.toUpperCase().replaceAll('-', '_')}`)]
      : [];

/**
 * The lists whose items have variables for their secrets, such as `ACCOUNTS_DIRECTORY_STAFF_BIND_PASSWORD` of the directory
 * `staff` and `CLIENT_SHOP_SECRET` of the client `shop`, so that the list can be in a file without secrets.
 */
export const itemSecrets: Readonly<Record<string, (item: Tree) => readonly SecretVariable[]>> = {
  'accounts.directories': ofKinds('ACCOUNTS_DIRECTORY', accountsConfig?.directorySecrets),
  'accounts.providers': ofKinds('ACCOUNTS_PROVIDER', accountsConfig?.providerSecrets),
  'accounts.scim.tokens': ofToken('ACCOUNTS_SCIM_TOKEN'),
  'admin.tokens': ofToken('ADMIN_TOKEN'),
  clients: ofClient,
  'events.webhooks': ofWebhook,
};

/** The names of the variables for the secrets of all items in these settings. @param prefix before each name */
export const secretNamesOf = (settings: Tree, prefix = ''): readonly string[] =>
  Object.entries(itemSecrets).flatMap(([key, variablesOf]) => {
    const items: unknown = getAt(settings, key);
    if (!Array.isArray(items)) return [];
    return items
      .flatMap((item) => (isTree(item) ? variablesOf(item) : []))
      .flatMap(({ name, fileName }) => [prefix + name, prefix + fileName]);
  });
