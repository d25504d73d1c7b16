import { chartsOf } from '../charts/index.ts';
import { latencyHistogram } from '../charts/latency-histogram.ts';
import { escapeXml, inlineSvg } from '../charts/svg.ts';
import { conditionsOf } from './markdown.ts';
import { pageOf, tableOf } from './page.ts';
import type { Results, StudyResult } from './results.ts';
import { legend, outcomeRows, rateRows, verdictRows } from './text.ts';

const profilesOf = ({ profiles }: Results): string => {
  const links = profiles.map(
    ({ page, scenario, target }) => `<li><a href="${escapeXml(page)}">${escapeXml(`${scenario}, ${target}`)}</a></li>`,
  );
  return links.length === 0 ? '' : `<h2>Profiles</h2><ul>${links.join('')}</ul>`;
};

const conditions = (results: Results): string =>
  conditionsOf(results)
    .map((line) => `<li>${escapeXml(line)}</li>`)
    .join('');

const studyOf = ({ title, command, tables }: StudyResult): string =>
  `<h2>${escapeXml(title)}</h2>\n<p><code>${escapeXml(command)}</code></p>\n${tables.map((table) => tableOf(table, 1)).join('\n')}`;

export const renderHtml = (results: Results): string =>
  pageOf(
    `Carnet bench, ${results.startedAt.slice(0, 10)}`,
    `<h1>Carnet bench</h1>
<p><code>${escapeXml(results.command)}</code></p>
<ul>${conditions(results)}</ul>
<h2>Throughput and latency</h2>
${tableOf(rateRows(results.outcomes))}
<h2>Charts</h2>
${[...chartsOf(results).values()].map((chart) => `<p class="scroll">${inlineSvg(chart)}</p>`).join('\n')}
${results.verdicts.length === 0 ? '' : `<h2>Targets</h2>${tableOf(verdictRows(results.verdicts))}`}
<h2>Details</h2>
${tableOf(outcomeRows(results.outcomes))}
<p class="quiet">${escapeXml(legend)}</p>
<h2>Latencies</h2>
<p class="quiet">Answers of all rounds by how long they took, on a logarithmic axis; dashed: p50, p95, p99.</p>
<div class="latencies">${results.outcomes.map((outcome) => inlineSvg(latencyHistogram(outcome))).join('\n')}</div>
${results.studies.map(studyOf).join('\n')}
${profilesOf(results)}`,
  );
