import { fileURLToPath } from 'node:url';

/** The folder of the repository on this machine, with a slash at its end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The page of the repository. */
export const repositoryUrl = 'https://github.com/carnet-oidc/carnet';

/** The published site, without a slash at its end. `.github/workflows/site.yml` deploys it. */
export const siteUrl = 'https://carnet-oidc.github.io/carnet';

/** The page of a file or folder of the repository. `path` is relative to its root. */
export const urlOf = (path: string): string => `${repositoryUrl}/blob/main/${path}`;
