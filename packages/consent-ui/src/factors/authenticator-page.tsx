import { Button, Field, Form, type FormTarget, Submit } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import type { View } from '../page/view.ts';
import { QrCode } from './qr-code.tsx';

export interface AuthenticatorPageProps {
  readonly view: View;
  readonly target: FormTarget;
  /** The `otpauth:` URI of the new factor. */
  readonly uri: string;
  readonly message?: string | undefined;
}

const grouped = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** The page that shows the secret of a new authenticator app, and asks for a code from it. */
export function AuthenticatorPage({ view, target, uri, message }: AuthenticatorPageProps) {
  const { enrolment } = view.text;
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return (
    <Page view={view} title={enrolment.appTitle} text={enrolment.scan}>
      <ProblemMessage message={message} field="code" />
      <QrCode text={uri} label={enrolment.qrCode} />
      <p>{enrolment.secret}</p>
      <p className="secret">
        <code id="secret" dir="ltr">
          {grouped(secret)}
        </code>
      </p>
      <Form {...target}>
        <Field
          name="code"
          label={enrolment.code}
          hint={enrolment.codeHint}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={16}
          className="code digits"
          isWrong={message !== undefined}
        />
        <Submit label={enrolment.confirm}>
          <Button id="back" label={enrolment.back} name="step" value="choose" isPlain formNoValidate />
        </Submit>
      </Form>
    </Page>
  );
}
