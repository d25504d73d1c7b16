import type { StorageAdapter } from '@carnet/adapter-contract';
import { loadAccountsModule } from '../accounts/open-accounts.ts';
import type { Clock } from '../clock.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { parseConfig } from '../config/parse-config.ts';
import { accountsLayout } from '../config/rule.ts';
import type { Config } from '../config/schema.ts';
import { signerUrlsOf } from '../keys/config.ts';
import { ownSigners } from '../keys/remote/open-signers.ts';
import type { Vault } from '../keys/sealing/vault.ts';
import { type CommitHealth, createCommitHealth } from '../storage/commit-health.ts';
import { composeStores, createUndoneBy, type UndoneBy } from '../storage/compose.ts';
import { assertFits } from '../storage/fitness.ts';
import { guardAdapter } from '../storage/guard.ts';
import { migrateAtStart } from '../storage/migrate.ts';
import { observeAdapter } from '../storage/observe.ts';
import { openStores } from '../storage/open-storage.ts';
import { createLogger, type Logger } from '../telemetry/logger.ts';
import { createTelemetry, type Telemetry, type TelemetryOptions } from '../telemetry/telemetry.ts';
import { openTracing } from '../telemetry/tracing.ts';
import type { CreateProviderOptions } from './carnet.ts';
import { openKeyVault } from './key-vault.ts';
import { openSigningKeys, type SigningKeyService } from './signing-keys.ts';

/** A program that passes a store need not configure one. */
const withOwnStorage = (input: ConfigInput): ConfigInput => ({
  ...input,
  storage: { ...input.storage, default: 'adapter:' },
});

/** A program that passes signers need not configure `keys.source`. URLs of further signers are kept. */
const withOwnSigners = (input: ConfigInput): ConfigInput => {
  const { source = 'external', signer } = input.keys ?? {};
  const others = signerUrlsOf({ signer: signer as Config['keys']['signer'] }).filter((url) => url !== ownSigners);
  return { ...input, keys: { ...input.keys, source, signer: [ownSigners, ...others] } };
};

const withOwnWrapper = (input: ConfigInput): ConfigInput => ({
  ...input,
  keys: { ...input.keys, sealedBy: ownSigners },
});

/** The configuration of a program, with the parts that it passes. */
const withOwnParts = (
  input: ConfigInput | Config,
  { adapter, signers = [], keyWrapper }: Pick<CreateProviderOptions, 'adapter' | 'signers' | 'keyWrapper'>,
): ConfigInput => {
  const stored = adapter ? withOwnStorage(input as ConfigInput) : (input as ConfigInput);
  const sealed = keyWrapper ? withOwnWrapper(stored) : stored;
  return signers.length > 0 ? withOwnSigners(sealed) : sealed;
};

/** `@carnet/accounts` is loaded only for a configuration with accounts. */
const layoutOf = async ({ accounts }: ConfigInput | Config) =>
  accounts === undefined ? undefined : accountsLayout(await loadAccountsModule());

/** The resources that are opened before the other parts are created. */
export interface Foundation extends Clock {
  readonly config: Config;
  readonly options: CreateProviderOptions;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  /** Seals what is kept of keys. */
  readonly vault: Vault;
  readonly signingKeys: SigningKeyService;
  readonly adapter: StorageAdapter;
  /** Whether commits by `adapter` succeed. */
  readonly commitHealth: CommitHealth;
  readonly undoneBy: UndoneBy;
  /** The store of the clients alone: how long they may be cached depends on who else writes to it. */
  readonly clientAdapter: StorageAdapter;
  /** Has `end` called by `close`, which calls the last one first. */
  onClose(end: () => unknown): void;
  close(): Promise<void>;
}

/**
 * Reads the configuration, and opens the stores and the signing keys that it names. Nothing is left open when it
 * throws.
 *
 * @throws ConfigError with every problem at once; CarnetError `storage_unavailable`
 */
export const openFoundation = async (
  input: ConfigInput | Config,
  options: CreateProviderOptions,
  readings: TelemetryOptions['readings'],
): Promise<Foundation> => {
  const config = parseConfig(withOwnParts(input, options), undefined, await layoutOf(input));
  const { now = Date.now, logger = createLogger(config.log) } = options;
  const telemetry = createTelemetry({ logger, tracing: await openTracing(), readings });
  if (config.storage.migrate) {
    const migrations = await migrateAtStart(config.storage, config.dev);
    if (migrations.length > 0) logger.info({ migrations }, 'migrated');
  }
  const { stores, close: closeStores } = await openStores(config.storage, options.adapter);
  const ends: (() => unknown)[] = [closeStores];
  const close = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    assertFits(stores, config);
    const commitHealth = createCommitHealth();
    const adapter = guardAdapter(observeAdapter(composeStores(stores), telemetry.store), commitHealth);
    const clientAdapter = guardAdapter(observeAdapter(stores.clients, telemetry.store));
    const undoneBy = createUndoneBy(stores);
    const observe = telemetry.metrics.signer;
    const vault = await openKeyVault({ config, adapter, keyWrapper: options.keyWrapper, observe });
    const base = { config, options, logger, now, telemetry, vault, adapter, commitHealth, undoneBy, clientAdapter };
    const signingKeys = await openSigningKeys(base);
    ends.push(signingKeys.close);
    return { ...base, signingKeys, onClose: (end) => void ends.push(end), close };
  } catch (error) {
    await close();
    throw error;
  }
};
