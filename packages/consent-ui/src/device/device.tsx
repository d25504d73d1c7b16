import { clientAddress } from '../http/client-address.ts';
import { formBody } from '../http/form-body.ts';
import { Caution } from '../page/caution.tsx';
import { challengeOf } from '../page/challenge.ts';
import { respondDecided } from '../page/flow.ts';
import { Button, Field, Form, issueForm, Submit } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { respond } from '../page/respond.ts';
import { respondNotice } from '../page/respond-notice.tsx';
import { viewOf } from '../page/view.ts';
import type { Operation, Services } from '../services.ts';
import { groupedCode } from './asking-device.tsx';

const maximumLength = 64;

interface Shown {
  /** As it came with the link, or was typed. */
  readonly userCode: string;
  /** The code came with the link: it has to be compared, not typed. */
  readonly isConfirmation?: boolean;
  readonly message?: string;
  readonly status?: number;
  readonly retryAfterSeconds?: number;
}

/** The page that asks for the code of a device. */
const respondForm = (services: Services, request: Request, challenge: string, shown: Shown): Promise<Response> => {
  const { userCode, isConfirmation = false, message, ...extras } = shown;
  const view = viewOf(services, request);
  const { target, cookie } = issueForm(services, request, challenge);
  const text = view.text.device;
  const [heading, lead, submit] = isConfirmation
    ? [text.confirmTitle, text.confirmLead, text.confirmSubmit]
    : [text.title, text.lead, text.submit];
  const page = (
    <Page view={view} title={text.title} heading={heading} text={lead}>
      <ProblemMessage message={message} field="user_code" />
      <Form {...target}>
        <Field
          name="user_code"
          label={text.code}
          className="code"
          dir="ltr"
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={64}
          value={userCode}
          autoFocus={!isConfirmation && message === undefined}
          isWrong={message !== undefined}
        />
        <Caution>{text.caution}</Caution>
        <Submit id="verify" label={submit}>
          {isConfirmation && (
            <Button id="reject" label={text.notMe} name="decision" value="reject" isPlain formNoValidate />
          )}
        </Submit>
      </Form>
    </Page>
  );
  return respond(view, page, { ...extras, cookie });
};

/**
 * GET /device: asks for the code, or to compare the code of the link with the one on the device (RFC 8628, section
 * 3.3.1).
 */
export const showDevice: Operation = async (services, request) => {
  const challenge = challengeOf(request, 'device');
  const userCode = (new URL(request.url).searchParams.get('user_code') ?? '').slice(0, maximumLength);
  const isConfirmation = userCode !== '';
  return respondForm(services, request, challenge, { userCode: groupedCode(userCode), isConfirmation });
};

/** POST /device. */
export const submitDevice: Operation = async (services, request) => {
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
  const { wrong, tooMany } = view.text.device;
  const respondAgain = (refusal: Omit<Shown, 'userCode'>) =>
    respondForm(services, request, challenge, { userCode, ...refusal });
  const attempt = userCodes.take(address);
  if (!attempt.allowed) {
    return respondAgain({ status: 429, retryAfterSeconds: attempt.retryAfterSeconds, message: tooMany });
  }
  const decided = await api.device.accept(challenge, userCode);
  if (decided.state === 'wrong') return respondAgain({ status: 400, message: wrong });
  if (decided.state === 'tooMany') return respondAgain({ status: 429, retryAfterSeconds: 10, message: tooMany });
  userCodes.giveBack(address);
  return respondDecided(view, 'device', decided, formTokens.clear(challenge));
};

/** GET /device/success. */
export const showDeviceSuccess = (services: Pick<Services, 'ui'>, request: Request): Promise<Response> => {
  const view = viewOf(services, request);
  const { connectedTitle: title, connectedText: text } = view.text.device;
  return respondNotice(view, { title, text });
};
