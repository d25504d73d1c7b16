import { chartsOf } from '../charts/index.ts';
import { latencyHistogram } from '../charts/latency-histogram.ts';
import { chartStyle, escapeXml, inlineSvg } from '../charts/svg.ts';
import { conditionsOf } from './markdown.ts';
import type { Results } from './results.ts';
import { legend, outcomeRows, verdictRows } from './text.ts';

const style = `:root{color-scheme:light dark;--paper:#fff;--ink:#1f2328;--quiet:#656d76;--rule:#d1d9e0;--bad:#c4372b}
@media (prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--quiet:#9198a1;--rule:#3d444d;--bad:#e5675c}}
body{margin:0 auto;max-width:1180px;padding:2rem 1.25rem;background:var(--paper);color:var(--ink);font:15px/1.55 system-ui,sans-serif}
h1{font-size:1.7rem;margin:0 0 .5rem}h2{font-size:1.2rem;margin:2.2rem 0 .7rem}
code{font-size:.92em}ul{padding-left:1.2rem}.quiet,li{color:var(--quiet)}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;white-space:nowrap}
th,td{padding:.3rem .7rem;border-bottom:1px solid var(--rule);text-align:right}
th{color:var(--quiet);font-weight:500}th:nth-child(-n+2),td:nth-child(-n+2){text-align:left}
td.missed{color:var(--bad);font-weight:600}.latencies{display:flex;flex-wrap:wrap;gap:1rem}svg{max-width:100%;height:auto}`;

const tableOf = ([head = [], ...rows]: readonly (readonly string[])[]): string => {
  const cell = (text: string) => `<td${text === 'NOT MET' ? ' class="missed"' : ''}>${escapeXml(text)}</td>`;
  const heads = head.map((text) => `<th scope="col">${escapeXml(text)}</th>`).join('');
  const lines = rows.map((cells) => `<tr>${cells.map(cell).join('')}</tr>`).join('\n');
  return `<div class="scroll"><table><thead><tr>${heads}</tr></thead><tbody>\n${lines}\n</tbody></table></div>`;
};

const profilesOf = (profiles: readonly string[]): string =>
  profiles.length === 0
    ? ''
    : `<h2>Profiles</h2><ul>${profiles.map((file) => `<li><a href="${escapeXml(file)}">${escapeXml(file)}</a></li>`).join('')}</ul>`;

/** One file that needs nothing else. @param profiles paths of flame graphs beside it */
export const renderHtml = (results: Results, profiles: readonly string[]): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Carnet bench, ${results.startedAt.slice(0, 10)}</title><style>${style}${chartStyle}</style></head><body><main>
<h1>Carnet bench</h1>
<p><code>${escapeXml(results.command)}</code></p>
<ul>${conditionsOf(results)
  .map((line) => `<li>${escapeXml(line)}</li>`)
  .join('')}</ul>
${results.verdicts.length === 0 ? '' : `<h2>Figures</h2>${tableOf(verdictRows(results.verdicts))}`}
<h2>Charts</h2>
${[...chartsOf(results).values()].map((chart) => `<p>${inlineSvg(chart)}</p>`).join('\n')}
<h2>Scenarios</h2>
${tableOf(outcomeRows(results.outcomes))}
<p class="quiet">${escapeXml(legend)}</p>
<h2>Latencies</h2>
<p class="quiet">Answers of all rounds by how long they took, on a logarithmic axis; dashed: p50, p95, p99.</p>
<div class="latencies">${results.outcomes.map((outcome) => inlineSvg(latencyHistogram(outcome))).join('\n')}</div>
${profilesOf(profiles)}
</main></body></html>
`;
