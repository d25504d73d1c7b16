import type { ProviderFinish, ProviderSignIn } from '../api/providers.ts';
import type { Circumstances } from '../api/sign-in.ts';
import type { AccountsEvent, Logger } from '../dependencies.ts';
import type { Flow, FlowStates } from './flow-state.ts';
import type { UpstreamUser } from './port.ts';
import type { ConfiguredProvider } from './provider.ts';

export interface VerifyDependencies {
  readonly providerOf: (name: string) => ConfiguredProvider;
  /** Whether users of the client may sign in with the provider. */
  readonly isFor: (provider: string, clientId: string | undefined) => boolean;
  readonly states: FlowStates;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** An answer of a provider to a sign-in that began in this browser. */
export interface VerifiedAnswer {
  readonly provider: ConfiguredProvider;
  readonly flow: Flow;
  readonly user: UpstreamUser;
  readonly circumstances: Circumstances;
}

type Refusal = Extract<ProviderSignIn, { readonly state: 'expired' | 'refused' | 'denied' | 'provider_failed' }>;

/** The members of the event of a sign-in at a provider, without its result. */
export const signInAt = ({ options: { name } }: ConfiguredProvider) =>
  ({ type: 'sign_in', method: 'provider', provider: name }) as const;

export const logFailure = (
  logger: VerifyDependencies['logger'],
  level: 'info' | 'warn',
  failure: { readonly provider: string; readonly reason: string },
): void => logger[level](failure, 'A sign-in at a provider has failed.');

/** Verifies the answer of a provider. The state is opened before anything else of the answer is read. */
export const createVerifyAnswer = ({ providerOf, isFor, states, emit, logger }: VerifyDependencies) => {
  return async (input: ProviderFinish): Promise<VerifiedAnswer | Refusal> => {
    const {
      provider: name,
      callback,
      answer,
      cookie,
      mustConfirm: _confirm,
      language: _language,
      ...circumstances
    } = input;
    const provider = providerOf(name);
    const parameters = new URLSearchParams(answer);
    const [state = '', ...others] = parameters.getAll(provider.upstream.stateParameter);
    const flow = others.length === 0 ? states.open(state, cookie) : undefined;
    if (flow === undefined || flow.provider !== name || flow.binding !== circumstances.binding)
      return { state: 'expired' };
    // Before the code is redeemed: a sign-in that began without the client, or before the configuration changed.
    if (!isFor(name, circumstances.clientId)) {
      await emit({ ...signInAt(provider), result: 'refused', reason: 'other_provider' });
      return { state: 'refused' };
    }
    const { maxAge, isLoginForced, begunAt } = flow;
    const loginAfter = isLoginForced ? begunAt : undefined;
    const result = await provider.upstream.verify({ callback, state, secret: cookie, maxAge, loginAfter, parameters });
    if (result.outcome === 'verified') return { provider, flow, user: result.user, circumstances };
    const refusal = result.outcome === 'denied' ? 'denied' : 'provider_failed';
    logFailure(logger, refusal === 'denied' ? 'info' : 'warn', { provider: name, reason: result.reason });
    await emit({ ...signInAt(provider), result: refusal });
    return { state: refusal };
  };
};
