import { respondSignIn } from '../factors/respond-sign-in.tsx';
import { inputOf, stepOf } from '../factors/sign-in-step.ts';
import { acceptKnown } from '../login/accept-known.ts';
import { withOpenForm } from '../page/flow.ts';
import { Problem } from '../problem.ts';

/** POST /login/organization: the user has chosen an organization, after a sign-in or for a remembered login. */
export const submitOrganization = withOpenForm('login', async (open, form) => {
  const chosen = form.get('organization') ?? '';
  if (chosen === '' || chosen.length > 64) throw new Problem('invalid_form');
  if (open.asked.skip) return acceptKnown(open, chosen);
  const step = stepOf(form);
  const { signIn } = open.services.accounts;
  return respondSignIn(open, await signIn.chooseOrganization({ ...inputOf(open, step), chosen }), step);
});
