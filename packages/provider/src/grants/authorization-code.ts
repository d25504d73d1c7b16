import type { StorageAdapter } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import { bringsRefreshToken } from '../clients/registered.ts';
import { handOver } from '../endpoints/forwarded.ts';
import type { LeanGrant } from '../endpoints/plain-grants.ts';
import { tokenResponse } from '../endpoints/token-response.ts';
import { type DecidedFlow, isDecided } from '../flow/flow-state.ts';
import { decodeCode, redemptionOf } from '../library/models/code-model.ts';
import type { ModelOptions } from '../library/models/model.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { effectiveGrant } from '../tokens/grant-details.ts';
import { firstRefreshToken, type GrantContext, type IssueTokens } from '../tokens/issue.ts';
import { grantPayload, pendingGrant, writeOfGrant } from './code-and-grant.ts';
import { provesPossession } from './pkce.ts';

export interface GrantDependencies
  extends Pick<ModelOptions, 'envelope' | 'ttl' | 'redemptions' | 'scopeMatch' | 'keyRing' | 'now'> {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
  readonly issueTokens: IssueTokens;
}

/** Parameters of the request that change what its tokens are. */
const unusual = ['claims', 'acr_values', 'resource', 'dpop_jkt', 'authorization_details'] as const;

const isPlain = ({ params }: DecidedFlow, payload: ReturnType<typeof grantPayload>): boolean =>
  params.response_type === 'code' &&
  payload.scope !== '' &&
  payload.authorizationDetails === undefined &&
  unusual.every((name) => params[name] === undefined);

/** The first redemption of a code that nothing is special about (RFC 6749, section 4.1.3). */
export const createRedeemCode = (deps: GrantDependencies): LeanGrant => {
  const { envelope, adapter, scopeMatch, issueTokens, now } = deps;

  /** The flow whose code it is, if the client may have tokens for it. */
  const open = (form: ReadonlyMap<string, string>, client: ClientRecord): DecidedFlow | undefined => {
    const decoded = decodeCode(envelope, form.get('code') ?? '');
    if (decoded === undefined || decoded.isReference || !isDecided(decoded.state)) return undefined;
    const { state } = decoded;
    const { client_id, redirect_uri, code_challenge: challenge, code_challenge_method: method } = state.params;
    const isForThis =
      state.expiresAt > Math.floor(now() / 1000) &&
      client_id === client.id &&
      redirect_uri === form.get('redirect_uri') &&
      provesPossession({ challenge, method }, form.get('code_verifier'));
    return isForThis ? state : undefined;
  };

  const sourceOf = (state: DecidedFlow, client: ClientRecord) => {
    const payload = grantPayload(state);
    const record = pendingGrant(state, payload);
    const effective = effectiveGrant(payload, client, scopeMatch);
    if (effective === undefined || !isPlain(state, payload)) return undefined;
    const { subject, authTime, acr, amr } = state.login;
    const source: GrantContext = {
      client,
      grantType: 'authorization_code',
      gty: 'authorization_code',
      grantId: record.grantId ?? '',
      accountId: subject,
      scope: payload.scope,
      authentication: { sid: payload.sid, authTime, nonce: state.params.nonce, acr, amr },
      grant: payload,
      effective,
    };
    return { source, record };
  };

  return {
    parameters: ['code', 'redirect_uri', 'code_verifier'],
    async answer({ req, form, known }, { client, record: clientRecord }) {
      const state = open(form, clientRecord);
      const made = state && sourceOf(state, clientRecord);
      if (state === undefined || made === undefined) return undefined;
      const { source, record } = made;
      known.subject = source.accountId;
      const iat = Math.floor(now() / 1000);
      const next = bringsRefreshToken(client, spaceDelimited(source.scope))
        ? firstRefreshToken(source.grantId, iat)
        : undefined;
      const issued = await issueTokens(source, next, iat);
      if (issued === undefined) return undefined;
      const grant = writeOfGrant({ record, isStored: false, expiresAt: issued.expiresAt });
      const conflict = await adapter.commit([
        ...redemptionOf(state, record, deps),
        ...issued.access,
        ...issued.refresh,
        ...(grant ? [grant] : []),
      ]);
      return conflict === undefined ? tokenResponse(issued.answer) : handOver(req, { conflict });
    },
  };
};
