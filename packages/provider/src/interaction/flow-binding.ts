import type { FlowState } from '../flow/flow-state.ts';
import type { OpenedFlow } from '../flow/flow-tokens.ts';
import type { OidcDependencies } from '../library/dependencies.ts';
import type { NextStep } from '../library/request-state.ts';

export type FlowBindingDependencies = Pick<OidcDependencies, 'options' | 'jar' | 'finished'> & {
  /** Whether the client is still there and still has the redirect URI. */
  readonly mayReceive: (params: FlowState['params']) => Promise<boolean>;
};

/** Binds a flow to this browser, and one that begins makes room for itself. */
export const bindingCookies = (
  { flowId }: NextStep,
  { jar, options }: Pick<FlowBindingDependencies, 'jar' | 'options'>,
  /** Of a browser that begins a flow: the Cookie header that it sent. */
  began: { readonly cookieHeader: string | undefined } | undefined,
): readonly string[] => [
  jar.flow.set(flowId, options.ttl.loginConsentRequest),
  ...(began ? jar.flow.evict(began.cookieHeader) : []),
];

export type Obstacle = 'expired' | 'finished' | 'other_browser' | 'client_changed';

/** Why a flow can't go on in the browser that sent these cookies; nothing when it can. */
export const obstacleOf = async (
  { status, state }: Exclude<OpenedFlow, { status: 'invalid' }>,
  cookieHeader: string | undefined,
  { jar, finished, mayReceive }: FlowBindingDependencies,
): Promise<Obstacle | undefined> => {
  if (status === 'expired') return 'expired';
  // The one step against login CSRF and session fixation: the verifier counts only beside the cookie that was set
  // when this browser began this flow. A link from somebody else's flow ends here, before anything is believed.
  if (!jar.flow.proves(cookieHeader, state.id)) return finished.has(state.id) ? 'finished' : 'other_browser';
  return (await mayReceive(state.params)) ? undefined : 'client_changed';
};
