import { clientAddress } from '../http/client-address.ts';
import { formBody } from '../http/form-body.ts';
import { challengeOf } from '../page/challenge.ts';
import { respondDecided } from '../page/flow.ts';
import { issueForm } from '../page/form.tsx';
import { respond } from '../page/respond.ts';
import { respondNotice } from '../page/respond-notice.tsx';
import { type View, viewOf } from '../page/view.ts';
import type { Services } from '../services.ts';
import { DeviceForm, type DeviceFormProps } from './device-form.tsx';
import { groupedCode } from './user-code.ts';

const maximumLength = 64;

interface Shown extends Pick<DeviceFormProps, 'userCode' | 'isConfirmation' | 'message'> {
  readonly status?: number;
  readonly retryAfterSeconds?: number;
}

const respondForm = (services: Services, request: Request, challenge: string, shown: Shown): Promise<Response> => {
  const view = viewOf(services, request);
  const { status, retryAfterSeconds, ...fields } = shown;
  const { target, cookie } = issueForm(services, request, challenge);
  return respond(view, <DeviceForm view={view} target={target} {...fields} />, { status, cookie, retryAfterSeconds });
};

/**
 * GET /device: asks for the code, or to compare the code of the link with the one on the device (RFC 8628, section
 * 3.3.1).
 */
export const showDevice = async (services: Services, request: Request): Promise<Response> => {
  const challenge = challengeOf(request, 'device');
  const userCode = (new URL(request.url).searchParams.get('user_code') ?? '').slice(0, maximumLength);
  return respondForm(services, request, challenge, {
    userCode: groupedCode(userCode),
    isConfirmation: userCode !== '',
  });
};

const wrong = (view: View) => ({ status: 400, message: view.text.device.wrong });
const tooMany = (view: View, retryAfterSeconds: number) => ({
  status: 429,
  retryAfterSeconds,
  message: view.text.device.tooMany,
});

/** POST /device. */
export const submitDevice = async (services: Services, request: Request): Promise<Response> => {
  const { api, userCodes, formTokens, settings } = services;
  const view = viewOf(services, request);
  const form = await formBody(request);
  const challenge = challengeOf(request, 'device');
  formTokens.check(request, challenge, form);
  if (form.get('decision') === 'reject') {
    // The user did not start this. The code was not accepted yet: there is nothing to undo.
    const { notMeTitle: title, notMeText: text } = view.text.device;
    return respondNotice(view, { title, text }, { cookie: formTokens.clear(challenge) });
  }
  const userCode = (form.get('user_code') ?? '').slice(0, maximumLength);
  const address = clientAddress(request, settings.trustedProxyHops);
  const attempt = userCodes.take(address);
  if (!attempt.allowed) {
    return respondForm(services, request, challenge, { userCode, ...tooMany(view, attempt.retryAfterSeconds) });
  }
  const decided = await api.device.accept(challenge, userCode);
  if (decided.state === 'wrong') return respondForm(services, request, challenge, { userCode, ...wrong(view) });
  if (decided.state === 'tooMany') return respondForm(services, request, challenge, { userCode, ...tooMany(view, 10) });
  userCodes.giveBack(address);
  return respondDecided(view, 'device', decided, formTokens.clear(challenge));
};

/** GET /device/success. */
export const showDeviceSuccess = (services: Pick<Services, 'ui'>, request: Request): Promise<Response> => {
  const view = viewOf(services, request);
  const { connectedTitle: title, connectedText: text } = view.text.device;
  return respondNotice(view, { title, text });
};
