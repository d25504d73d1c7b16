import type { ClientRecord } from '../clients/client-record.ts';
import { type ScopeStrategy, scopeMatches } from '../clients/scope-match.ts';
import type { Envelope } from '../flow/envelope.ts';
import { type DecidedFlow, isDecided } from '../flow/flow-state.ts';
import { grantPayload } from '../grants/grant-record.ts';
import { effectiveGrant } from '../tokens/grant-details.ts';
import { authorizationResponse, errorResponse } from './authorization-response.ts';
import type { CommitVisit } from './commit.ts';
import { type CompletionDependencies, conclude } from './completion.ts';
import { noScopeGranted } from './policy.ts';
import { sealCode } from './seal-code.ts';
import type { Ending } from './step.ts';

export interface CodeEndingDependencies extends CompletionDependencies, Pick<Ending, 'receiverOf'> {
  readonly options: CompletionDependencies['options'] & {
    readonly issuer: string;
    readonly scopeStrategy: ScopeStrategy;
    readonly ttl: { readonly authCode: number };
    readonly features: { readonly fapi: { readonly enabled: boolean } };
  };
  readonly envelope: Envelope;
  readonly commit: CommitVisit;
}

/** Flows of the authorization endpoint that end with a code for the client, or with an error. */
export const createCodeEnding = (deps: CodeEndingDependencies): Ending => {
  const { options, commit } = deps;
  const matches = scopeMatches[options.scopeStrategy];

  /** Whether the client is still registered for any of the granted scopes. */
  const isEffective = (flow: DecidedFlow, client: ClientRecord): boolean => {
    const grant = effectiveGrant(grantPayload(flow), client, matches);
    return grant !== undefined && (grant.scope !== '' || flow.params.authorization_details !== undefined);
  };

  return {
    isPolled: false,
    receiverOf: deps.receiverOf,
    async finish(flow, client, browser) {
      if (flow.rejection || !isDecided(flow) || !isEffective(flow, client)) {
        const { rejection = noScopeGranted } = flow;
        const afterCommit = await conclude({ ...flow, rejection }, browser, { succeeded: false }, deps);
        const response = errorResponse(flow.params, rejection, options.issuer);
        return commit(browser, response, { flow, isUnderWay: false, afterCommit });
      }
      const { value: code, record } = sealCode(flow, deps);
      if (record) browser.uow.write({ type: 'put', record });
      const afterCommit = await conclude(flow, browser, { succeeded: true }, deps);
      // FAPI 2.0 has no such parameter: there only the token response has `scope`.
      const scope = options.features.fapi.enabled ? undefined : flow.consent.scopes.join(' ');
      const { state } = flow.params;
      const response = authorizationResponse(flow.params, { code, state, iss: options.issuer, scope });
      return commit(browser, response, { flow, isUnderWay: false, afterCommit });
    },
  };
};
