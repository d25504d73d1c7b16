import { CarnetError } from '@carnet/provider';
import type { ConsoleServer } from '../../server/console-server.ts';

type Users = NonNullable<ConsoleServer['users']>;
type ManagedUser = Awaited<ReturnType<Users['get']>>;
export type UserState = ManagedUser['state'];

export interface UserSearch {
  /** A subject, a login name, or the beginning of a login name or name. */
  readonly text: string | undefined;
  readonly state: UserState | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

export interface FoundUsers {
  readonly users: readonly ManagedUser[];
  readonly next?: string | undefined;
  /** No directory can be listed or searched: users are found by whole ids only. */
  readonly isListed: boolean;
}

type Code = CarnetError['code'];

/** The result of a call, or undefined if it is refused with one of the codes. */
const unless = async <Result>(call: Promise<Result>, ...codes: readonly Code[]): Promise<Result | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CarnetError && codes.includes(error.code)) return undefined;
    throw error;
  }
};

/** Finds users by any id. The text is a whole subject or login name on the first page only. */
export const findUsers = async (users: Users, { text, ...filters }: UserSearch): Promise<FoundUsers> => {
  const isWhole = text !== undefined && filters.after === undefined;
  const [bySubject, byLogin, listed] = await Promise.all([
    isWhole ? unless(users.get({ subject: text }), 'not_found', 'invalid_request') : undefined,
    isWhole ? unless(users.list({ login: text, state: filters.state }), 'invalid_request') : undefined,
    unless(users.list({ search: text, ...filters }), 'not_supported'),
  ]);
  const isWanted = ({ state }: ManagedUser): boolean => filters.state === undefined || filters.state === state;
  const whole = [...(bySubject === undefined ? [] : [bySubject].filter(isWanted)), ...(byLogin?.users ?? [])];
  const found = new Map([...whole, ...(listed?.users ?? [])].map((user) => [user.subject, user]));
  return { users: [...found.values()], next: listed?.next, isListed: listed !== undefined };
};
