import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { PagesSettings } from '../settings/schema.ts';

export interface PagesRequestOptions {
  /**
   * The IP address of the connection. Attempts are counted by it. Without it, all users who do not come through a trusted
   * proxy (`trustedProxyHops`) share one limit.
   */
  readonly address?: string | undefined;
}

/** Answers a request to any path: one that is not of a page with a page of the status 404. */
export type Pages = (request: Request, options?: PagesRequestOptions) => Promise<Response>;

export type CreatePages = (settings: PagesSettings) => Pages;

/** The pages and the libraries that they need, in one file. Both `src/serve` and `dist/serve` are two levels below the package. */
const bundle = fileURLToPath(new URL('../../dist/pages.js', import.meta.url));

/**
 * Creates the pages for a server of the caller, without Next.js: they have paths such as `/login` and `/account`.
 *
 * @example
 * const pages = createPages({ issuer: 'https://id.example.com', adminToken: token });
 * app.all('*', (context) => pages(context.req.raw)); // Hono
 *
 * @param settings Environment variables are not read.
 * @throws ConfigError that names each setting that is not valid; Error if the pages are not built
 */
export const createPages: CreatePages = (settings) => {
  if (!existsSync(bundle)) throw new Error('The pages are not built. Run `npm run setup` in the root of the clone.');
  const { createPages: create } = createRequire(import.meta.url)(bundle) as { readonly createPages: CreatePages };
  return create(settings);
};
