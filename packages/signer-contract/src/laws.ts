import { callLaws } from './laws/calls.ts';
import { dataLaws } from './laws/data.ts';
import { keyLaws } from './laws/keys.ts';
import type { SignerLaw, SignerSubject, WrapperLaw, WrapperSubject } from './laws/law.ts';
import { versionLaws } from './laws/versions.ts';
import { wrapperCallLaws } from './laws/wrapper-calls.ts';
import { wrappingLaws } from './laws/wrapping.ts';

export type { Service, SignerLaw, SignerSubject, WrapperLaw, WrapperSubject } from './laws/law.ts';

/** Every law of `RemoteSigner`. */
export const signerLaws: readonly SignerLaw[] = [...keyLaws, ...dataLaws, ...versionLaws, ...callLaws];

/** Every law of `KeyWrapper`. */
export const keyWrapperLaws: readonly WrapperLaw[] = [...wrappingLaws, ...wrapperCallLaws];

/** Names what a subject lacks that the law needs. Undefined: the law applies. */
export const reasonToSkip = (
  { needs = [] }: SignerLaw | WrapperLaw,
  subject: SignerSubject | WrapperSubject,
): string | undefined => {
  const isMissing = (need: string) =>
    need === 'choice' ? 'serviceChoosesKey' in subject && subject.serviceChoosesKey : !(need in subject);
  const missing = needs.filter(isMissing);
  return missing.length === 0 ? undefined : `the subject has no ${missing.join(', no ')}`;
};
