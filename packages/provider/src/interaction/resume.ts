import type { FlowState } from '../flow/flow-state.ts';
import type { FlowPurpose, FlowTokens } from '../flow/flow-tokens.ts';
import { redirect } from '../http/redirect.ts';
import type { HttpResponse } from '../http/types.ts';
import type { Audit } from '../telemetry/audit.ts';
import { type AfterLoginDependencies, createAfterLogin } from './after-login.ts';
import type { Begin } from './begin.ts';
import type { Browser } from './browser.ts';
import { type Obstacle, type ObstacleDependencies, obstacleOf } from './flow-binding.ts';
import { pages } from './pages.ts';
import { denialIn } from './policy.ts';
import type { Ending, Step } from './step.ts';

export interface ResumeDependencies extends AfterLoginDependencies, ObstacleDependencies {
  readonly jar: AfterLoginDependencies['jar'];
  readonly tokens: Pick<FlowTokens, 'open'>;
  readonly begin: Begin;
  readonly audit: Audit;
}

type Page = (issuer: string, state: FlowState) => HttpResponse;

const obstaclePages: Readonly<Record<Obstacle, Page>> = {
  expired: pages.expired,
  finished: pages.used,
  other_browser: pages.otherBrowser,
  device_expired: pages.deviceExpired,
};

/** The parameters of the URL by which a browser returns with a decision. If both are given, the first one is read. */
export const verifierParams = ['login_verifier', 'consent_verifier'] as const satisfies readonly FlowPurpose[];

export type VerifierParam = (typeof verifierParams)[number] | 'device_verifier';

const afterConsent: Step = (flow, client, browser, ending) =>
  ending.finish({ ...flow, rejection: flow.rejection ?? denialIn(flow) }, client, browser);

/**
 * Takes the next step of a flow whose browser returns with a sealed decision.
 *
 * @throws `storage_unavailable`
 */
export type Resume = (
  /** The parameter that has the verifier. */
  purpose: VerifierParam,
  token: string,
  browser: Browser,
  ending: Ending,
) => Promise<HttpResponse>;

export const createResume = (deps: ResumeDependencies): Resume => {
  const { options, tokens, audit } = deps;

  /** The user code was accepted: the user signs in. */
  const askLogin: Step = async (flow, client, browser, ending) => {
    const begun = await deps.begin(flow, client, browser);
    if ('next' in begun) return redirect(302, begun.next.url);
    return ending.finish({ ...flow, rejection: begun.refused }, client, browser);
  };

  const steps = { device_verifier: askLogin, login_verifier: createAfterLogin(deps), consent_verifier: afterConsent };

  const refuse = (obstacle: Obstacle, flow: FlowState): HttpResponse => {
    if (obstacle === 'other_browser') {
      const { client_id: clientId } = flow.params;
      audit({ action: 'flow.resume', outcome: 'denied', reason: 'flow_cookie_missing', clientId });
    }
    return obstaclePages[obstacle](options.issuer, flow);
  };

  return async (purpose, token, browser, ending) => {
    const opened = await tokens.open(purpose, token);
    if (opened.status === 'invalid') return pages.invalidLink();
    const { state: flow } = opened;
    // A verifier resumes at its own endpoint only: a device flow never ends with a code, and a code flow never with a
    // decision.
    if (ending.isPolled !== (flow.waiting !== undefined)) return pages.invalidLink();
    const obstacle = obstacleOf(opened, browser, deps);
    if (obstacle) return refuse(obstacle, flow);
    const client = await ending.receiverOf(flow.params);
    return client ? steps[purpose](flow, client, browser, ending) : pages.clientChanged();
  };
};
