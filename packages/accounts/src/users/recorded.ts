import { AccountsError } from '../accounts-error.ts';
import type { AccountsEvent } from '../dependencies.ts';

type ManagementEvent = Extract<AccountsEvent, { readonly type: 'user' | 'group' }>;

/**
 * Wraps functions of the management: each call, and each refusal of one, is an event.
 *
 * @param eventOf the event of a call. The result is undefined for a refusal
 */
export const createRecorded =
  (emit: (event: AccountsEvent) => Promise<void>) =>
  <Input extends object, Result>(
    call: (input: Input) => Promise<Result>,
    eventOf: (input: Input, result: Result | undefined) => ManagementEvent,
  ) =>
  async (input: Input): Promise<Result> => {
    let result: Result;
    try {
      result = await call(input);
    } catch (error) {
      const reason = error instanceof AccountsError ? error.code : 'failed';
      await emit({ ...eventOf(input, undefined), reason });
      throw error;
    }
    await emit(eventOf(input, result));
    return result;
  };
