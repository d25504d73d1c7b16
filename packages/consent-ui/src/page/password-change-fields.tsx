import { NewPasswordField, PasswordField } from './password-field.tsx';
import type { View } from './view.ts';

export interface PasswordChangeFieldsProps {
  readonly view: View;
  /** The name of the field of the current password. */
  readonly current: 'current' | 'password';
  /** The least number of characters of the new password. */
  readonly minLength: number;
  /** The field that the problem of the page is about. */
  readonly invalid?: string | undefined;
}

/** The current password, and the new one in the field `next`. */
export function PasswordChangeFields({ view, current, minLength, invalid }: PasswordChangeFieldsProps) {
  const { newPassword } = view.text;
  return (
    <>
      <PasswordField
        view={view}
        name={current}
        label={newPassword.current}
        autoComplete="current-password"
        isWrong={invalid === current}
        autoFocus
      />
      <NewPasswordField
        view={view}
        name="next"
        label={newPassword.next}
        minLength={minLength}
        isWrong={invalid === 'next'}
      />
    </>
  );
}
