import { createSingleFlight } from '../clients/single-flight.ts';
import { remedyIn } from '../storage/guard.ts';
import type { Foundation } from './foundation.ts';

type Ready = () => Promise<Readonly<Record<string, string>>>;

/** What is not ready, by name; nothing when all is. */
export interface Readiness {
  /** Says what to do about it, which may name files and settings. */
  readonly admin: Ready;
  readonly public: Ready;
}

/** However many ask at once, the store is asked once. */
export const createReadiness = ({ adapter, logger }: Pick<Foundation, 'adapter' | 'logger'>): Readiness => {
  const ping = createSingleFlight(async () => {
    try {
      await adapter.ping();
      return undefined;
    } catch (err) {
      logger.warn({ err }, 'not ready');
      const remedy = remedyIn(err);
      return remedy === undefined
        ? { brief: 'The store does not answer.', remedy: 'The store does not answer.' }
        : { brief: 'The store is not fit for use. The admin listener and the log say what to do.', remedy };
    }
  });
  const answer = async (text: 'brief' | 'remedy'): ReturnType<Ready> => {
    const problem = await ping.running('storage');
    return problem === undefined ? {} : { storage: problem[text] };
  };
  return { admin: () => answer('remedy'), public: () => answer('brief') };
};
