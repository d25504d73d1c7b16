import type { ReactNode } from 'react';
import { formTokenField } from '../csrf/form-token.ts';
import { type FormTarget, HiddenFields, Submit } from '../page/form.tsx';

export interface PasskeyCeremony {
  /** The options of the ceremony as JSON (WebAuthn Level 3, sections 5.1.8 and 5.1.9). */
  readonly options: Readonly<Record<string, unknown>>;
  /** Sealed by the server: it belongs to the options. */
  readonly challenge: string;
}

export interface PasskeyFormProps {
  readonly target: FormTarget;
  readonly ceremony: PasskeyCeremony;
  readonly kind: 'create' | 'get';
  /** Whether the browser also offers passkeys in the field of the user name. */
  readonly autofill?: boolean;
  readonly button: string;
  readonly isPlain?: boolean;
  /** Displayed when the ceremony fails. */
  readonly failure: string;
  readonly children?: ReactNode;
}

/** The form of a passkey. It is hidden until the script finds that the browser has passkeys. */
export function PasskeyForm(props: PasskeyFormProps) {
  const { target, ceremony, kind, autofill = false, button, isPlain = false, failure, children } = props;
  const { action, token, hidden = {} } = target;
  return (
    <form
      method="post"
      action={action}
      id="passkey"
      hidden
      data-passkey={kind}
      data-options={JSON.stringify(ceremony.options)}
      data-autofill={autofill ? '' : undefined}
    >
      <HiddenFields fields={{ [formTokenField]: token, ...hidden, challenge: ceremony.challenge, response: '' }} />
      {children}
      <p className="message" role="alert" hidden>
        {failure}
      </p>
      <Submit id="use-passkey" label={button} isPlain={isPlain} />
    </form>
  );
}
