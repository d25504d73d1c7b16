import type { PasskeySignIn } from '@carnet/accounts';
import { passwordIn } from '../http/form-password.ts';
import { withOpenForm } from '../page/flow.ts';
import { seeOther } from '../page/respond.ts';
import { ceremonyResult } from '../passkeys/ceremony-result.ts';
import { Problem } from '../problem.ts';
import type { Operation } from '../services.ts';
import { respondFactor } from './respond-factor.tsx';
import { respondNewPassword } from './respond-other-step.tsx';
import { respondFactorStep, respondSignIn } from './respond-sign-in.tsx';
import { contextOf, factorKind, inputOf, keptIn, stepOf } from './sign-in-step.ts';

/** GET of a page in the middle of a sign-in, as after a reload: the sign-in starts again, with the same challenge. */
export const startAgain: Operation = async (_services, request) => seeOther(`/login${new URL(request.url).search}`);

/** POST /login/factor: verifies a code, or shows the form of another kind. */
export const submitFactor = withOpenForm('login', async (open, form) => {
  const step = stepOf(form);
  const choice = form.get('choose');
  if (choice !== null) return respondFactorStep(open, step, factorKind(choice));
  const kind = factorKind(form.get('kind'));
  const typed = form.get('code') ?? '';
  const code = kind === 'pin' ? typed : typed.replaceAll(/\s/g, '');
  if (kind === undefined || kind === 'passkey' || code.length > 64) throw new Problem('invalid_form');
  const { wrongCode, wrongEmailCode } = open.view.text.factors;
  const again = { step, kind, message: kind === 'email' ? wrongEmailCode : wrongCode };
  if (code === '') return respondFactor(open, again);
  const signIn = await open.services.accounts.signIn.factor({ ...inputOf(open, step), kind, code });
  return signIn.state === 'refused' ? respondFactor(open, again) : respondSignIn(open, signIn, step);
});

/** POST /login/passkey: a passkey instead of the password, or as the second factor if the form has `progress`. */
export const submitPasskey = withOpenForm('login', async (open, form) => {
  const step = form.has('progress') ? stepOf(form) : undefined;
  const kept = keptIn(form);
  const input: PasskeySignIn = {
    ...contextOf(open),
    ...ceremonyResult(form),
    progress: step?.progress,
    link: kept.link,
  };
  const signIn = await open.services.accounts.signIn.passkey(input);
  if (signIn.state !== 'refused' || step === undefined) return respondSignIn(open, signIn, kept);
  return respondFactor(open, { step, kind: 'passkey', message: open.view.text.passkeys.failed });
});

/** POST /login/new-password. */
export const submitNewPassword = withOpenForm('login', async (open, form) => {
  const step = stepOf(form);
  const result = await open.services.accounts.signIn.newPassword({
    ...inputOf(open, step),
    password: passwordIn(form, 'password'),
    next: passwordIn(form, 'next'),
    language: open.view.language,
  });
  const { weak, wrong } = open.view.text.newPassword;
  if (result.state === 'weak_password') return respondNewPassword(open, step, { field: 'next', message: weak });
  if (result.state === 'refused') return respondNewPassword(open, step, { field: 'password', message: wrong });
  return respondSignIn(open, result, step);
});

/** POST /login/keep-account: keeps the account of a user who has asked to be deleted, and completes the sign-in. */
export const submitKeepAccount = withOpenForm('login', async (open, form) => {
  const step = stepOf(form);
  const signIn = await open.services.accounts.signIn.keepAccount(inputOf(open, step));
  return respondSignIn(open, signIn, step);
});
