import type { NextConfig } from 'next';

const config: NextConfig = {
  // Makes the build list the files of Next.js that its server loads: the package has these (write-server.mjs).
  output: 'standalone',
  poweredByHeader: false,
  typescript: { tsconfigPath: 'tsconfig.build.json' },
  // A form token and text chosen by others (login_hint) share a page: compressed, its length would tell of the token (BREACH).
  compress: false,
  // The pages have no images of Next.js. With it, the server would load the library that resizes them.
  images: { unoptimized: true },
  // The installed pages may be read-only, so nothing is written beside them at run time.
  experimental: { isrFlushToDisk: false },
  // The client of the accounts API comes from its source: the workspace is not built when this app is.
  transpilePackages: ['@carnet/accounts', '@carnet/adapter-contract'],
  turbopack: {
    resolveAlias: {
      '@carnet/accounts/client': '../accounts/src/client.ts',
      '@carnet/adapter-contract/kit': '../adapter-contract/src/kit.ts',
    },
  },
};

export default config;
