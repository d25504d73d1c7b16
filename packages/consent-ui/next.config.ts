import type { NextConfig } from 'next';

const config: NextConfig = {
  // The container image has only the files of Next.js that the server loads: this makes the build list them.
  ...(process.env.TRACE_SERVER === '1' && { output: 'standalone' }),
  poweredByHeader: false,
  typescript: { tsconfigPath: 'tsconfig.build.json' },
  // A form token and text chosen by others (login_hint) share a page: compressed, its length would tell of the token (BREACH).
  compress: false,
  // The installed pages may be read-only, so nothing is written beside them at run time.
  experimental: { isrFlushToDisk: false },
  // The client of the accounts API comes from its source: the workspace is not built when this app is.
  transpilePackages: ['@carnet/accounts'],
  turbopack: { resolveAlias: { '@carnet/accounts/client': '../accounts/src/client.ts' } },
};

export default config;
