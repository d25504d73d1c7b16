import { withOpenForm } from '../page/flow.ts';
import { seeOther } from '../page/respond.ts';
import { Problem } from '../problem.ts';
import type { Services } from '../services.ts';
import { respondFactor } from './respond-factor.tsx';
import { respondSignIn } from './respond-sign-in.tsx';
import { contextOf, factorKind, stepOf } from './sign-in-step.ts';

/** GET of a page in the middle of a sign-in, as after a reload: the sign-in starts again, with the same challenge. */
export const startAgain = async (_services: Services, request: Request): Promise<Response> =>
  seeOther(`/login${new URL(request.url).search}`);

/** POST /login/factor: verifies a code, or shows the form of another kind. */
export const submitFactor = (services: Services, request: Request): Promise<Response> =>
  withOpenForm('login', services, request, async (open, form) => {
    const step = stepOf(form);
    const choice = form.get('choose');
    if (choice !== null) return respondFactor(services, request, open, { step, kind: factorKind(choice) });
    const kind = factorKind(form.get('kind'));
    const typed = form.get('code') ?? '';
    const code = kind === 'pin' ? typed : typed.replaceAll(/\s/g, '');
    if (kind === undefined || kind === 'passkey' || code.length > 64) throw new Problem('invalid_form');
    const again = { step, kind, message: open.view.text.factors.wrongCode };
    if (code === '') return respondFactor(services, request, open, again);
    const context = contextOf(services, request, open);
    const signIn = await services.accounts.signIn.factor({ ...context, progress: step.progress, kind, code });
    if (signIn.state === 'refused') return respondFactor(services, request, open, again);
    return respondSignIn(services, request, open, { signIn, remember: step.remember });
  });
