import type { FoundRecord } from '@carnet/adapter-contract';
import type { Redemptions } from '../../flow/redemptions.ts';
import { createFindActiveToken } from '../../tokens/active-token.ts';
import { tokenInModel } from '../../tokens/token-record.ts';
import { jwtIn, type TokenKind, tokenKeys } from '../../tokens/token-value.ts';
import { currentState, rememberFailure } from '../request-state.ts';
import { type ModelAdapter, type ModelOptions, nothing, revokeOnce } from './model.ts';

/** Reads a token and its grant together. */
const readToken = async (value: string, kind: TokenKind): Promise<FoundRecord | undefined> => {
  const keys = tokenKeys(value);
  if (keys?.kind !== kind) return undefined;
  const { uow } = currentState();
  const [token] = await Promise.all([uow.read(keys.token), keys.grant && uow.read(keys.grant)]);
  return token;
};

/** Tokens as revocation finds them. They are issued and stored by `grants/` and `library/patches.ts`. */
export const tokenModel = (kind: TokenKind, redemptions: Redemptions): ModelAdapter => ({
  ...nothing,
  async find(value) {
    const record = await readToken(value, kind);
    return record && tokenInModel(record, value);
  },
  async destroy(value) {
    const keys = tokenKeys(value);
    if (keys) currentState().uow.writeAlways({ type: 'remove', key: keys.token });
  },
  revokeByGrantId: async (grantId) => revokeOnce(currentState(), redemptions, grantId),
});

/** Access tokens as userinfo and revocation find them. */
export const accessTokenModel = ({ jwts, redemptions, clients }: ModelOptions): ModelAdapter => {
  const findActiveToken = createFindActiveToken({
    read: (keys) => Promise.all(keys.map((key) => currentState().uow.read(key))),
    clients,
    jwts,
  });
  return {
    ...tokenModel('access_token', redemptions),
    async find(value) {
      const found = await rememberFailure(currentState(), () => findActiveToken(jwtIn(value) ?? value));
      if (found?.use !== 'access_token' || found.grant === undefined) return undefined;
      const { client, grant, subject: accountId, resource: aud, exp, iat, scope, cnf } = found;
      const { grantId } = grant.record;
      const members = { jti: value, kind: 'AccessToken', clientId: client.id, accountId, grantId };
      return { ...members, aud, exp, iat, scope, ...cnf };
    },
  };
};
