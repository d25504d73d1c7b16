import type { ReactNode } from 'react';
import { formTokenField } from '../csrf/form-token.ts';
import { invalidField } from './problem-message.tsx';

/** The attributes of a form that posts to this site. */
export interface FormTarget {
  readonly action: string;
  readonly token: string;
  readonly hidden?: Readonly<Record<string, string | undefined>>;
}

export interface FormProps extends FormTarget {
  readonly id?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A form with its token and its hidden fields. */
export function Form({ action, token, hidden = {}, id, className, children }: FormProps) {
  const fields = Object.entries({ [formTokenField]: token, ...hidden });
  return (
    <form method="post" action={action} id={id} className={className}>
      {fields.map(
        ([name, value]) => value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {children}
    </form>
  );
}

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly type?: 'text' | 'password' | 'email';
  readonly autoComplete?: string;
  readonly inputMode?: 'numeric' | 'email' | 'text';
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly value?: string | undefined;
  readonly isOptional?: boolean;
  readonly isWrong?: boolean;
  readonly autoFocus?: boolean;
  readonly className?: string;
}

/** A text field with its label and its hint. `isWrong`: the message of the page leads to it. */
export function Field({ name, label, hint, value, isOptional = false, isWrong = false, ...input }: FieldProps) {
  const { 'aria-describedby': problem, ...invalid } = invalidField(isWrong);
  const described = [problem, hint && `${name}-hint`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        name={name}
        type="text"
        autoCapitalize="none"
        spellCheck={false}
        required={!isOptional}
        defaultValue={value}
        aria-describedby={described || undefined}
        {...invalid}
        {...input}
      />
      {hint && (
        <small className="hint" id={`${name}-hint`}>
          {hint}
        </small>
      )}
    </div>
  );
}
