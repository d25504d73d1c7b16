// What a run of vitest came to, from its report in JSON: what failed, what took longest, and the last line.
import { relative } from 'node:path';
import { root, say } from '../workspace.mjs';

const slowestShown = 10;

/** As one word of a shell. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

const escaped = (title) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Each failure: what failed, the first line of why, and the arguments that run it alone. */
const failuresOf = (report) =>
  report.testResults
    .filter((file) => file.status === 'failed')
    .flatMap((file) => {
      const path = relative(root, file.name);
      const failed = file.assertionResults.filter((result) => result.status === 'failed');
      // A file that could not even be loaded has no test that failed, but it did.
      if (failed.length === 0) return [{ what: path, why: String(file.message), alone: path }];
      return failed.map(({ fullName, failureMessages: [why = ''] }) => ({
        what: `${path}: ${fullName}`,
        why,
        alone: `${path} -t ${quoted(escaped(fullName))}`,
      }));
    });

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1).padStart(6)} s`;

const tellSlowest = (report) => {
  const files = report.testResults
    .map((file) => ({ path: relative(root, file.name), took: file.endTime - file.startTime }))
    .toSorted((one, other) => other.took - one.took)
    .slice(0, slowestShown);
  say('test: the slowest files:');
  for (const { path, took } of files) say(`test: ${seconds(took)}  ${path}`);
};

/** Says what people read first. Answers how many tests failed, and how many passed. */
export const tell = ({ report, code, command }) => {
  const failures = failuresOf(report);
  tellSlowest(report);
  for (const { what, why, alone } of failures) {
    say(`test: failed: ${what}: ${why.split('\n')[0]}`);
    say(`test:   alone: ${command} ${alone}`);
  }
  // An error outside of any test fails the run as well.
  const failed = code !== 0 && failures.length === 0 ? 1 : failures.length;
  if (failed > failures.length)
    say(`test: vitest ended with exit code ${code} although no test failed; the reason is above`);
  const { numTotalTests, numPendingTests, numTodoTests = 0, testResults } = report;
  const skipped = numPendingTests + numTodoTests;
  const passed = numTotalTests - skipped - report.numFailedTests;
  const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  say(`${counts} in ${testResults.length} files`);
  return { passed, failed };
};
