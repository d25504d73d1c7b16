import { passwordIn } from '../http/form-password.ts';
import { withOpenForm } from '../page/flow.ts';
import type { Services } from '../services.ts';
import { respondNewPassword } from './respond-new-password.tsx';
import { respondSignIn } from './respond-sign-in.tsx';
import { contextOf, stepOf } from './sign-in-step.ts';

/** POST /login/new-password. */
export const submitNewPassword = (services: Services, request: Request): Promise<Response> =>
  withOpenForm('login', services, request, async (open, form) => {
    const step = stepOf(form);
    const result = await services.accounts.signIn.newPassword({
      ...contextOf(services, request, open),
      progress: step.progress,
      password: passwordIn(form, 'password'),
      next: passwordIn(form, 'next'),
      language: open.view.language,
    });
    const { weak, wrong } = open.view.text.newPassword;
    switch (result.state) {
      case 'weak_password':
        return respondNewPassword(services, request, open, { step, problem: { field: 'next', message: weak } });
      case 'refused':
        return respondNewPassword(services, request, open, { step, problem: { field: 'password', message: wrong } });
      default:
        return respondSignIn(services, request, open, { signIn: result, remember: step.remember });
    }
  });
