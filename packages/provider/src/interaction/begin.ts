import type { ClientRecord } from '../clients/client-record.ts';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import type { Clock } from '../clock.ts';
import type { FlowState, Rejection } from '../flow/flow-state.ts';
import type { SealOptions } from '../flow/flow-tokens.ts';
import { snapshotOf } from '../sessions/session-record.ts';
import { type Browser, readOrForgetSession } from './browser.ts';
import type { Challenges, NewFlow, NextStep } from './challenges.ts';
import { type BindingDependencies, bindingCookies } from './flow-binding.ts';
import { isQuiet, maySkipLogin } from './policy.ts';

export interface BeginDependencies extends BindingDependencies, Clock {
  readonly options: BindingDependencies['options'] & {
    /** The authentication classes that the login app can reach, weakest first. */
    readonly supportedAcrValues: readonly string[];
    /** By client id: the classes of a remembered login that are sufficient. Absent: all. */
    readonly sufficientAcrs: ReadonlyMap<string, readonly string[]>;
  };
  readonly challenges: Pick<Challenges, 'askLogin'>;
  readonly subjects: Pick<SubjectIdentifiers, 'present'>;
}

/** A validated authorization request, or a device flow whose user code was accepted. */
export interface RequestedFlow extends NewFlow {
  /** Absent: the flow begins with this visit. */
  readonly id?: string;
}

/** The URL of the login app, or the error of a request with `prompt=none`, for which no page may be shown. */
export type Begun = { readonly next: NextStep } | { readonly refused: Rejection };

export type Begin = (
  flow: RequestedFlow,
  client: ClientRecord,
  browser: Browser,
  options?: SealOptions,
) => Promise<Begun>;

const notSignedIn: Rejection = { error: 'login_required', description: 'the user has to sign in' };

/**
 * Sends a browser with a validated request to the login app, which may skip the form if the login that is remembered in
 * the browser is sufficient. With `prompt=none` and no such login the request is refused (OpenID Connect Core, section
 * 3.1.2.6).
 */
export const createBegin = (deps: BeginDependencies): Begin => {
  const { jar, challenges, subjects, now } = deps;
  const { supportedAcrValues, sufficientAcrs } = deps.options;

  const rememberedFor = async (
    { params }: RequestedFlow,
    client: ClientRecord,
    browser: Browser,
  ): Promise<FlowState['session']> => {
    const record = await readOrForgetSession(browser, jar);
    if (record === undefined) return undefined;
    const session = snapshotOf(record);
    const login = { ...session, subject: subjects.present(client, session.subject) };
    const nowSeconds = Math.floor(now() / 1000);
    const policy = { nowSeconds, supportedAcrValues, sufficientAcrs: sufficientAcrs.get(client.id) };
    return maySkipLogin(params, login, policy) ? session : undefined;
  };

  const askLogin = (flow: RequestedFlow, browser: Browser, options: SealOptions | undefined): Promise<Begun> =>
    challenges.askLogin(flow, options).then((next) => {
      browser.cookies.push(...bindingCookies(next, deps, flow.id === undefined ? browser : undefined));
      return { next };
    });

  const beginInSession: Begin = async (flow, client, browser, options) => {
    const session = await rememberedFor(flow, client, browser);
    if (session) return askLogin({ ...flow, session, skipLogin: true }, browser, options);
    return isQuiet(flow.params) ? { refused: notSignedIn } : askLogin(flow, browser, options);
  };

  return (flow, client, browser, options) => {
    if (jar.session.present(browser.cookieHeader) || isQuiet(flow.params))
      return beginInSession(flow, client, browser, options);
    return askLogin(flow, browser, options);
  };
};
