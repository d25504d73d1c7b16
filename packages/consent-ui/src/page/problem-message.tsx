export interface ProblemMessageProps {
  readonly message: string | undefined;
}

/** The problem of a submitted form, announced by screen readers. Fields refer to it by `aria-describedby="message"`. */
export function ProblemMessage({ message }: ProblemMessageProps) {
  return (
    message && (
      <p className="message" id="message" role="alert" aria-live="assertive">
        {message}
      </p>
    )
  );
}
