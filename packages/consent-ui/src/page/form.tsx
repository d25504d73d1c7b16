import type { ReactNode } from 'react';
import { formTokenField } from '../csrf/form-token.ts';
import type { Services } from '../services.ts';
import { invalidField } from './problem-message.tsx';

/** The attributes of a form that posts to this site. */
export interface FormTarget {
  readonly action: string;
  readonly token: string;
  readonly hidden?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The target of a form of a flow, and the cookie of its token. By default the form posts to its own page. */
export const issueForm = (
  { formTokens }: Pick<Services, 'formTokens'>,
  request: Request,
  flow: string,
  target: Partial<Omit<FormTarget, 'token'>> = {},
): { readonly target: FormTarget; readonly cookie: string } => {
  const { token, cookie } = formTokens.issue(request, flow);
  const { pathname, search } = new URL(request.url);
  return { target: { action: pathname + search, token, ...target }, cookie };
};

export interface FormProps extends FormTarget {
  readonly id?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A form with its token and its hidden fields. */
export function Form({ action, token, hidden = {}, id, className, children }: FormProps) {
  return (
    <form method="post" action={action} id={id} className={className}>
      <HiddenFields fields={{ [formTokenField]: token, ...hidden }} />
      {children}
    </form>
  );
}

export function HiddenFields({ fields }: { readonly fields: Readonly<Record<string, string | undefined>> }) {
  return Object.entries(fields).map(
    ([name, value]) => value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
  );
}

export interface ButtonProps {
  /** Default `accept`. */
  readonly id?: string;
  readonly label: string;
  /** The field that the button sets. */
  readonly name?: string;
  readonly value?: string;
  readonly isPlain?: boolean;
  /** Whether the form is sent with fields that are empty or not valid. */
  readonly formNoValidate?: boolean;
}

export function Button({ id = 'accept', label, isPlain = false, ...button }: ButtonProps) {
  return (
    <button id={id} type="submit" className={isPlain ? 'plain' : undefined} {...button}>
      {label}
    </button>
  );
}

/** The button of a form, and below it `children`: the other ones. */
export function Submit({ children, ...button }: ButtonProps & { readonly children?: ReactNode }) {
  return (
    <div className="actions">
      <Button {...button} />
      {children}
    </div>
  );
}

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly type?: 'text' | 'password' | 'email';
  readonly dir?: 'ltr';
  readonly autoComplete?: string;
  readonly autoCapitalize?: 'none' | 'characters';
  readonly inputMode?: 'numeric' | 'email' | 'text';
  readonly maxLength?: number;
  readonly minLength?: number | undefined;
  readonly value?: string | undefined;
  readonly isOptional?: boolean;
  readonly isWrong?: boolean;
  readonly autoFocus?: boolean;
  readonly className?: string | undefined;
  /** A button inside the field. */
  readonly button?: ReactNode;
}

/** A text field with its label and its hint. `isWrong`: the message of the page leads to it. */
export function Field({ name, label, hint, value, isOptional = false, isWrong = false, button, ...rest }: FieldProps) {
  const { 'aria-describedby': problem, ...invalid } = invalidField(isWrong);
  const described = [problem, hint && `${name}-hint`].filter(Boolean).join(' ');
  const input = (
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
      {...rest}
    />
  );
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      {button === undefined ? (
        input
      ) : (
        <div className="password">
          {input}
          {button}
        </div>
      )}
      {hint && (
        <small className="hint" id={`${name}-hint`}>
          {hint}
        </small>
      )}
    </div>
  );
}
