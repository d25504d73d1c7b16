import { signInUrl } from '../factors/sign-in-step.ts';
import { Form } from '../page/form.tsx';
import type { View } from '../page/view.ts';

export interface CancelFormProps {
  readonly view: View;
  readonly challenge: string;
  readonly token: string;
}

/** A button that looks like a link and rejects the login request, on pages whose form has another target. */
export function CancelForm({ view, challenge, token }: CancelFormProps) {
  return (
    <Form action={signInUrl(challenge)} token={token} className="fine cancel">
      <button id="reject" name="decision" value="reject" type="submit" className="link">
        {view.text.login.cancel}
      </button>
    </Form>
  );
}
