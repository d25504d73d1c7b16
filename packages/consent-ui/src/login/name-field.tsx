import { invalidField } from '../page/problem-message.tsx';
import type { View } from '../page/view.ts';

export interface NameFieldProps {
  readonly view: View;
  /** The login name that the field has at first. */
  readonly name: string;
  readonly isFocused?: boolean;
  readonly isInvalid?: boolean;
  readonly hasPasskeys?: boolean;
}

/** The login name: an email address or a user name. */
export function NameField({ view, name, isFocused, isInvalid = false, hasPasskeys }: NameFieldProps) {
  return (
    <div className="field">
      <label htmlFor="email">{view.text.login.name}</label>
      <input
        id="email"
        name="email"
        type="text"
        dir="ltr"
        inputMode="email"
        // WebAuthn: the browser offers passkeys in this field too.
        autoComplete={hasPasskeys ? 'username webauthn' : 'username'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={320}
        required
        defaultValue={name}
        // biome-ignore lint/a11y/noAutofocus: a page of one form, reached by asking to sign in: no surprise
        autoFocus={isFocused}
        {...invalidField(isInvalid)}
      />
    </div>
  );
}
