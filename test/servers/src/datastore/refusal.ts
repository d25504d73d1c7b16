import { status } from '@grpc/grpc-js';

export type StatusName = Exclude<keyof typeof status, number>;

/** An answer of the API that is an error. */
export class Refusal extends Error {
  readonly code: number;
  constructor(code: StatusName, message: string) {
    super(message);
    this.code = status[code];
  }
}

export const refuse = (code: StatusName, message: string): never => {
  throw new Refusal(code, message);
};
