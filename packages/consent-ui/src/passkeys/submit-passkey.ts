import type { PasskeySignIn } from '@carnet/accounts';
import { respondFactor } from '../factors/respond-factor.tsx';
import { respondSignIn } from '../factors/respond-sign-in.tsx';
import { contextOf, stepOf } from '../factors/sign-in-step.ts';
import { withOpenForm } from '../page/flow.ts';
import type { Services } from '../services.ts';
import { ceremonyResult } from './ceremony-result.ts';

/**
 * POST /login/passkey: a passkey instead of the password, or as the second factor if the form has `progress`.
 */
export const submitPasskey = (services: Services, request: Request): Promise<Response> =>
  withOpenForm('login', services, request, async (open, form) => {
    const step = form.has('progress') ? stepOf(form) : undefined;
    const input: PasskeySignIn = {
      ...contextOf(services, request, open),
      ...ceremonyResult(form),
      progress: step?.progress,
    };
    const signIn = await services.accounts.signIn.passkey(input);
    if (signIn.state === 'refused' && step !== undefined) {
      const message = open.view.text.passkeys.failed;
      return respondFactor(services, request, open, { step, kind: 'passkey', message });
    }
    return respondSignIn(services, request, open, { signIn, remember: form.get('remember') === '1' });
  });
