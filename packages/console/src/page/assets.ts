import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The rules that Pico leaves to a page: the navigation, wide tables at 320 px, and the link that skips it. */
const ownStyles = `
.skip { position: absolute; inset-inline-start: -100vw; }
.skip:focus { inset-inline-start: 0; }
header nav ul { flex-wrap: wrap; }
.table { overflow-x: auto; }
td, th { overflow-wrap: anywhere; }
`;

export interface Asset {
  readonly type: string;
  readonly body: string;
}

/** The files of the console, by name, read once at start. */
export const readAssets = async (): Promise<ReadonlyMap<string, Asset>> => {
  const pico = await readFile(fileURLToPath(import.meta.resolve('@picocss/pico/css/pico.classless.min.css')), 'utf8');
  return new Map([
    ['pico.css', { type: 'text/css; charset=utf-8', body: pico }],
    ['console.css', { type: 'text/css; charset=utf-8', body: ownStyles }],
  ]);
};
