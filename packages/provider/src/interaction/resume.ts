import { scopeMatches } from '../clients/scope-match.ts';
import type { LeanResponse } from '../endpoints/fast-endpoint.ts';
import { isPlainLocation, redirect } from '../endpoints/redirect.ts';
import type { FlowState } from '../flow/flow-state.ts';
import { type DecidedFlow, isDecided } from '../flow/flow-state.ts';
import type { FlowPurpose } from '../flow/flow-tokens.ts';
import { grantPayload } from '../grants/code-and-grant.ts';
import type { OidcDependencies } from '../library/dependencies.ts';
import { createRequestState } from '../library/request-state.ts';
import { effectiveGrant } from '../tokens/grant-details.ts';
import type { Challenges } from './challenges.ts';
import { type CompletionDependencies, conclude } from './completion.ts';
import { isPlainFlow } from './fast-flow.ts';
import { bindingCookies, type FlowBindingDependencies, obstacleOf } from './flow-binding.ts';
import { isToBeKept } from './remember-login.ts';
import { sealCode } from './seal-code.ts';

export interface GoOnDependencies
  extends FlowBindingDependencies,
    CompletionDependencies,
    Pick<OidcDependencies, 'adapter' | 'clients' | 'tokens' | 'envelope'> {
  readonly challenges: Pick<Challenges, 'askConsent'>;
}

/** Where the client receives its answer: what has a query of its own is put together elsewhere. */
const receiverOf = ({ redirect_uri: uri = '' }: FlowState['params']): string | undefined => {
  const href = /[?#]/.test(uri) ? undefined : URL.parse(uri)?.href;
  return href !== undefined && isPlainLocation(href) ? href : undefined;
};

export const createGoingOn = (deps: GoOnDependencies) => {
  const { options, jar, challenges } = deps;
  const matches = scopeMatches[options.scopeStrategy];

  const askConsent = async (flow: FlowState, cookieHeader: string | undefined): Promise<LeanResponse | undefined> => {
    // A consent may be remembered that covers this request.
    if (flow.consent !== undefined || jar.consentHint.present(cookieHeader)) return undefined;
    // The library handler writes the session before the consent app is asked.
    if (isToBeKept(flow, deps)) return undefined;
    const next = await challenges.askConsent(flow, false);
    return redirect({ status: 302, location: next.url, cookies: bindingCookies(next, deps, undefined) });
  };

  /** What the client is told: the code, its own state, who answers (RFC 9207, section 2), and what was granted. */
  const answer = ({ params, consent }: DecidedFlow, code: string): string => {
    const { state } = params;
    const scope = consent.scopes.join(' ');
    return new URLSearchParams({ code, ...(state ? { state } : {}), iss: options.issuer, scope }).toString();
  };

  const complete = async (flow: FlowState, cookieHeader: string | undefined): Promise<LeanResponse | undefined> => {
    const receiver = receiverOf(flow.params);
    const client = await deps.clients.find(flow.params.client_id ?? '');
    if (receiver === undefined || client === undefined || !isDecided(flow)) return undefined;
    // Somebody may have to be logged out, or goes on from where they were.
    if (!effectiveGrant(grantPayload(flow), client, matches)?.scope) return undefined;
    if (!flow.loginKept && jar.session.present(cookieHeader)) return undefined;
    const state = createRequestState(deps.adapter, cookieHeader);
    const { value, record } = sealCode(flow, deps);
    if (record) state.uow.write({ type: 'put', record });
    const cookies: string[] = [];
    await conclude({ state, setCookie: (cookie) => void cookies.push(cookie) }, flow, { succeeded: true }, deps);
    if ((await state.uow.commit('succeeded')) !== undefined) return undefined;
    state.onCommitted?.();
    return redirect({ status: 303, location: `${receiver}?${answer(flow, value)}`, cookies });
  };

  const steps: Readonly<Record<'login_verifier' | 'consent_verifier', typeof complete>> = {
    login_verifier: askConsent,
    consent_verifier: complete,
  };

  /** A browser that comes back with what was decided, in a flow of its own that nothing is unusual about. */
  return async (
    purpose: FlowPurpose & keyof typeof steps,
    token: string,
    cookieHeader: string | undefined,
  ): Promise<LeanResponse | undefined> => {
    const opened = await deps.tokens.open(purpose, token);
    if (opened.status !== 'open' || !isPlainFlow(opened.state)) return undefined;
    if ((await obstacleOf(opened, cookieHeader, deps)) !== undefined) return undefined;
    return steps[purpose](opened.state, cookieHeader);
  };
};
