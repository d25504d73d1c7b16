import type { Clock } from '../clock.ts';
import type { CookieJar } from '../flow/cookies.ts';
import type { FinishedFlows } from '../flow/finished-flows.ts';
import type { OpenedFlow } from '../flow/flow-tokens.ts';
import type { Browser } from './browser.ts';
import type { NextStep } from './challenges.ts';

export interface BindingDependencies {
  readonly jar: Pick<CookieJar, 'flow' | 'session'>;
  readonly options: {
    /** Seconds. */
    readonly ttl: { readonly loginConsentRequest: number };
  };
}

/** The cookies that bind a flow to this browser. `beginsIn`: the browser of a new flow, whose
 * oldest flow cookies are removed if it has too many. */
export const bindingCookies = (
  { flowId }: NextStep,
  { jar, options }: BindingDependencies,
  beginsIn: Pick<Browser, 'cookieHeader'> | undefined,
): readonly string[] => [
  jar.flow.set(flowId, options.ttl.loginConsentRequest),
  ...(beginsIn ? jar.flow.evict(beginsIn.cookieHeader) : []),
];

export type Obstacle = 'expired' | 'finished' | 'other_browser' | 'device_expired';

export interface ObstacleDependencies extends Clock {
  readonly jar: Pick<CookieJar, 'flow'>;
  readonly finished: Pick<FinishedFlows, 'has'>;
}

/** Why a flow can't resume in the browser that sent these cookies; undefined when it can. */
export const obstacleOf = (
  { status, state }: Exclude<OpenedFlow, { status: 'invalid' }>,
  { cookieHeader }: Pick<Browser, 'cookieHeader'>,
  { jar, finished, now }: ObstacleDependencies,
): Obstacle | undefined => {
  if (status === 'expired') return 'expired';
  // The one step against login CSRF and session fixation: a verifier is accepted only together with the cookie that was
  // set when this browser began this flow. A link from another user's flow is refused here, before any of its content
  // is used.
  if (!jar.flow.proves(cookieHeader, state.id)) return finished.has(state.id) ? 'finished' : 'other_browser';
  return state.waiting && state.waiting.expiresAt <= Math.floor(now() / 1000) ? 'device_expired' : undefined;
};
