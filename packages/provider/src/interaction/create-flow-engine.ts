import type { HttpResponse } from '../http/types.ts';
import { createBegin } from './begin.ts';
import type { Browser } from './browser.ts';
import { createChallenges, type Query } from './challenges.ts';
import { createCodeEnding } from './code-ending.ts';
import { createCommit } from './commit.ts';
import { createDeviceEnding } from './device-ending.ts';
import { createResume } from './resume.ts';
import type { FlowDependencies } from './step.ts';

/**
 * The steps of every flow in which a user signs in and consents. It uses neither Koa nor oidc-provider: each visit is a
 * `Browser`, each response an `HttpResponse`.
 */
export const createFlowEngine = (deps: FlowDependencies) => {
  const commit = createCommit(deps);
  const challenges = createChallenges(deps);
  const begin = createBegin(deps, challenges);
  const resume = createResume(deps, { begin, challenges, commit });
  const codeEnding = createCodeEnding(deps, commit);
  const deviceEnding = createDeviceEnding(deps, commit);
  return {
    begin,
    /** Resumes a flow of the authorization endpoint. Undefined if the URL has no decision. */
    resume: (query: Query, browser: Browser) => resume(query, browser, codeEnding),
    /**
     * A visit of a browser in which a user authorizes a device (RFC 8628, section 3.3). A flow begins with a user code,
     * on the operator's page, and resumes only in the same browser: the user who entered the code is the one who decides.
     */
    deviceVisit: (query: Query, browser: Browser): Promise<HttpResponse> =>
      resume(query, browser, deviceEnding) ?? challenges.askForUserCode(query, browser),
  };
};

export type FlowEngine = ReturnType<typeof createFlowEngine>;
