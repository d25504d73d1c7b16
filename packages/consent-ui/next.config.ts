import type { NextConfig } from 'next';

const config: NextConfig = {
  poweredByHeader: false,
  typescript: { tsconfigPath: 'tsconfig.build.json' },
  // A form token and text chosen by others (login_hint) share a page: compressed, its length would tell of the token (BREACH).
  compress: false,
  // The client of the accounts API comes from its source: the workspace is not built when this app is.
  transpilePackages: ['@carnet/accounts'],
  turbopack: { resolveAlias: { '@carnet/accounts/client': '../accounts/src/client.ts' } },
  // It loads a native library by its path.
  serverExternalPackages: ['@node-rs/argon2'],
};

export default config;
