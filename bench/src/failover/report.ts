import type { Audit } from './ledger.ts';
import type { FaultFigures } from './timeline.ts';

export interface FailoverResult {
  readonly date: string;
  readonly machine: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly loginsPerSecond: number;
  readonly faults: readonly FaultFigures[];
  /** Faults that could not be made here, with the reason. */
  readonly skipped: readonly string[];
  readonly audit: Audit;
  /** Codes that were used up by a redemption whose answer was lost. Their tokens were never delivered. */
  readonly codesWithUnknownOutcome: number;
  /** Messages of wrong answers, and how often each occurred. */
  readonly wrongAnswers: Readonly<Record<string, number>>;
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const faultRow = (fault: FaultFigures): readonly (string | number)[] => [
  fault.name,
  fault.primaryReadySeconds ?? '-',
  fault.lastFailureSeconds,
  fault.longestGapSeconds,
  `${fault.failedLogins} of ${fault.logins}`,
  fault.refused,
  fault.unanswered,
  fault.wrong,
  fault.p99Ms,
];

const faultHead = [
  'fault',
  'new primary ready, s',
  'last failure after that, s',
  'longest time without a login, s',
  'failed logins',
  'requests refused (503, Retry-After)',
  'requests unanswered',
  'unexpected answers',
  'p99 of the others, ms',
];

export const failoverMarkdown = (result: FailoverResult): string => {
  const { audit } = result;
  const versions = Object.entries(result.versions).map(([name, version]) => `${name} ${version}`);
  return [
    `${result.date}, ${result.machine}, ${result.loginsPerSecond} logins/s. ${versions.join(', ')}.`,
    table(faultHead, result.faults.map(faultRow)),
    table(
      ['audit at the end', 'acknowledged', 'violated'],
      [
        ['access tokens are active', audit.acknowledgedTokens, audit.lostTokens],
        ['revoked and logged out tokens are inactive', audit.acknowledgedRevocations, audit.revivedTokens],
        ['ended sessions are over', audit.endedSessions, audit.revivedSessions],
        ['codes were redeemed once', audit.redeemedCodes, audit.codesRedeemedTwice],
      ],
    ),
    `Codes that were used up by a redemption whose answer was lost: ${result.codesWithUnknownOutcome}.`,
    ...result.skipped,
    Object.entries(result.wrongAnswers)
      .map(([message, count]) => `- ${count} x ${message.replace(/\s+/g, ' ')}`)
      .join('\n'),
    '',
  ].join('\n\n');
};

/** Whether the promises were kept; `mostSeconds`: how long logins may fail after another server takes commits. */
export const isKept = ({ audit, faults }: FailoverResult, mostSeconds: number): boolean =>
  audit.lostTokens + audit.revivedTokens + audit.revivedSessions + audit.codesRedeemedTwice === 0 &&
  faults.every(
    ({ primaryReadySeconds, lastFailureSeconds }) =>
      primaryReadySeconds === undefined || lastFailureSeconds <= mostSeconds,
  );
