import { expect, test } from 'vitest';
import { anchorsIn, documents, linkProblem, problemsOf, targetsIn } from './links.ts';

test('every link of the documents leads to a file, and to a heading if it names one', () => {
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/index.md', 'packages/cli/README.md']));
  expect(documents.flatMap(problemsOf)).toEqual([]);
});

test('headings have the anchors of GitHub', () => {
  const text = '# The `carnet` command, 1st\n## [Link](a.md) & *more*\n## Same\n## Same\n```sh\n# no heading\n```\n';
  expect([...anchorsIn(text)]).toEqual(['the-carnet-command-1st', 'link--more', 'same', 'same-1']);
});

test('links are found in text, images, references and HTML, and not in code', () => {
  const text = '[a](b.md#c) ![d](e.png "f")\n[g]: h.md\n<img src="i.svg">\n`[j](k.md)`\n```\n[l](m.md)\n```\n';
  expect(targetsIn(text)).toEqual(['b.md#c', 'e.png', 'h.md', 'i.svg']);
});

test.each([
  ['a file', 'nothing.md', 'docs/guides/nothing.md, which is not there'],
  ['an anchor', 'logout.md#nothing', 'has no anchor #nothing'],
  ['an anchor of its own', '#nothing', 'has no anchor #nothing'],
  ['a page of the site', '/guides/nothing', 'docs/guides/nothing.md, which is not there'],
  [
    'a page of the published site',
    'https://carnet-oidc.github.io/carnet/guides/nothing.html',
    'guides/nothing.md, which',
  ],
  ['a file by its address', 'https://github.com/carnet-oidc/carnet/blob/main/nothing.ts', 'nothing.ts, which is not'],
])('a link to %s that is not there is a problem', (_what, target, problem) => {
  expect(linkProblem(target, 'docs/guides/mcp.md')).toContain(problem);
});

test('a link from outside of the site to a file that git ignores is a problem, unless it leads to the site', () => {
  const anchor = '#members-of-clients';
  expect(linkProblem(`docs/reference/configuration.md${anchor}`, 'README.md')).toContain('is not in git');
  const address = 'https://github.com/carnet-oidc/carnet/blob/main/docs/reference/openapi.json';
  expect(linkProblem(address, 'docs/guides/mcp.md')).toContain('is not in git');
  for (const page of [`reference/configuration.html${anchor}`, 'reference/admin-api/', 'guides/mcp.html', ''])
    expect(linkProblem(`https://carnet-oidc.github.io/carnet/${page}`, 'README.md'), page).toBeUndefined();
  expect(linkProblem(`../reference/configuration.md${anchor}`, 'docs/guides/mcp.md')).toBeUndefined();
});
