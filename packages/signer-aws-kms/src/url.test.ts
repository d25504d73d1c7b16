import { SignerUnfitError } from '@carnet/signer-contract';
import { describe, expect, it } from 'vitest';
import { parseKmsUrl } from './url.ts';

const id = '1234abcd-12ab-34cd-56ef-1234567890ab';
const arn = `arn:aws:kms:eu-west-1:111122223333:key/${id}`;

describe('the URL of AWS KMS', () => {
  it.each([
    [`awskms:${id}`, { keys: [id] }],
    ['awskms:mrk-1234abcd12ab34cd56ef1234567890ab', { keys: ['mrk-1234abcd12ab34cd56ef1234567890ab'] }],
    ['awskms:alias/carnet,alias/next?region=eu-west-1', { keys: ['alias/carnet', 'alias/next'], region: 'eu-west-1' }],
    [`awskms:${arn}`, { keys: [arn], region: 'eu-west-1' }],
    [`awskms:${arn},alias/next?region=eu-west-1`, { keys: [arn, 'alias/next'], region: 'eu-west-1' }],
    [
      'awskms:arn:aws-us-gov:kms:us-gov-west-1:111122223333:alias/carnet/signing',
      { keys: ['arn:aws-us-gov:kms:us-gov-west-1:111122223333:alias/carnet/signing'], region: 'us-gov-west-1' },
    ],
    ['awskms:alias/a?endpoint=https://kms.internal:8443', { keys: ['alias/a'], endpoint: 'https://kms.internal:8443' }],
    ['awskms:alias/a?endpoint=http%3A%2F%2F127.0.0.1%3A5000', { keys: ['alias/a'], endpoint: 'http://127.0.0.1:5000' }],
  ])('%s', (url, address) => {
    expect(parseKmsUrl(url)).toEqual(address);
  });

  it.each([
    ['gcpkms:projects/p', /must begin with `awskms:`/],
    ['awskms:', /at position 1/],
    [`awskms:${id},`, /at position 2/],
    ['awskms:arn:aws:s3:::bucket', /at position 1/],
    ['awskms:alias/a?region=EU', /`region`/],
    ['awskms:alias/a?region=a&x=?', /more than one `\?`/],
    ['awskms:alias/a?endpoint=kms', /`endpoint`/],
    ['awskms:alias/a?endpoint=ftp://localhost', /`endpoint`/],
    ['awskms:alias/a?endpoint=http://kms.example.com', /without TLS/],
    [`awskms:${arn}?region=us-east-1`, /more than one region/],
  ])('refuses %s', (url, reason) => {
    expect(() => parseKmsUrl(url)).toThrow(SignerUnfitError);
    expect(() => parseKmsUrl(url)).toThrow(reason);
  });

  it.each([
    'awskms://AKIAEXAMPLE:hunter2@kms/alias/a',
    'awskms:AKIAEXAMPLE:hunter2@alias/a',
    'awskms:alias/a?secret=hunter2',
    'awskms:alias/a?hunter2',
    'awskms:alias/a?endpoint=https://a:hunter2@localhost',
  ])('refuses the credentials in %s, says where they belong, and does not repeat them', (url) => {
    expect(() => parseKmsUrl(url)).toThrow(/default chain/);
    expect(() => parseKmsUrl(url)).not.toThrow(/hunter2/);
  });
});
