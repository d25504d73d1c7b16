import type { StorageAdapter } from '@carnet/adapter-contract';
import type { KeyWrapper, RemoteSigner } from '@carnet/signer-contract';
import { loadAccountsModule } from '../accounts/open-accounts.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { parseConfig } from '../config/parse-config.ts';
import { layoutWith } from '../config/rule.ts';
import type { Config } from '../config/schema.ts';
import { signerUrlsOf } from '../keys/config.ts';
import { ownSigners } from '../keys/remote/open-signers.ts';
import { loadEventsModule } from './events.ts';

/** Parts that a program passes beside its configuration. */
export interface OwnParts {
  readonly adapter?: StorageAdapter;
  readonly signers?: readonly RemoteSigner[];
  readonly keyWrapper?: KeyWrapper;
  /** The stores are open already, with this section. */
  readonly shared?: { readonly storage: Config['storage'] };
}

/**
 * The configuration of a program, with the parts that it passes: it need not configure `storage.default`, `keys.source` and
 * `keys.sealedBy` for them. URLs of further signers are kept.
 */
const withOwnParts = (
  input: ConfigInput | Config,
  { adapter, signers = [], keyWrapper, shared }: OwnParts,
): ConfigInput => {
  let own = input as ConfigInput;
  if (shared) own = { ...own, storage: shared.storage };
  else if (adapter) own = { ...own, storage: { ...own.storage, default: 'adapter:' } };
  if (keyWrapper) own = { ...own, keys: { ...own.keys, sealedBy: ownSigners } };
  if (signers.length > 0) {
    const { source = 'external', signer } = own.keys ?? {};
    const others = signerUrlsOf({ signer: signer as Config['keys']['signer'] }).filter((url) => url !== ownSigners);
    own = { ...own, keys: { ...own.keys, source, signer: [ownSigners, ...others] } };
  }
  return own;
};

/** Optional packages are loaded only for a configuration with their sections. */
const layoutOf = async ({ accounts, events }: ConfigInput | Config) =>
  layoutWith({
    accounts: accounts && (await loadAccountsModule()),
    events: events && (await loadEventsModule()),
  });

/** The configuration of a program. @throws ConfigError with every problem at once */
export const readGivenConfig = async (input: ConfigInput | Config, parts: OwnParts): Promise<Config> =>
  parseConfig(withOwnParts(input, parts), undefined, await layoutOf(input));
