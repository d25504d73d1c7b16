import type { FlowState } from '../flow/flow-state.ts';
import type { FlowPurpose, OpenedFlow } from '../flow/flow-tokens.ts';
import type { HttpResponse } from '../http/types.ts';
import { createAfterLogin } from './after-login.ts';
import type { Begin } from './begin.ts';
import type { Browser } from './browser.ts';
import type { Challenges, Query } from './challenges.ts';
import type { CommitVisit } from './commit.ts';
import { pages } from './pages.ts';
import { denialIn } from './policy.ts';
import type { Ending, FlowDependencies, Step } from './step.ts';

/** The parameters of the URL by which a browser returns with a decision. If several are given, the first one is read. */
const verifierParams = ['login_verifier', 'consent_verifier'] as const satisfies readonly FlowPurpose[];
const deviceVerifierParams = ['device_verifier', ...verifierParams] as const satisfies readonly FlowPurpose[];

type VerifierParam = (typeof deviceVerifierParams)[number];

/** The verifier of a URL. One that is given twice is not valid. */
const verifierIn = (query: Query, name: VerifierParam): string => {
  const values = query instanceof URLSearchParams ? query.getAll(name) : [query.get(name)];
  const [verifier = '', ...more] = values.filter((value) => !!value);
  return more.length > 0 ? '' : verifier;
};

export interface ResumeParts {
  readonly begin: Begin;
  readonly challenges: Pick<Challenges, 'askConsent'>;
  readonly commit: CommitVisit;
}

const afterConsent: Step = (flow, client, browser, ending) =>
  ending.finish({ ...flow, rejection: flow.rejection ?? denialIn(flow) }, client, browser);

/**
 * Takes the next step of a flow whose browser returns with a sealed decision in the URL. Undefined if the URL has none.
 *
 * @throws `storage_unavailable`
 */
export type Resume = (query: Query, browser: Browser, ending: Ending) => Promise<HttpResponse> | undefined;

export const createResume = (deps: FlowDependencies, { begin, challenges, commit }: ResumeParts): Resume => {
  const { options, tokens, jar, finished, audit, now } = deps;

  /** The user code was accepted: the user signs in. */
  const askLogin: Step = async (flow, client, browser, ending) => {
    const begun = await begin(flow, client, browser);
    return 'status' in begun ? begun : ending.finish({ ...flow, rejection: begun }, client, browser);
  };

  const steps: Readonly<Record<VerifierParam, Step>> = {
    device_verifier: askLogin,
    login_verifier: createAfterLogin(deps, challenges, commit),
    consent_verifier: afterConsent,
  };

  /** The page for a browser in which the flow can't resume; undefined if it can. */
  const obstacleOf = (status: OpenedFlow['status'], flow: FlowState, { cookieHeader }: Browser) => {
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

  return (query, browser, ending) => {
    const purpose = (ending.isPolled ? deviceVerifierParams : verifierParams).find((name) => query.has(name));
    return purpose && resume(purpose, verifierIn(query, purpose), browser, ending);
  };
};
