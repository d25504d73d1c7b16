import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vitepress';
import { diagrams } from '../src/diagrams.ts';
import { writeTextFiles } from '../src/llms.ts';
import { navOf, sidebarOf } from '../src/navigation.ts';
import { assertNoOutsideAddress } from '../src/outside-addresses.ts';
import { repositoryUrl, root } from '../src/repository.ts';
import { repositoryLinks } from '../src/repository-links.ts';
import { searchOptions } from '../src/search.ts';
import { slugOf } from '../src/slug.ts';

const folders = { docs: join(root, 'docs'), generated: join(root, 'site/generated') };

/** VitePress reads the repository; only `docs` and the generated pages become pages of the site. */
const srcExclude = readdirSync(root)
  .filter((name) => name !== 'docs' && name !== 'site')
  .map((name) => (name.endsWith('.md') ? name : `${name}/**`));

/** A stamped page, as an address of its own, so that no file is asked for. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="4" y="2" width="24" height="28" rx="4" fill="#0f766c"/><circle cx="16" cy="14" r="6" fill="none" stroke="#fff" stroke-width="2.5"/><path d="M10 25h12" stroke="#fff" stroke-width="2.5"/></svg>';
const iconUrl = `data:image/svg+xml,${encodeURIComponent(icon)}`;

/** Pages become Vue components. `docs` lies outside of the folder whose packages have Vue. */
const vueOfSite: Plugin = {
  name: 'vue-of-site',
  enforce: 'pre',
  resolveId(id) {
    return /^vue($|\/)/.test(id) ? this.resolve(id, join(root, 'site/package.json'), { skipSelf: true }) : undefined;
  },
};

export default defineConfig({
  title: 'Carnet',
  description: 'An OpenID Connect provider for Node.js that you mount in your app or run as a server.',
  lang: 'en',
  head: [['link', { rel: 'icon', href: iconUrl }]],
  base: process.env.SITE_BASE ?? '/',
  srcDir: root,
  srcExclude: [...srcExclude, 'site/*.md'],
  ignoreDeadLinks: 'localhostLinks',
  rewrites: { 'docs/:path*': ':path*', 'site/generated/:path*': ':path*' },
  vite: {
    publicDir: join(folders.generated, 'public'),
    build: { chunkSizeWarningLimit: 5000 },
    plugins: [vueOfSite],
    server: { watch: { ignored: ['**/{packages,examples,bench,test}/**'] } },
  },
  markdown: {
    anchor: { slugify: slugOf },
    config: (md) => {
      md.use(repositoryLinks);
      md.use(diagrams);
    },
  },
  themeConfig: {
    logo: { src: iconUrl, alt: '' },
    nav: navOf(folders),
    sidebar: sidebarOf(folders),
    outline: [2, 3],
    search: { provider: 'local', options: { miniSearch: { searchOptions } } },
    socialLinks: [{ icon: 'github', link: repositoryUrl }],
    editLink: { text: 'Edit this page', pattern: `${repositoryUrl}/edit/main/:path` },
  },
  transformPageData: ({ filePath, frontmatter }) => {
    if (filePath.startsWith('site/generated/')) frontmatter.editLink = false;
    // Each operation has the same headings.
    if (filePath.includes('/admin-api/')) frontmatter.outline = 2;
  },
  buildEnd: ({ outDir, site }) => {
    assertNoOutsideAddress(outDir);
    writeTextFiles(folders, outDir, site.base);
  },
});
