import { expect, test } from 'vitest';
import { siteLinkOf } from './repository-links.ts';

test.each([
  ['a page of the site', '../concepts/security.md#the-device-flow', '../concepts/security.md#the-device-flow'],
  ['an anchor', '#names', '#names'],
  ['another site', 'https://example.com/a', 'https://example.com/a'],
  ['a folder of the repository', '../../examples/koa/', 'https://github.com/carnet-oidc/carnet/blob/main/examples/koa'],
  [
    'an anchor in a file of the repository',
    '../../packages/adapter-postgres#one-statement',
    'https://github.com/carnet-oidc/carnet/blob/main/packages/adapter-postgres#one-statement',
  ],
  [
    'a file of docs that is no page',
    '../start/try-it.sh',
    'https://github.com/carnet-oidc/carnet/blob/main/docs/start/try-it.sh',
  ],
  ['a file that git ignores', '../reference/config.schema.json', '/reference/config.schema.json'],
  ['the document of the admin API', '../reference/openapi.json', '/reference/admin-api/'],
])('a link to %s', (_target, href, link) => {
  expect(siteLinkOf(href, 'docs/guides/in-process.md')).toBe(link);
});
