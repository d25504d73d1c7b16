/** An error as DynamoDB answers it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly type: string;
  readonly status: number;
  readonly more: object;

  constructor(
    type: string,
    message: string,
    { status = 400, ...more }: { readonly status?: number; readonly [name: string]: unknown } = {},
  ) {
    super(message);
    this.type = type;
    this.status = status;
    this.more = more;
  }
}

export const refuse = (message: string): never => {
  throw new Refusal('ValidationException', message);
};
