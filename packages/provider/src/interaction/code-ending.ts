import type { ClientRecord } from '../clients/client-record.ts';
import { type ScopeStrategy, scopeMatches } from '../clients/scope-match.ts';
import type { Envelope } from '../flow/envelope.ts';
import { type DecidedFlow, isDecided, type Rejection } from '../flow/flow-state.ts';
import { grantPayload, issuesAtOnce } from '../grants/grant-record.ts';
import type { HttpResponse } from '../http/types.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { effectiveGrant } from '../tokens/grant-details.ts';
import { type Respond, type ResponseModes, type ResponseParameters, refusalOf } from './authorization-response.ts';
import type { Browser } from './browser.ts';
import type { CommitVisit } from './commit.ts';
import { type CompletionDependencies, conclude } from './completion.ts';
import { noScopeGranted } from './policy.ts';
import type { IssueResponseTokens } from './response-tokens.ts';
import { sealCode } from './seal-code.ts';
import type { Ending } from './step.ts';

export interface CodeEndingDependencies extends CompletionDependencies, Pick<Ending, 'receiverOf'> {
  readonly options: CompletionDependencies['options'] & {
    readonly scopeStrategy: ScopeStrategy;
    readonly ttl: { readonly authCode: number };
    readonly features: { readonly fapi: { readonly enabled: boolean } };
  };
  readonly envelope: Envelope;
  readonly commit: CommitVisit;
  readonly respond: Respond;
  readonly responseModes: Pick<ResponseModes, 'of'>;
  readonly issueResponseTokens: IssueResponseTokens;
}

/** Characters of the parameters of a response in a URL, so that Location and Set-Cookie stay under 4 KB together. */
const maxLengthInUrl = 3_400;

const tooLong: Rejection = {
  error: 'invalid_request',
  description: 'the response is too long for a URL: use response_mode=form_post',
};

/** Flows of the authorization endpoint: they end with a code or tokens for the client, or with an error. */
export const createCodeEnding = (deps: CodeEndingDependencies): Ending => {
  const { options, commit, respond, responseModes } = deps;

  /** Whether the client is still registered for any of the granted scopes. */
  const isEffective = (flow: DecidedFlow, client: ClientRecord): boolean => {
    const grant = effectiveGrant(grantPayload(flow), client, scopeMatches[options.scopeStrategy]);
    return grant !== undefined && (grant.scope !== '' || flow.params.authorization_details !== undefined);
  };

  /** The code of a flow, and the tokens of its response (OpenID Connect Core, section 3.3.2.5). */
  const issue = async (flow: DecidedFlow, client: ClientRecord, { uow }: Browser): Promise<ResponseParameters> => {
    const { response_type: type, state } = flow.params;
    const sealed = spaceDelimited(type).includes('code') ? sealCode(flow, deps) : undefined;
    if (sealed?.record) uow.write({ type: 'put', record: sealed.record });
    const code = sealed?.value;
    const tokens = issuesAtOnce(flow.params) ? await deps.issueResponseTokens(flow, client, { code, uow }) : {};
    // FAPI 2.0 has no such parameter: there only the token response has `scope`.
    const scope = options.features.fapi.enabled ? undefined : flow.consent.scopes.join(' ');
    return { code, ...tokens, state, scope };
  };

  const isTooLong = ({ params }: DecidedFlow, parameters: ResponseParameters): boolean =>
    parameters.id_token !== undefined &&
    responseModes.of(params).delivery !== 'form_post' &&
    new URLSearchParams(parameters as Record<string, string>).toString().length > maxLengthInUrl;

  const refuse = async (
    flow: Parameters<Ending['finish']>[0],
    client: ClientRecord,
    browser: Browser,
    rejection: Rejection,
  ): Promise<HttpResponse> => {
    const afterCommit = await conclude({ ...flow, rejection }, browser, { succeeded: false }, deps);
    const response = await respond(flow.params, client, refusalOf(flow.params, rejection));
    return commit(browser, response, { flow, isUnderWay: false, afterCommit });
  };

  return {
    isPolled: false,
    receiverOf: deps.receiverOf,
    async finish(flow, client, browser) {
      if (flow.rejection || !isDecided(flow) || !isEffective(flow, client))
        return refuse(flow, client, browser, flow.rejection ?? noScopeGranted);
      const parameters = await issue(flow, client, browser);
      if (isTooLong(flow, parameters)) {
        browser.uow.discard();
        return refuse(flow, client, browser, tooLong);
      }
      const afterCommit = await conclude(flow, browser, { succeeded: true }, deps);
      const response = respond(flow.params, client, parameters);
      const sent = response instanceof Promise ? await response : response;
      return commit(browser, sent, { flow, isUnderWay: false, afterCommit });
    },
  };
};
