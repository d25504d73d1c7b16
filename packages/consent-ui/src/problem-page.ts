import { homeLink } from './page/home-page.ts';
import { respondNotice } from './page/respond-notice.tsx';
import type { Ui } from './page/ui.ts';
import { viewOf } from './page/view.ts';
import type { Problem } from './problem.ts';
import { createReportLimit } from './report-limit.ts';

/** Without the query, which holds a challenge. */
const logEntry = ({ code, cause }: Problem, url: URL) => {
  const inner = cause instanceof Error ? cause.cause : undefined;
  const reason = inner instanceof Error ? `${cause}: ${inner.message}` : String(cause);
  const stack = code === 'server_error' && cause instanceof Error ? cause.stack : undefined;
  return { level: 'error', time: new Date().toISOString(), path: url.pathname, code, reason, stack };
};

const isReported = createReportLimit();

/** The page for a request that failed. Failures of this UI and of the provider are logged. */
export const respondProblem = (
  services: { readonly ui: Ui },
  problem: Problem,
  request: Request,
): Promise<Response> => {
  const view = viewOf(services, request);
  const { url } = view;
  if (problem.status >= 500 && isReported(problem)) console.error(JSON.stringify(logEntry(problem, url)));
  const isFinal = problem.code === 'invalid_link' || problem.code === 'missing_challenge';
  const retry = { id: 'retry', label: view.text.retry, href: `${url.pathname}${url.search}` };
  const action = isFinal ? homeLink(view) : retry;
  const retryAfterSeconds = problem.status === 503 ? 5 : undefined;
  return respondNotice(
    view,
    { ...view.text.problems[problem.code], action },
    { status: problem.status, retryAfterSeconds },
  );
};
