import { isTree, mergeTrees, type Tree, withoutAt } from '@carnet/provider/config';

/** The keys of the whole installation, which an issuer can't set. */
const ofInstallation: readonly string[] = [
  'dev',
  'storage',
  'secrets',
  'public',
  'metrics',
  'workers',
  'log',
  'http',
  'outbound',
  'clientSecrets.maxPendingVerifications',
  'logout.backchannelPollSeconds',
  'admin.token',
  'admin.host',
  'admin.port',
  'admin.allowedHosts',
  'limits.openIssuers',
  'limits.idle',
];

/**
 * The keys that no issuer inherits. Clients of one issuer are unknown at another. A SCIM token manages the users of the issuer that
 * has it, and of no other with the same section `accounts`.
 */
const ofOneIssuer: readonly string[] = ['issuer', 'clients', 'features.mtls.baseUrl', 'accounts.scim', 'issuers'];

const hasAt = (tree: Tree, [name = '', ...rest]: readonly string[]): boolean => {
  if (!Object.hasOwn(tree, name)) return false;
  const child = tree[name];
  return rest.length === 0 || (isTree(child) && hasAt(child, rest));
};

/** The keys in the settings of an issuer that belong to the whole installation. */
export const foreignKeys = (own: Tree): readonly string[] => ofInstallation.filter((key) => hasAt(own, key.split('.')));

/** Without the keys that are `null`: they have the default instead of what the top level sets. */
const withoutNulls = (tree: Tree): Tree =>
  Object.fromEntries(
    Object.entries(tree)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key, isTree(value) ? withoutNulls(value) : value]),
  );

const tokensOf = ({ admin }: Tree): readonly unknown[] =>
  isTree(admin) && Array.isArray(admin.tokens) ? admin.tokens : [];

/** The tokens of an issuer are bound to it. Those of the top level follow: each declares for which issuers it is. */
const adminOf = (name: string, top: Tree, own: Tree): Tree => {
  const bound = tokensOf(own).map((token) => (isTree(token) ? { ...token, issuers: [name] } : token));
  const tokens = [...bound, ...tokensOf(top)];
  return { ...(isTree(top.admin) ? top.admin : {}), ...(isTree(own.admin) ? own.admin : {}), tokens };
};

/** The complete settings of an issuer: its own, over those that it inherits from the top level. */
export const inherit = (name: string, top: Tree, own: Tree): Tree => {
  const inherited = ofOneIssuer.reduce((tree, key) => withoutAt(tree, key.split('.')), top);
  const allowed = ofInstallation.reduce((tree, key) => withoutAt(tree, key.split('.')), own);
  const hasAdmin = isTree(top.admin) || isTree(own.admin);
  return withoutNulls({
    ...mergeTrees(inherited, allowed),
    ...(hasAdmin && { admin: adminOf(name, top, allowed) }),
  });
};
