import { Button } from '../page/form.tsx';
import type { View } from '../page/view.ts';

/** The button of a form that has the login name: it requests a code by email, whatever the password field has. */
export function EmailCodeButton({ view }: { readonly view: View }) {
  const { send } = view.text.emailSignIn;
  return <Button id="email-code" label={send} name="decision" value="email-code" isPlain formNoValidate />;
}
