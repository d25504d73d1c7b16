import { describe, expect, it } from 'vitest';
import { parseStudy, studies } from './index.ts';
import { memory } from './memory.ts';
import { remoteSigner } from './remote-signer.ts';

const none = { scenarios: [], isQuick: false, repeated: {} };

describe('a study', () => {
  it.each(studies.map((study) => [study.name, study] as const))('named %s has help and defaults', (_, study) => {
    expect(parseStudy(study, [])).toMatchObject({ values: study.options });
    const help = String(parseStudy(study, ['--help']));
    for (const said of [study.title, '--out', ...Object.keys(study.options)]) expect(help).toContain(said);
  });

  it.each([
    [memory, ['--logins', 'many'], 'whole number'],
    [memory, ['--workers', '0'], 'from 1'],
    [remoteSigner, ['--rounds', '0'], 'from 1'],
    [remoteSigner, ['--speed', '1'], 'speed'],
  ])('says what to do about an option', (study, args, hint) => {
    expect(() => parseStudy(study, args)).toThrow(hint);
  });

  it.each([
    [memory, { ...memory.options, store: 'oracle' }],
    [remoteSigner, { ...remoteSigner.options, service: 'azure' }],
  ])('starts nothing for a store or a service that does not exist', async (study, values) => {
    await expect(study.run(values, none)).rejects.toThrow(/it takes (memory, sqlite|gcpkms, vault)/);
  });
});
