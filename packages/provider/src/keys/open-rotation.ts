import { clockSkewSeconds } from '../clock.ts';
import { createRotation } from './create-rotation.ts';
import { jwksMaxAgeSeconds } from './jwks-age.ts';
import type { SourceDependencies } from './key-source.ts';
import type { RemoteSigning } from './remote/remote-signing.ts';
import type { Rotation } from './rotation.ts';
import { createStoredKeys, type StoredKeys } from './stored-keys.ts';

/** Up to a quarter of the interval is added at random, so that processes do not poll at the same time. */
export const jitter = 0.25;
/** A tolerance for clocks that differ and for the duration of a poll. */
const slackSeconds = clockSkewSeconds + 15;

export const openRotation = (
  deps: Omit<SourceDependencies, 'report' | 'signers' | 'observe'>,
  remote?: RemoteSigning,
): { stored: StoredKeys; rotation: Rotation } => {
  const { config, adapter, vault, now } = deps;
  const stored = createStoredKeys({ adapter, vault, now, toSigner: remote?.toSigner });
  const rotation = createRotation({
    stored,
    schedule: {
      announcedSeconds: config.announced,
      activeSeconds: config.active,
      // A process whose clock is slow signs with a key that others have already retired.
      retiredSeconds: config.retired + clockSkewSeconds,
    },
    algorithms: config.algorithms,
    remoteKeys: remote?.remoteKeys,
    isExternal: config.source === 'external',
    // Until the slowest process has read the key and cached copies of the previous JWKS have expired.
    spreadSeconds: config.pollSeconds * (1 + jitter) + slackSeconds + jwksMaxAgeSeconds,
    now,
  });
  return { stored, rotation };
};
