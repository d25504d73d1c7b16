import type { FlowState } from '../flow/flow-state.ts';
import type { FlowPurpose } from '../flow/flow-tokens.ts';
import type { HttpResponse } from '../http/types.ts';
import { createAfterLogin } from './after-login.ts';
import { createBegin } from './begin.ts';
import type { Browser } from './browser.ts';
import { createChallenges } from './challenges.ts';
import { createCodeEnding } from './code-ending.ts';
import { createCommit } from './commit.ts';
import { createDeviceEnding } from './device-ending.ts';
import { pages } from './pages.ts';
import { denialIn } from './policy.ts';
import type { Ending, FlowDependencies, Step } from './step.ts';

/** The parameters of the URL by which a browser returns with a decision. If several are given, the first one is read. */
const verifierParams = ['login_verifier', 'consent_verifier'] as const satisfies readonly FlowPurpose[];
const deviceVerifierParams = ['device_verifier', ...verifierParams] as const satisfies readonly FlowPurpose[];

type VerifierParam = (typeof deviceVerifierParams)[number];

/** The verifier of a URL. One that is given twice is not valid. */
const verifierIn = (query: URLSearchParams, name: VerifierParam): string => {
  const [verifier = '', ...more] = query.getAll(name).filter((value) => value !== '');
  return more.length > 0 ? '' : verifier;
};

const afterConsent: Step = (flow, client, browser, ending) =>
  ending.finish({ ...flow, rejection: flow.rejection ?? denialIn(flow) }, client, browser);

/**
 * Takes the next step of a flow whose browser returns with a sealed decision in the URL. Undefined if the URL has none.
 *
 * @throws `storage_unavailable`
 */
const createResume = (
  steps: Readonly<Record<VerifierParam, Step>>,
  { options, tokens, jar, finished, audit, now }: FlowDependencies,
) => {
  /** The page for a browser in which the flow can't resume; undefined if it can. */
  const obstacleOf = (status: 'open' | 'expired', flow: FlowState, { cookieHeader }: Browser) => {
    if (status === 'expired') return pages.expired(options.issuer, flow);
    // The one step against login CSRF and session fixation: a verifier is accepted only together with the cookie that
    // was set when this browser began this flow. A link from another user's flow is refused here, before any of its
    // content is used.
    if (!jar.flow.proves(cookieHeader, flow.id)) {
      if (finished.has(flow.id)) return pages.used(options.issuer, flow);
      const { client_id: clientId } = flow.params;
      audit({ action: 'flow.resume', outcome: 'denied', reason: 'flow_cookie_missing', clientId });
      return pages.otherBrowser();
    }
    const isExpired = flow.waiting && flow.waiting.expiresAt <= Math.floor(now() / 1000);
    return isExpired ? pages.deviceExpired(options.issuer, flow) : undefined;
  };

  const resume = async (purpose: VerifierParam, token: string, browser: Browser, ending: Ending) => {
    const opened = await tokens.open(purpose, token);
    if (opened.status === 'invalid') return pages.invalidLink();
    const { status, state: flow } = opened;
    // A verifier resumes at its own endpoint only: a device flow never ends with a code, and a code flow never with a
    // decision.
    if (ending.isPolled !== (flow.waiting !== undefined)) return pages.invalidLink();
    const obstacle = obstacleOf(status, flow, browser);
    if (obstacle) return obstacle;
    const client = await ending.receiverOf(flow.params);
    return client ? steps[purpose](flow, client, browser, ending) : pages.clientChanged();
  };

  return (query: URLSearchParams, browser: Browser, ending: Ending): Promise<HttpResponse> | undefined => {
    const purpose = (ending.isPolled ? deviceVerifierParams : verifierParams).find((name) => query.has(name));
    return purpose && resume(purpose, verifierIn(query, purpose), browser, ending);
  };
};

/**
 * The steps of every flow in which a user signs in and consents. It uses neither Koa nor oidc-provider: each visit is a
 * `Browser`, each response an `HttpResponse`.
 */
export const createFlowEngine = (deps: FlowDependencies) => {
  const commit = createCommit(deps);
  const challenges = createChallenges(deps);
  const begin = createBegin(deps, challenges);

  /** The user code was accepted: the user signs in. */
  const askLogin: Step = async (flow, client, browser, ending) => {
    const begun = await begin(flow, client, browser);
    return 'status' in begun ? begun : ending.finish({ ...flow, rejection: begun }, client, browser);
  };

  const afterLogin = createAfterLogin(deps, challenges, commit);
  const steps = { device_verifier: askLogin, login_verifier: afterLogin, consent_verifier: afterConsent };
  const resume = createResume(steps, deps);
  const codeEnding = createCodeEnding(deps, commit);
  const deviceEnding = createDeviceEnding(deps, commit);
  return {
    begin,
    /** Resumes a flow of the authorization endpoint. Undefined if the URL has no decision. */
    resume: (query: URLSearchParams, browser: Browser) => resume(query, browser, codeEnding),
    /**
     * A visit of a browser in which a user authorizes a device (RFC 8628, section 3.3). A flow begins with a user code,
     * on the operator's page, and resumes only in the same browser: the user who entered the code is the one who decides.
     */
    deviceVisit: (query: URLSearchParams, browser: Browser): Promise<HttpResponse> =>
      resume(query, browser, deviceEnding) ?? challenges.askForUserCode(query, browser),
  };
};

export type FlowEngine = ReturnType<typeof createFlowEngine>;
