import type { Clock } from '../clock.ts';
import { createFlowId } from '../flow/flow-id.ts';
import type { FlowState } from '../flow/flow-state.ts';
import type { FlowTokens } from '../flow/flow-tokens.ts';
import { groupedUserCode, readUserCode, type UserCodeAlphabet } from '../flow/user-code.ts';
import { redirect } from '../http/redirect.ts';
import type { HttpResponse } from '../http/types.ts';
import type { Browser } from './browser.ts';
import type { FlowEngine } from './create-flow-engine.ts';
import { type BindingDependencies, bindingCookies } from './flow-binding.ts';
import { pages } from './pages.ts';
import { verifierParams } from './resume.ts';

export interface DeviceVisitDependencies extends BindingDependencies, Clock {
  readonly options: BindingDependencies['options'] & {
    readonly urls: { readonly device: { readonly verification?: string } };
    readonly features: { readonly device: { readonly userCode: UserCodeAlphabet } };
  };
  readonly engine: Pick<FlowEngine, 'resume' | 'deviceEnding'>;
  readonly tokens: Pick<FlowTokens, 'seal'>;
}

const purposes = ['device_verifier', ...verifierParams] as const;

/**
 * The visits of a browser in which a user authorizes a device (RFC 8628, section 3.3). A flow begins with a user code,
 * on the operator's page, and resumes only in the same browser: the user who entered the code is the one who decides.
 */
export const createDeviceVisit = (deps: DeviceVisitDependencies) => {
  const { options, tokens, engine, now } = deps;

  const askForUserCode = async (query: URLSearchParams, browser: Browser): Promise<HttpResponse> => {
    const page = options.urls.device.verification;
    if (page === undefined) return pages.noDevicePage();
    const params: Record<string, string> = query.get('prompt') === 'login' ? { prompt: 'login' } : {};
    const expiresAt = Math.floor(now() / 1000) + options.ttl.loginConsentRequest;
    const state: FlowState = { id: createFlowId(now()), expiresAt, params };
    const url = new URL(page);
    url.searchParams.set('device_challenge', await tokens.seal('device_challenge', state));
    // The page shows the code and asks whether it is the one on the device: a link alone signs no device in (section
    // 5.4).
    const code = readUserCode(query.get('user_code') ?? '', options.features.device.userCode);
    if (code !== undefined) url.searchParams.set('user_code', groupedUserCode(code));
    browser.cookies.push(...bindingCookies({ url: url.href, flowId: state.id }, deps, browser));
    return redirect(302, url.href);
  };

  return async (query: URLSearchParams, browser: Browser): Promise<HttpResponse> => {
    const purpose = purposes.find((name) => query.has(name));
    if (purpose === undefined) return askForUserCode(query, browser);
    const [token = '', ...more] = query.getAll(purpose);
    return engine.resume(purpose, more.length > 0 ? '' : token, browser, engine.deviceEnding);
  };
};
