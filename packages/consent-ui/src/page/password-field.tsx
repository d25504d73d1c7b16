import { Field, type FieldProps } from './form.tsx';
import type { View } from './view.ts';

interface PasswordFieldProps
  extends Pick<FieldProps, 'label' | 'hint' | 'autoFocus' | 'isWrong' | 'isOptional' | 'minLength'> {
  readonly view: View;
  /** Default `password`. */
  readonly name?: string;
  readonly autoComplete: 'current-password' | 'new-password';
}

/** A password with a button that shows it, which the script of the page enables. */
export function PasswordField({ view, name = 'password', ...field }: PasswordFieldProps) {
  const button = (
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
  );
  return <Field name={name} type="password" dir="ltr" maxLength={1024} button={button} {...field} />;
}

/** A new password, with the least number of characters that it needs. `isOptional`: the user may sign in by email instead. */
export function NewPasswordField({
  minLength,
  isOptional = false,
  ...field
}: Omit<PasswordFieldProps, 'autoComplete' | 'hint' | 'minLength'> & { readonly minLength: number }) {
  const { newPassword, emailSignIn } = field.view.text;
  const hint = isOptional ? `${emailSignIn.noPassword} ${newPassword.hint(minLength)}` : newPassword.hint(minLength);
  return (
    <PasswordField {...field} isOptional={isOptional} hint={hint} autoComplete="new-password" minLength={minLength} />
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
