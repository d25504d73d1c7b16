import type { Config } from '@carnet/provider/config';
import { type Rotation, type SigningAlgorithm, signingAlgorithms, withStoredKeys } from '@carnet/provider/keys';
import { type Command, text, UsageError, type Values } from '../command.ts';
import { issuerOptions } from '../config/command-line.ts';
import { assertManaged, loadKeyConfig, timeOf } from './key-config.ts';

const algorithmsOf = (values: Values, configured: readonly SigningAlgorithm[]): readonly SigningAlgorithm[] => {
  const alg = text(values, 'alg');
  if (alg === undefined) return configured;
  const known = signingAlgorithms.filter((each) => each === alg);
  if (known.length === 0) throw new UsageError(`--alg must be one of ${signingAlgorithms.join(', ')}.`);
  return known;
};

/** Without --alg, a service decides which algorithms there are. */
const chosenAlgorithms = async (rotation: Rotation, values: Values, { keys }: Pick<Config, 'keys'>) => {
  const algorithms = algorithmsOf(values, keys.algorithms);
  if (keys.source !== 'external' || values.alg !== undefined) return algorithms;
  const known = new Set((await rotation.states()).map(({ key }) => key.alg));
  return algorithms.filter((alg) => known.has(alg));
};

/** Rotates the key of one algorithm. Returns the line to print. */
const rotate = async (rotation: Rotation, alg: SigningAlgorithm, values: Values): Promise<string> => {
  const [soon, drop] = [values.now === true, values.drop === true];
  const announced = (await rotation.states()).find(({ key, state }) => key.alg === alg && state === 'announced')?.key;
  if (announced && !soon)
    return `${alg}: ${announced.kid} is announced already, and signs from ${timeOf(announced.activeAt)}.`;
  const { kid, activeAt } = await rotation.rotate(alg, { soon, drop });
  if (drop)
    return `${alg}: ${kid} is the only key. Each process loads it at its next poll. Tokens signed by older keys no longer verify.`;
  return `${alg}: ${kid} is announced, and signs from ${timeOf(activeAt)}.`;
};

export const keysRotate: Command = {
  name: 'keys rotate',
  summary:
    'Announce new signing keys in the store now, ahead of the schedule. No restart is needed. With KEYS_SOURCE=external, create the new version at the service; --now lets it sign soon.',
  options: {
    ...issuerOptions,
    alg: {
      type: 'string',
      value: 'algorithm',
      summary: 'Rotate only this algorithm. Default: each of keys.algorithms.',
    },
    now: {
      type: 'boolean',
      summary: 'Sign with the new key as soon as every process knows it, in two or three minutes.',
    },
    drop: {
      type: 'boolean',
      summary: 'With --now, when keys have leaked: remove older keys. Tokens signed by them no longer verify.',
    },
  },
  examples: [
    'carnet keys rotate --config carnet.yaml',
    'carnet keys rotate --alg ES256 --now --config carnet.yaml',
    'carnet keys rotate --now --drop --config carnet.yaml',
  ],
  run: async (values, surface) => {
    if (values.drop === true && values.now !== true) throw new UsageError('--drop goes with --now.');
    const config = loadKeyConfig(values, surface);
    assertManaged(config);
    await withStoredKeys(config, async (rotation) => {
      for (const alg of await chosenAlgorithms(rotation, values, config)) {
        surface.out(await rotate(rotation, alg, values));
      }
    });
  },
};
