import type { Write } from '@carnet/adapter-contract';
import { type AccessToken, type AccessTokenForms, storedMembers } from './access-token-forms.ts';
import { tokenRecord } from './token-record.ts';
import { accessTokenValue } from './token-value.ts';

/** The members of an access token's record that no JWT has. */
export interface StoredAccessToken {
  /** The user, as the login app knows them. Absent for a token that a client has for itself. */
  readonly accountId?: string;
  /** The grant types that led to the token, the last one last. */
  readonly gty?: string;
  readonly sid?: string;
  /** The `claims` parameter (OpenID Connect Core, section 5.5), which userinfo reads. */
  readonly claims?: object;
  /** The resource that the token is for (RFC 8707). */
  readonly resource?: string;
}

export interface IssuedAccessToken {
  /** A promise for a JWT: it is signed. */
  readonly value: string | Promise<string>;
  /** None for a JWT. */
  readonly writes: readonly Write[];
}

export type IssueAccessToken = (token: AccessToken, stored: StoredAccessToken) => IssuedAccessToken;

/** Issues access tokens in the form that the client, or the resource, is configured for. */
export const createIssueAccessToken =
  (forms: AccessTokenForms): IssueAccessToken =>
  (token, { resource, sid, ...stored }) => {
    const { client, grantId, iat, exp, bound } = token;
    if (forms.formOf(client, resource) === 'jwt') return { value: forms.sign(token), writes: [] };
    const value = accessTokenValue(grantId);
    const record = tokenRecord(value, {
      clientId: client.id,
      grantId,
      ...stored,
      sid,
      sessionUid: sid,
      iat,
      exp,
      scope: token.scope || undefined,
      aud: resource,
      ...bound,
      ...storedMembers(token),
    });
    return { value, writes: [{ type: 'put', record }] };
  };
