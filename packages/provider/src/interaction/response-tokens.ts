import type { ClientRecord } from '../clients/client-record.ts';
import { scopeMatches } from '../clients/scope-match.ts';
import type { DecidedFlow } from '../flow/flow-state.ts';
import { grantPayload, pendingGrant, requestedClaims, writeOfGrant } from '../grants/grant-record.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { effectiveGrant, type GrantPayload } from '../tokens/grant-details.ts';
import { authenticationOf } from '../tokens/id-token.ts';
import type { ResponseParameters } from './authorization-response.ts';
import type { FlowDependencies } from './step.ts';

interface ResponseParts {
  /** The code of the same response. */
  readonly code: string | undefined;
  /** Gets the records of the tokens and of their grant. */
  readonly uow: UnitOfWork;
}

const grantType = 'implicit';
/** Characters of an ID token in a URL. */
const maxLengthInUrl = 1_400;

const idTokenParts = ({ params, login }: DecidedFlow, client: ClientRecord, payload: GrantPayload) => ({
  client,
  grantType,
  accountId: login.subject,
  grant: payload,
  authentication: authenticationOf({ ...login, sid: payload.sid, nonce: params.nonce }),
  requested: requestedClaims(params)?.id_token,
});

/**
 * Issues the tokens of an authorization response: implicit and hybrid flow (OpenID Connect Core, sections 3.2 and 3.3).
 *
 * @throws {OAuthError} `invalid_target`, or `invalid_client_metadata` if the client has no key to encrypt to
 */
export const createIssueResponseTokens = (deps: FlowDependencies) => {
  const { options, subjects, resources, responseModes, idTokens, now } = deps;
  const matches = scopeMatches[options.scopeStrategy];

  const issueAccessToken = (flow: DecidedFlow, client: ClientRecord, payload: GrantPayload, uow: UnitOfWork) => {
    const { login, consent } = flow;
    const effective = effectiveGrant(payload, client, matches);
    if (effective === undefined) throw new TypeError('tokens for a grant without effect');
    const target = { named: [], granted: payload.resources, scopes: consent.scopes, effective };
    const access = resources.targetOf(target, client);
    const iat = Math.floor(now() / 1000);
    const record = pendingGrant(flow, payload);
    const token = {
      client,
      grantId: record.grantId,
      subject: subjects.present(client, login.subject, login.forcedSubject),
      scope: access.scopes.join(' '),
      audience: access.audience,
      ext: payload.accessToken,
      authorizationDetails: payload.authorizationDetails,
      iat,
      accountId: login.subject,
      gty: grantType,
      resource: access.resource,
    };
    const { value, expiresIn, writes } = deps.issueAccessToken(token);
    const grantWrite = writeOfGrant({ record, isStored: false }, (iat + expiresIn) * 1000);
    for (const write of grantWrite ? [...writes, grantWrite] : writes) uow.write(write);
    return { value, expiresIn };
  };

  return async (flow: DecidedFlow, client: ClientRecord, parts: ResponseParts): Promise<ResponseParameters> => {
    const { code, uow } = parts;
    const { params } = flow;
    const types = spaceDelimited(params.response_type);
    const payload = grantPayload(flow);
    const issued = types.includes('token') ? issueAccessToken(flow, client, payload, uow) : undefined;
    const accessToken = await issued?.value;
    const tokens = issued && { access_token: accessToken, expires_in: issued.expiresIn, token_type: 'Bearer' };
    if (!types.includes('id_token')) return { ...tokens };
    const isWithoutUserinfo = params.response_type === 'id_token';
    const hashed = { accessToken, code, state: params.state };
    const idToken = {
      ...idTokenParts(flow, client, payload),
      isWithoutUserinfo,
      hashed,
      iat: Math.floor(now() / 1000),
    };
    // Without userinfo, the ID token alone has the claims.
    const mayBeShortened = responseModes.of(params).delivery !== 'form_post' && !isWithoutUserinfo;
    const maxLength = mayBeShortened ? maxLengthInUrl : undefined;
    return { ...tokens, id_token: await idTokens.issue(idToken, { maxLength }) };
  };
};
