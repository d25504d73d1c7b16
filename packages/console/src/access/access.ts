import type { Language } from '../messages/languages.ts';
import type { Answer } from '../page/route.ts';
import type { Operator } from './operator.ts';
import type { Watch } from './session-watch.ts';

/** An operator who may use the console, with the cookie that the response sets, if any. */
export interface Identified {
  readonly operator: Operator;
  readonly cookie?: string | undefined;
  readonly watchSession: () => Watch;
}

/** How operators sign in. */
export interface Access {
  /**
   * The operator of the request, or the answer: a redirect to the sign-in, or the page for users without a role.
   *
   * @param path below the mount point, with the query
   */
  identify(request: Request, path: string, language: Language): Promise<Identified | Answer>;
  /** Answers requests below `/session`: the sign-in, and the sign-out. Undefined for other paths. */
  answer(request: Request, path: string, language: Language): Promise<Answer | undefined>;
  /** Called after each change of an operator, which may have ended sessions: their streams end. */
  changed(): Promise<void>;
}
