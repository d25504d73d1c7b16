/** An answer with another status than the expected ones. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
  readonly status: number;
  /** Whether the answer says when to try again (`Retry-After`, RFC 9110, section 10.2.3). */
  readonly hasRetryAfter: boolean;
  constructor(message: string, status: number, hasRetryAfter: boolean) {
    super(message);
    this.status = status;
    this.hasRetryAfter = hasRetryAfter;
  }
}
