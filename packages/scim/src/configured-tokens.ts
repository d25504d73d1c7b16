import type { AccountsConfig } from '@carnet/accounts';
import type { TokenHolder } from './protocol/access.ts';

/** The tokens of the section `accounts.scim`. Audit records have the key of the token. */
export const configuredTokens = ({
  token,
  previousToken,
  tokens,
}: Pick<AccountsConfig['scim'], 'token' | 'previousToken' | 'tokens'>): readonly TokenHolder[] => [
  { name: 'accounts.scim.token', values: [token, previousToken].filter((value) => value !== undefined) },
  ...tokens.map(({ name, value }) => ({ name: `accounts.scim.tokens.${name}`, values: value.split(',') })),
];
