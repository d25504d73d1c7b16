import { Caution } from '../page/caution.tsx';
import { Form, type FormTarget, Submit } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import type { View } from '../page/view.ts';
import { type PasskeyCeremony, PasskeyForm } from './passkey-form.tsx';

export interface AddPasskeyPageProps {
  readonly view: View;
  /** The target of the result. */
  readonly target: FormTarget;
  /** The target of the button that leads back. */
  readonly back: FormTarget;
  readonly ceremony: PasskeyCeremony;
  readonly message?: string | undefined;
}

/** The page that creates a passkey. */
export function AddPasskeyPage({ view, target, back, ceremony, message }: AddPasskeyPageProps) {
  const { passkeys, enrolment } = view.text;
  return (
    <Page view={view} title={passkeys.addTitle} text={passkeys.addText}>
      <ProblemMessage message={message} field="use-passkey" />
      <Caution isWithoutPasskeys>{passkeys.needsScript}</Caution>
      <PasskeyForm
        target={target}
        ceremony={ceremony}
        kind="create"
        button={passkeys.create}
        failure={passkeys.notCreated}
      />
      <Form {...back} className="second">
        <Submit id="back" label={enrolment.back} name="step" value="choose" isPlain />
      </Form>
    </Page>
  );
}
