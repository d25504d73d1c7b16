import type { Verdict } from '../figures.ts';
import type { ProfileSummary } from '../profiles/origin.ts';
import type { Results, StudyResult } from './results.ts';
import { summaryRows } from './summary.ts';
import { busyWarning } from './surroundings.ts';
import { legend, outcomeRows, rateRows, verdictRows } from './text.ts';

const tableOf = ([head = [], ...rows]: readonly (readonly string[])[], leftColumns = 2): string => {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map((_, index) => (index < leftColumns ? '---' : '---:'))), ...rows.map(line)].join(
    '\n',
  );
};

export const summaryTable = (results: Results): string => tableOf(summaryRows(results), 1);

export const figuresTable = (verdicts: readonly Verdict[]): string => tableOf(verdictRows(verdicts));

/** The parts that took most of the CPU time of each profiled scenario. */
export const profilesTable = (profiles: readonly ProfileSummary[]): string =>
  tableOf(
    [
      ['scenario', 'on', 'share of the CPU time'],
      ...profiles.map(({ scenario, target, parts }) => [
        scenario,
        target,
        parts.map(({ name, share }) => `${name} ${(100 * share).toFixed(1)} %`).join(', '),
      ]),
    ],
    3,
  );

/** The conditions of the figures: machine, versions, settings, commit. */
export const conditionsOf = ({
  machine,
  versions,
  commit,
  targets,
  isQuick,
  startedAt,
}: Results): readonly string[] => [
  ...[busyWarning(machine.busyShare)]
    .filter((warning) => warning !== undefined)
    .map((warning) => `WARNING: ${warning}`),
  `${machine.cores} cores of ${machine.cpu}, ${machine.memoryGigabytes} GB, ${machine.system}`,
  Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', '),
  ...targets.map(({ name, settings }) =>
    [`${name}:`, ...Object.entries(settings).map(([key, value]) => `${key} ${value};`)].join(' ').replace(/;$/, ''),
  ),
  `commit ${commit.id}${commit.isDirty ? ', with changes that are not committed' : ''}, ${startedAt.slice(0, 10)}`,
  ...(isQuick ? ['--quick: to look at, not to quote'] : []),
];

const studyOf = ({ title, command, tables }: StudyResult): string =>
  `\n## ${title}\n\n\`${command}\`\n\n${tables.map((table) => tableOf(table, 1)).join('\n\n')}\n`;

export const renderMarkdown = (results: Results): string => `# Results

\`${results.command}\`

${conditionsOf(results)
  .map((line) => `- ${line}`)
  .join('\n')}

## Throughput and latency

${tableOf(rateRows(results.outcomes), 3)}

${results.verdicts.length === 0 ? '' : `## Targets\n\n${figuresTable(results.verdicts)}\n\n`}## Details

${tableOf(outcomeRows(results.outcomes))}

${legend}
${results.studies.map(studyOf).join('')}`;
