import { invalidField } from './problem-message.tsx';
import type { View } from './view.ts';

export interface PasswordFieldProps {
  readonly view: View;
  readonly label: string;
  /** The id and the name of the field. Default `password`. */
  readonly name?: string;
  readonly autoComplete: 'current-password' | 'new-password';
  readonly autoFocus?: boolean;
  readonly isInvalid?: boolean;
  /** The least number of characters of a new password. */
  readonly minLength?: number | undefined;
  readonly hint?: string;
}

/** A password with a button that shows it, which the script of the page enables. */
export function PasswordField(props: PasswordFieldProps) {
  const { view, label, name = 'password', autoComplete, autoFocus, isInvalid = false, minLength, hint } = props;
  const { 'aria-describedby': problem, ...invalid } = invalidField(isInvalid);
  const described = [problem, hint && `${name}-hint`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <div className="password">
        <input
          id={name}
          name={name}
          type="password"
          dir="ltr"
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          minLength={minLength}
          maxLength={1024}
          required
          // biome-ignore lint/a11y/noAutofocus: the page decides, which consists of one form
          autoFocus={autoFocus}
          aria-describedby={described || undefined}
          {...invalid}
        />
        <button
          type="button"
          className="icon"
          data-shows={name}
          aria-pressed="false"
          aria-label={view.text.login.showPassword}
          hidden
        >
          <Eye />
        </button>
      </div>
      {hint && (
        <small className="hint" id={`${name}-hint`}>
          {hint}
        </small>
      )}
    </div>
  );
}

function Eye() {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" strokeLinejoin="round" />
      <circle cx="12" cy="12" r="3" />
      <path className="slash" d="M4 20 20 4" />
    </svg>
  );
}
