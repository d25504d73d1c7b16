import type { FoundRecord } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import { handOver } from '../endpoints/forwarded.ts';
import type { LeanGrant } from '../endpoints/plain-grants.ts';
import { tokenResponse } from '../endpoints/token-response.ts';
import { effectiveGrant, type GrantPayload } from '../tokens/grant-details.ts';
import type { GrantContext, NextRefreshToken } from '../tokens/issue.ts';
import { successorValue, tokenKeys } from '../tokens/token-value.ts';
import type { GrantDependencies } from './authorization-code.ts';
import { writeOfGrant } from './code-and-grant.ts';

/** What is stored of a refresh token. */
interface RefreshTokenPayload {
  /** Seconds since 1970. */
  readonly exp: number;
  readonly gty: string;
  readonly scope: string;
  readonly sid: string;
  readonly sessionUid: string;
  readonly authTime: number;
  readonly nonce?: string;
  readonly acr?: string;
  readonly amr?: readonly string[];
  readonly rotations: number;
  /** Seconds since 1970: when the first of its line was issued. */
  readonly iiat: number;
  readonly successorSecret?: string;
}

/** Members of tokens that are bound, or asked for with more than scopes. */
const plainMembers: ReadonlySet<string> = new Set([
  'iat',
  'exp',
  'gty',
  'scope',
  'sid',
  'sessionUid',
  'authTime',
  'nonce',
  'acr',
  'amr',
  'rotations',
  'iiat',
  'successorSecret',
]);

const isPlain = (payload: object): boolean => Object.keys(payload).every((name) => plainMembers.has(name));

const grantType = 'refresh_token';

/** The grant types that led to a successor. */
const historyOf = (gty: string): string => (gty.endsWith(grantType) ? gty : `${gty} ${grantType}`);

/** The first use of a refresh token that nothing is special about (RFC 6749, section 6). */
export const createRotateRefreshToken = (deps: GrantDependencies): LeanGrant => {
  const { adapter, scopeMatch, keyRing, issueTokens, now } = deps;

  const sourceOf = (client: ClientRecord, token: FoundRecord, grant: FoundRecord) => {
    const payload = JSON.parse(token.payload) as RefreshTokenPayload;
    const { exp, sid, authTime, nonce, acr, amr } = payload;
    const isLive = exp > Math.floor(now() / 1000) && sid === payload.sessionUid && payload.scope !== '';
    if (!isLive || !isPlain(payload)) return undefined;
    const granted = JSON.parse(grant.payload) as GrantPayload;
    const effective = effectiveGrant(granted, client, scopeMatch);
    if (effective === undefined || granted.authorizationDetails !== undefined) return undefined;
    const source: GrantContext = {
      client,
      grantType,
      gty: historyOf(payload.gty),
      grantId: token.grantId ?? '',
      accountId: token.subject ?? '',
      scope: payload.scope,
      authentication: { sid, authTime, nonce, acr, amr },
      grant: granted,
      effective,
    };
    return { source, payload, grant };
  };

  /** Of a token that has not been used, and its grant, both this client's and of one person. */
  const open = (client: ClientRecord, token: FoundRecord | undefined, grant: FoundRecord | undefined) => {
    if (token === undefined || grant === undefined || token.consumedAt !== null) return undefined;
    const isWhole =
      token.clientId === client.id &&
      grant.clientId === client.id &&
      grant.subject === token.subject &&
      (grant.expiresAt?.getTime() ?? 0) > now();
    return isWhole ? sourceOf(client, token, grant) : undefined;
  };

  const successorOf = (value: string, { grantId }: GrantContext, payload: RefreshTokenPayload): NextRefreshToken => ({
    value: successorValue({ grantId, value, secretName: payload.successorSecret }, keyRing),
    rotations: payload.rotations + 1,
    iiat: payload.iiat,
  });

  return {
    parameters: ['refresh_token'],
    async answer({ req, form, known }, { record: client }) {
      const value = form.get('refresh_token') ?? '';
      const keys = tokenKeys(value);
      if (keys?.kind !== grantType || keys.grant === undefined) return undefined;
      const [token, grant] = await adapter.read([keys.token, keys.grant]);
      const opened = open(client, token, grant);
      if (opened === undefined) {
        const reads = [[keys.token, token] as const, [keys.grant, grant] as const];
        return handOver(req, { reads });
      }
      const { source, payload } = opened;
      known.subject = source.accountId;
      const issued = await issueTokens(source, successorOf(value, source, payload), Math.floor(now() / 1000));
      if (issued === undefined) return undefined;
      const prolonged = writeOfGrant({ record: opened.grant, isStored: true, expiresAt: issued.expiresAt });
      const conflict = await adapter.commit([
        // Rotation is conditional in the store (D2): whoever comes second is oidc-provider's to judge.
        { type: 'consume', key: keys.token, at: new Date(now()) },
        ...issued.refresh,
        ...issued.access,
        ...(prolonged ? [prolonged] : []),
      ]);
      return conflict === undefined ? tokenResponse(issued.answer) : undefined;
    },
  };
};
