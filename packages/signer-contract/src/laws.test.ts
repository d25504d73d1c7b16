import { problemsIn } from '@carnet/adapter-contract/kit';
import { describe, expect, test } from 'vitest';
import { keyWrapperLaws, reasonToSkip, signerLaws } from './laws.ts';
import { keyWrapperMutants, openMemoryService, signerMutants } from './mutants.ts';

const laws = [...signerLaws, ...keyWrapperLaws];
const mutants = [...signerMutants, ...keyWrapperMutants];

describe('the laws as data', () => {
  test('names are unique, each law is one sentence, and each law and mutant has its counterpart', () => {
    expect(problemsIn(laws, mutants)).toEqual([]);
  });
});

/** packages/signer-contract/README.md shows this. */
describe('a correct signer and a correct key wrapper', () => {
  const service = openMemoryService();
  const signer = service.subjectOf(service.openSigner);
  const wrapper = service.wrapperSubjectOf(service.openWrapper);
  test.for(signerLaws)('keep $name', (law) => {
    expect(reasonToSkip(law, signer)).toBeUndefined();
    return law.check(signer);
  });
  test.for(keyWrapperLaws)('keep $name', (law) => {
    expect(reasonToSkip(law, wrapper)).toBeUndefined();
    return law.check(wrapper);
  });
});

const lawOf = <Law extends { readonly name: string }>(all: readonly Law[], name: string): Law => {
  const law = all.find((each) => each.name === name);
  if (!law) throw new Error(`there is no law ${name}`);
  return law;
};

describe('the laws detect each mutant', () => {
  test.for(signerMutants)('$name breaks $breaks', async (mutant) => {
    const service = openMemoryService();
    const open = () => {
      const signer = service.openSigner();
      return { ...signer, ...mutant.change(signer, service) };
    };
    await expect(lawOf(signerLaws, mutant.breaks).check(service.subjectOf(open))).rejects.toThrow();
  });

  test.for(keyWrapperMutants)('$name breaks $breaks', async (mutant) => {
    const service = openMemoryService();
    const open = () => {
      const wrapper = service.openWrapper();
      return { ...wrapper, ...mutant.change(wrapper, service) };
    };
    await expect(lawOf(keyWrapperLaws, mutant.breaks).check(service.wrapperSubjectOf(open))).rejects.toThrow();
  });
});

describe('a law is skipped', () => {
  test('the subject lacks what the law needs, and the reason names it', () => {
    const { rotate: _, disable: __, ...subject } = openMemoryService().subjectOf(openMemoryService().openSigner);
    const reasons = signerLaws.flatMap((law) => {
      const reason = reasonToSkip(law, { ...subject, serviceChoosesKey: true });
      return reason ? [[law.name, reason]] : [];
    });
    expect(reasons).toEqual([
      ['new-versions-are-listed-last', 'the subject has no rotate'],
      ['older-versions-sign', 'the subject has no choice, no rotate'],
      ['disabled-keys-are-not-listed', 'the subject has no rotate, no disable'],
      ['unknown-keys-are-unfit', 'the subject has no choice'],
    ]);
  });
});
