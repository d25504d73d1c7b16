import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { liveScript } from './live-script.ts';

/** The rules that Pico leaves to a page: the navigation, wide tables at 320 px, and the link that skips it. */
const ownStyles = `
:root { --pico-font-size: 90%; }
header, main, footer { padding-block: 1rem !important; }
.skip { position: absolute; inset-inline-start: -100vw; }
.skip:focus { inset-inline-start: 0; }
.brand { display: inline-flex; align-items: center; gap: 0.6rem; font-weight: bold; text-decoration: none; }
.brand img { max-height: 2.5rem; max-width: 12rem; }
header nav ul { flex-wrap: wrap; }
header nav [aria-current] { font-weight: bold; text-decoration: underline; }
.table { overflow-x: auto; }
td, th { min-width: 5rem; max-width: 28rem; overflow-wrap: break-word; }
:is(a, button, input, select, textarea, summary, [tabindex]):focus-visible { outline: 3px solid var(--pico-primary) !important; outline-offset: 2px; }
search form, main form[method="post"] { margin-bottom: var(--pico-spacing); }
label + small { display: block; margin-block: calc(var(--pico-spacing) * -0.75) var(--pico-spacing); }
label:has(> [type="checkbox"]) + small { margin-block-start: 0; }
textarea { max-height: 60vh; }
pre, code { overflow-wrap: anywhere; white-space: pre-wrap; }
:is(td, th) code { overflow-wrap: break-word; }
header form, footer form { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; }
header form button, footer form button { width: auto; margin-bottom: var(--pico-spacing); }
header form span { margin-bottom: calc(var(--pico-spacing) * 1.5); }
svg { width: 100%; height: auto; }
svg text { fill: var(--pico-color); font-size: 12px; }
svg .grid { stroke: var(--pico-muted-border-color); }
svg .line { fill: none; stroke-width: 2; }
svg .line.series-0 { stroke: #0172ad; }
svg .line.series-1 { stroke: #c52f21; stroke-dasharray: 6 3; }
svg .area { fill-opacity: 0.15; }
svg .area.series-0, .key.series-0 { fill: #0172ad; background: #0172ad; }
svg .area.series-1, .key.series-1 { fill: #c52f21; background: #c52f21; }
.legend { display: flex; flex-wrap: wrap; gap: 1rem; padding: 0; }
.legend li { list-style: none; }
.key { display: inline-block; width: 0.8em; height: 0.8em; margin-inline-end: 0.4em; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); gap: 2rem; }
.figures figure { margin: 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: 1rem; }
.tiles dd { margin: 0; font-size: 1.4em; font-weight: bold; }
dl > div { margin-bottom: 0.5rem; }
.step { position: sticky; bottom: 0; padding-block: 0.5rem; background: var(--pico-background-color); }
.step:has(~ .step, ~ .result), .running:has(.result) .stop { display: none; }
.running li { overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) {
  svg .line.series-0 { stroke: #01aaff; }
  svg .line.series-1 { stroke: #ee8b80; }
}
`;

export interface Asset {
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** The files of the console, by name, read once at start. */
export const readAssets = async (): Promise<ReadonlyMap<string, Asset>> => {
  const pico = await readFile(fileURLToPath(import.meta.resolve('@picocss/pico/css/pico.classless.min.css')), 'utf8');
  return new Map([
    ['pico.css', { type: 'text/css; charset=utf-8', body: pico }],
    ['live.js', { type: 'text/javascript; charset=utf-8', body: liveScript }],
    ['console.css', { type: 'text/css; charset=utf-8', body: ownStyles }],
  ]);
};
