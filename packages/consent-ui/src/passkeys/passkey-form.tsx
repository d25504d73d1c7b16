import type { ReactNode } from 'react';
import { formTokenField } from '../csrf/form-token.ts';
import type { FormTarget } from '../page/form.tsx';

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
export function PasskeyForm({
  target,
  ceremony,
  kind,
  autofill = false,
  button,
  isPlain = false,
  failure,
  children,
}: PasskeyFormProps) {
  const { action, token, hidden = {} } = target;
  const fields = { [formTokenField]: token, ...hidden, challenge: ceremony.challenge, response: '' };
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
      {Object.entries(fields).map(
        ([name, value]) => value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {children}
      <p className="message" role="alert" hidden>
        {failure}
      </p>
      <div className="actions">
        <button id="use-passkey" type="submit" className={isPlain ? 'plain' : undefined}>
          {button}
        </button>
      </div>
    </form>
  );
}
