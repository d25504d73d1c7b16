/** The user's input was not accepted. `message` is a sentence for the user. */
export interface Refused<Code extends string> {
  readonly ok: false;
  readonly error: Code;
  readonly message?: string | undefined;
}

/** The result of an operation that can fail because of the user's input. */
export type Outcome<Code extends string, Members extends object = object> =
  | ({ readonly ok: true } & Members)
  | Refused<Code>;
