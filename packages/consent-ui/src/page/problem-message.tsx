export interface ProblemMessageProps {
  readonly message: string | undefined;
}

/** What was wrong with the form that came, read out at once. A field names it by `aria-describedby="message"`. */
export function ProblemMessage({ message }: ProblemMessageProps) {
  return (
    message && (
      <p className="message" id="message" role="alert" aria-live="assertive">
        {message}
      </p>
    )
  );
}
