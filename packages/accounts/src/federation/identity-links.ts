import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { AccountsEvent, Logger } from '../dependencies.ts';
import type { Vault } from '../second-factors/index.ts';
import { createSealedCodec } from '../sign-in/sealed.ts';
import type { IdentityStore, NewIdentity } from '../store/index.ts';
import { proofLifetimeMs } from '../store/index.ts';

export interface IdentityLinksDependencies {
  readonly identities: Pick<IdentityStore, 'link'>;
  readonly vault: Vault;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  readonly logger: Pick<Logger, 'info'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** An identity, and the user to whom it may be linked. */
export interface IntendedLink extends Omit<NewIdentity, 'id'> {
  readonly subject: string;
  /** The language of the page. */
  readonly language?: string | undefined;
}

/** A sign-in of a user to which a proof belongs. */
interface ProvedSignIn {
  readonly subject: string;
  readonly binding: string;
}

/** Links identities to users, at once or after the user has signed in. */
export interface IdentityLinks {
  /** @param since when it was proved that both belong together @returns false if the identity belongs to a user */
  link(link: IntendedLink, since: number): Promise<boolean>;
  /** A sealed proof that the user of this sign-in has the identity. */
  seal(link: IntendedLink, binding: string): string;
  /** The provider of a proof for this user and sign-in; undefined if the proof is void. */
  providerOf(proof: string, signIn: ProvedSignIn): string | undefined;
  /** Links the identity of a proof to the user who has signed in. Nothing happens if the proof is void. */
  complete(proof: string, signedIn: ProvedSignIn): Promise<void>;
}

const schema = z.object({
  provider: z.string(),
  upstreamSubject: z.string(),
  shown: z.string().optional(),
  subject: z.string(),
  language: z.string().optional(),
  at: z.number(),
});

/**
 * Safe against a proof for another identity, user or sign-in because the proof contains (provider, upstream subject, user), and
 * is sealed for one binding. Safe against repeated use because `IdentityStore.link` accepts no proof that is older than the
 * unlinking, and no identity that is linked.
 */
export const createIdentityLinks = (dependencies: IdentityLinksDependencies): IdentityLinks => {
  const { identities, vault, emit, logger, now } = dependencies;
  const codec = createSealedCodec(vault, 'provider-link', schema);
  const link: IdentityLinks['link'] = async ({ provider, upstreamSubject, shown, subject, language }, since) => {
    const isLinked = await identities.link({ id: randomUUID(), provider, upstreamSubject, shown, subject }, since);
    if (isLinked) await emit({ type: 'identity', action: 'linked', subject, provider, language });
    return isLinked;
  };
  /** Only the user whom the page named is linked: the form may be completed by another one. */
  const valid = (text: string, { subject, binding }: ProvedSignIn): z.output<typeof schema> | undefined => {
    const proof = codec.open(text, binding);
    return proof !== undefined && proof.subject === subject && proof.at + proofLifetimeMs > now() ? proof : undefined;
  };
  return {
    link,
    seal: ({ provider, upstreamSubject, shown, subject, language }, binding) =>
      codec.seal({ provider, upstreamSubject, shown, subject, language, at: now() }, binding),
    providerOf: (text, signIn) => valid(text, signIn)?.provider,
    complete: async (text, signIn) => {
      const proof = valid(text, signIn);
      if (proof === undefined || !(await link({ ...proof, shown: proof.shown }, proof.at)))
        logger.info({ subject: signIn.subject }, 'An identity was not linked: its proof is void.');
    },
  };
};
