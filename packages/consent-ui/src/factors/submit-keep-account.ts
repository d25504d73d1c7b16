import { withOpenForm } from '../page/flow.ts';
import type { Services } from '../services.ts';
import { respondSignIn } from './respond-sign-in.tsx';
import { contextOf, stepOf } from './sign-in-step.ts';

/** POST /login/keep-account: keeps the account of a user who has asked to be deleted, and completes the sign-in. */
export const submitKeepAccount = (services: Services, request: Request): Promise<Response> =>
  withOpenForm('login', services, request, async (open, form) => {
    const { progress, remember } = stepOf(form);
    const context = contextOf(services, request, open);
    const signIn = await services.accounts.signIn.keepAccount({ ...context, progress });
    return respondSignIn(services, request, open, { signIn, remember });
  });
