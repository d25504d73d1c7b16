import { chartStyle, escapeXml } from '../charts/svg.ts';

const style = `:root{color-scheme:light dark;--paper:#fff;--ink:#1f2328;--quiet:#656d76;--rule:#d1d9e0;--bad:#c4372b}
@media (prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--quiet:#9198a1;--rule:#3d444d;--bad:#e5675c}}
body{margin:0 auto;max-width:1180px;padding:2rem 1.25rem;background:var(--paper);color:var(--ink);font:15px/1.55 system-ui,sans-serif}
h1{font-size:1.7rem;margin:0 0 .5rem}h2{font-size:1.2rem;margin:2.2rem 0 .7rem}
code{font-size:.92em}ul{padding-left:1.2rem}.quiet,li{color:var(--quiet)}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;white-space:nowrap}
th,td{padding:.3rem .7rem;border-bottom:1px solid var(--rule);text-align:right}
th{color:var(--quiet);font-weight:500}th:first-child,td:first-child,.left-2 :nth-child(2):is(th,td){text-align:left}
td.missed{color:var(--bad);font-weight:600}.latencies{display:flex;flex-wrap:wrap;gap:1rem}svg{max-width:100%;height:auto}.scroll>svg{max-width:none}`;

/** A page that loads nothing, light or dark like the reader's system. @param content markup */
export const pageOf = (title: string, content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeXml(title)}</title><style>${style}${chartStyle}</style></head><body><main>
${content}
</main></body></html>
`;

/** The first row is the head; so many columns are aligned to the left, the others to the right. */
export const tableOf = ([head = [], ...rows]: readonly (readonly string[])[], leftColumns: 1 | 2 = 2): string => {
  const cell = (text: string) => `<td${text === 'NOT MET' ? ' class="missed"' : ''}>${escapeXml(text)}</td>`;
  const heads = head.map((text) => `<th scope="col">${escapeXml(text)}</th>`).join('');
  const lines = rows.map((cells) => `<tr>${cells.map(cell).join('')}</tr>`).join('\n');
  return `<div class="scroll"><table class="left-${leftColumns}"><thead><tr>${heads}</tr></thead><tbody>\n${lines}\n</tbody></table></div>`;
};
