/** A request that cannot be carried out. The provider names the error over HTTP by its code. */
export class EventsError extends Error {
  override readonly name = 'EventsError';
  readonly code: 'invalid_input' | 'not_found';

  constructor(code: EventsError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
