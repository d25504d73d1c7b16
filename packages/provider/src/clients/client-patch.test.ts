import { describe, expect, it } from 'vitest';
import { CarnetError } from '../errors.ts';
import { applyPatch } from './client-patch.ts';

const client = { client_id: 'a', client_name: 'A', redirect_uris: ['https://a/1', 'https://a/2'], metadata: { x: 1 } };

const problemOf = (patch: unknown, document: object = client): string => {
  try {
    applyPatch(document, patch);
  } catch (error) {
    if (error instanceof CarnetError && error.code === 'invalid_request') return error.description;
    throw error;
  }
  return 'none';
};

describe('applyPatch', () => {
  it('does every operation of RFC 6902, in order, on a copy', () => {
    const before = structuredClone(client);
    const patched = applyPatch(client, [
      { op: 'test', path: '/client_name', value: 'A' },
      { op: 'replace', path: '/client_name', value: 'B' },
      { op: 'add', path: '/redirect_uris/-', value: 'https://a/3' },
      { op: 'add', path: '/redirect_uris/0', value: 'https://a/0' },
      { op: 'remove', path: '/redirect_uris/1' },
      { op: 'copy', from: '/client_name', path: '/owner' },
      { op: 'move', from: '/metadata/x', path: '/metadata/y~1~0z' },
    ]);
    expect(patched).toEqual({
      client_id: 'a',
      client_name: 'B',
      owner: 'B',
      redirect_uris: ['https://a/0', 'https://a/2', 'https://a/3'],
      metadata: { 'y/~z': 1 },
    });
    expect(client).toEqual(before);
  });

  it('sets by replace a member that is not there, as Hydra does', () => {
    const patch = [
      { op: 'replace', path: '/owner', value: 'me' },
      { op: 'replace', path: '/metadata/y', value: 2 },
      { op: 'replace', path: '/redirect_uris/1', value: 'https://a/3' },
    ];
    expect(applyPatch(client, patch)).toEqual({
      ...client,
      owner: 'me',
      metadata: { x: 1, y: 2 },
      redirect_uris: ['https://a/1', 'https://a/3'],
    });
  });

  it.each([
    ['no array', { op: 'remove', path: '/client_name' }],
    ['an unknown operation', [{ op: '_get', path: '/client_name' }]],
    ['no path', [{ op: 'remove' }]],
    ['the whole document', [{ op: 'replace', path: '', value: {} }]],
    ['a path without slash', [{ op: 'remove', path: 'client_name' }]],
    ['no value', [{ op: 'add', path: '/owner' }]],
    ['the id', [{ op: 'replace', path: '/client_id', value: 'b' }]],
    ['the id, hidden by an escape', [{ op: 'move', path: '/client_id', from: '/client_name' }]],
    ['a move of the id', [{ op: 'move', from: '/client_id', path: '/owner' }]],
    ['/id', [{ op: 'add', path: '/id', value: 'b' }]],
    ['the rotated secrets', [{ op: 'add', path: '/rotated_secrets', value: [] }]],
    ['__proto__', [{ op: 'add', path: '/__proto__/admin', value: true }]],
    ['__proto__ below', [{ op: 'add', path: '/metadata/__proto__/admin', value: true }]],
    ['constructor.prototype', [{ op: 'add', path: '/constructor/prototype/admin', value: true }]],
    ['__proto__ as a source', [{ op: 'copy', from: '/__proto__', path: '/metadata/p' }]],
    ['what is inherited', [{ op: 'add', path: '/toString/admin', value: true }]],
    ['a member of what is not there', [{ op: 'replace', path: '/nothing/at/all', value: 1 }]],
    ['a member of an inherited one', [{ op: 'replace', path: '/toString/name', value: 1 }]],
    ['an element that is not there', [{ op: 'replace', path: '/redirect_uris/2', value: 'x' }]],
    ['an element behind the last', [{ op: 'replace', path: '/redirect_uris/-', value: 'x' }]],
    ['a removal of what is not there', [{ op: 'remove', path: '/nothing/at/all' }]],
    ['an index beyond the end', [{ op: 'add', path: '/redirect_uris/9', value: 'x' }]],
    ['an index that is none', [{ op: 'add', path: '/redirect_uris/first', value: 'x' }]],
    ['a test that fails', [{ op: 'test', path: '/client_name', value: 'C' }]],
    ['a move into itself', [{ op: 'move', from: '/metadata', path: '/metadata/x/y' }]],
    ['more than 100 operations', Array(101).fill({ op: 'test', path: '/client_name', value: 'A' })],
    ['a pointer without end', [{ op: 'remove', path: '/x'.repeat(400) }]],
    ['nothing', undefined],
  ])('refuses %s', (_name, patch) => {
    expect(problemOf(patch)).toContain('JSON Patch');
    expect(Object.prototype).not.toHaveProperty('admin');
  });

  it('refuses copies that would fill the memory', () => {
    const doubling = [
      { op: 'add', path: '/metadata/a', value: { x: 'x'.repeat(1000) } },
      ...Array.from({ length: 60 }, (_, i) => ({ op: 'copy', from: '/metadata', path: `/metadata/c${i}` })),
    ];
    expect(problemOf(doubling)).toContain('too large');
  });

  it('refuses what becomes too deep', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
    const path = `/metadata${'/a'.repeat(20)}`;
    expect(
      problemOf([
        { op: 'add', path: '/metadata', value: deep(20) },
        { op: 'add', path, value: deep(20) },
      ]),
    ).toContain('nested');
  });

  it('members named like methods are patched like others', () => {
    const document = { metadata: { hasOwnProperty: 1, toString: 2 } };
    expect(problemOf([{ op: 'test', path: '/metadata', value: { hasOwnProperty: 1 } }], document)).toContain(
      'does not fit',
    );
    expect(problemOf([{ op: 'replace', path: '/metadata/toString', value: 3 }], document)).toBe('none');
  });

  it('never quotes the client or the patch', () => {
    expect(problemOf([{ op: 'test', path: '/client_name', value: 's3cret' }], { client_name: 'hidden' })).not.toMatch(
      /s3cret|hidden/,
    );
  });
});
