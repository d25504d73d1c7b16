import type { ClientRecord } from '../clients/client-record.ts';
import { scopeMatches } from '../clients/scope-match.ts';
import { type DecidedFlow, type FlowState, isAllowed, type Rejection } from '../flow/flow-state.ts';
import { storeState } from '../flow/state-by-reference.ts';
import { encodeState } from '../flow/state-codec.ts';
import { grantPayload, issuesAtOnce } from '../grants/grant-record.ts';
import type { HttpResponse } from '../http/types.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { effectiveGrant } from '../tokens/grant-details.ts';
import { codePrefix } from '../tokens/token-value.ts';
import { type ResponseParameters, refusalOf } from './authorization-response.ts';
import type { Browser } from './browser.ts';
import type { CommitVisit } from './commit.ts';
import { conclude } from './completion.ts';
import { noScopeGranted } from './policy.ts';
import { createIssueResponseTokens } from './response-tokens.ts';
import type { Ending, FlowDependencies } from './step.ts';

/** Characters. The state of a longer code is stored, and the code contains a reference: Location stays under 4 KB. */
const maxCodeLength = 1_100;
/** Characters. The limit of a code in a response with tokens (hybrid), which cannot be stored by reference. */
const maxCodeLengthBesideTokens = 900;
/** Characters of the parameters of a response in a URL, so that Location and Set-Cookie stay under 4 KB together. */
const maxLengthInUrl = 3_400;

const tooLong: Rejection = {
  error: 'invalid_request',
  description: 'the response is too long for a URL: use response_mode=form_post',
};

/** Seals a decided flow as an authorization code. A short code is stored nowhere before it is redeemed. */
const sealCode = (flow: DecidedFlow, { uow }: Browser, { envelope, options, now }: FlowDependencies): string => {
  const state: FlowState = { ...flow, extra: undefined, expiresAt: Math.floor(now() / 1000) + options.ttl.authCode };
  const sealed = envelope.seal('authorization_code', encodeState(state));
  const maxLength = issuesAtOnce(flow.params) ? maxCodeLengthBesideTokens : maxCodeLength;
  if (sealed.length <= maxLength) return codePrefix + sealed;
  const { record, reference } = storeState(envelope, state);
  uow.write({ type: 'put', record });
  return codePrefix + envelope.seal('authorization_code', reference);
};

/** Flows of the authorization endpoint: they end with a code or tokens for the client, or with an error. */
export const createCodeEnding = (deps: FlowDependencies, commit: CommitVisit): Ending => {
  const { options, respond, responseModes } = deps;
  const issueResponseTokens = createIssueResponseTokens(deps);

  /** Whether the client is still registered for any of the granted scopes. */
  const isEffective = (flow: DecidedFlow, client: ClientRecord): boolean => {
    const grant = effectiveGrant(grantPayload(flow), client, scopeMatches[options.scopeStrategy]);
    return grant !== undefined && (grant.scope !== '' || flow.params.authorization_details !== undefined);
  };

  /** The code of a flow, and the tokens of its response (OpenID Connect Core, section 3.3.2.5). */
  const issue = async (flow: DecidedFlow, client: ClientRecord, browser: Browser): Promise<ResponseParameters> => {
    const { response_type: type, state } = flow.params;
    const code = spaceDelimited(type).includes('code') ? sealCode(flow, browser, deps) : undefined;
    const tokens = issuesAtOnce(flow.params) ? await issueResponseTokens(flow, client, { code, uow: browser.uow }) : {};
    // FAPI 2.0 has no such parameter: there only the token response has `scope`.
    const scope = options.features.fapi.enabled ? undefined : flow.consent.scopes.join(' ');
    return { code, ...tokens, state, scope };
  };

  const isTooLong = ({ params }: DecidedFlow, parameters: ResponseParameters): boolean =>
    parameters.id_token !== undefined &&
    responseModes.of(params).delivery !== 'form_post' &&
    new URLSearchParams(parameters as Record<string, string>).toString().length > maxLengthInUrl;

  const refuse = async (
    unsettled: FlowState,
    client: ClientRecord,
    browser: Browser,
    rejection: Rejection,
  ): Promise<HttpResponse> => {
    const flow: FlowState = { ...unsettled, rejection };
    const ended = await conclude(flow, browser, deps);
    const response = await respond(flow.params, client, refusalOf(flow.params, rejection));
    return commit({ flow, browser, isUnderWay: false, ended }, response);
  };

  return {
    isPolled: false,
    receiverOf: deps.receiverOf,
    async finish(flow, client, browser) {
      if (!isAllowed(flow) || !isEffective(flow, client))
        return refuse(flow, client, browser, flow.rejection ?? noScopeGranted);
      const parameters = await issue(flow, client, browser);
      if (isTooLong(flow, parameters)) {
        browser.uow.discard();
        return refuse(flow, client, browser, tooLong);
      }
      const ended = await conclude(flow, browser, deps);
      const response = respond(flow.params, client, parameters);
      const sent = response instanceof Promise ? await response : response;
      return commit({ flow, browser, isUnderWay: false, ended }, sent);
    },
  };
};
