import type { SignIn } from '@carnet/accounts/client';
import type { View } from '../page/view.ts';

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

/** The message of a refused attempt; undefined if the password was right. */
export const refusalOf = ({ text: { login } }: View, result: SignIn): Refusal | undefined => {
  if (result.state === 'refused') return { status: 401, message: login.wrong };
  if (result.state !== 'limited') return undefined;
  const { retryAfterSeconds } = result;
  return { status: 429, retryAfterSeconds, message: login.tooMany(Math.ceil(retryAfterSeconds / 60)) };
};
