import type { NextConfig } from 'next';

const config: NextConfig = {
  poweredByHeader: false,
  typescript: { tsconfigPath: 'tsconfig.build.json' },
  // A form token and text chosen by others (login_hint) share a page: compressed, its length would tell of the token (BREACH).
  compress: false,
  // It loads a native library by its path.
  serverExternalPackages: ['@node-rs/argon2'],
};

export default config;
