export interface ProblemMessageProps {
  readonly message: string | undefined;
  /** The id of the field to which the problem leads. */
  readonly field: string;
}

/**
 * The problem of a submitted form. It has the focus when the page opens, and leads to the field. Fields refer to it by
 * `aria-describedby="message"`: see `invalidField`.
 */
export function ProblemMessage({ message, field }: ProblemMessageProps) {
  return (
    message && (
      // biome-ignore lint/a11y/noAutofocus: the page was loaded because of this problem
      <p className="message" id="message" role="alert" tabIndex={-1} autoFocus>
        <a href={`#${field}`}>{message}</a>
      </p>
    )
  );
}

/** The attributes of a field that `ProblemMessage` leads to. */
export const invalidField = (
  isInvalid: boolean,
): { readonly 'aria-invalid'?: true; readonly 'aria-describedby'?: string } =>
  isInvalid ? { 'aria-invalid': true, 'aria-describedby': 'message' } : {};
