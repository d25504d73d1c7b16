export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/**
 * The package manager that runs this command, by the variable `npm_config_user_agent` that all four set, such as
 * `pnpm/10.1.0 npm/? node/v24.0.0 linux x64`.
 */
export const detectPackageManager = (userAgent = ''): PackageManager => {
  const [name] = userAgent.split('/');
  return name === 'pnpm' || name === 'yarn' || name === 'bun' ? name : 'npm';
};
