import type { PageRoute } from '../../page/route.ts';
import { routes as change } from './change.ts';
import { routes as code } from './code/code-page.ts';
import { routes as create } from './create.ts';
import { routes as detail } from './detail.ts';
import { routes as edit } from './edit.ts';
import { routes as json } from './edit-json.ts';
import { routes as importClients } from './import/import-pages.ts';
import { routes as list } from './list.ts';
import { routes as trial } from './trial/trial-pages.ts';
import { routes as usage } from './usage.ts';

export const routes: readonly PageRoute[] = [
  ...list,
  ...create,
  ...importClients,
  ...detail,
  ...edit,
  ...json,
  ...change,
  ...code,
  ...usage,
  ...trial,
];
