import type { Operator } from './operator.ts';

/** How operators sign in. */
export interface Access {
  /** The operator of the request, or a response: a redirect to the sign-in, or the page for users without a role. */
  identify(request: Request): Promise<Operator | Response>;
  /** Answers requests below `/session`: the callback and the sign-out. */
  answer(request: Request, path: string): Promise<Response>;
}
