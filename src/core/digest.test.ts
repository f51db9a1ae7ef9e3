import { describe, expect, test } from 'vitest';
import { batchIdOf, digestOf, scopeDigest, sha256Hex, sourceIdOf } from './digest.js';
import type { SourceRecord } from './message.js';

const record: SourceRecord = {
  role: 'human',
  message_id: 'u1',
  name: null,
  text: 'Project Citrine code ZX-731. 决策保留备份方案',
  id: sourceIdOf({
    role: 'human',
    message_id: 'u1',
    name: null,
    text: 'Project Citrine code ZX-731. 决策保留备份方案',
  }),
  truncated: false,
};

describe('digests', () => {
  test('are SHA-256 of UTF-8 in lower-case hex', () => {
    expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  test('do not depend on the order of keys', () => {
    expect(digestOf({ a: 1, b: [{ d: 1, c: 2 }] })).toBe(digestOf({ b: [{ c: 2, d: 1 }], a: 1 }));
    expect(digestOf([1, 2])).not.toBe(digestOf([2, 1]));
  });

  test('take a lone surrogate for U+FFFD', () => {
    expect(sha256Hex('a\ud83d')).toBe(sha256Hex('a\ufffd'));
    expect(digestOf({ 'k\udc00': 'v\ud800' })).toBe(digestOf({ 'k\ufffd': 'v\ufffd' }));
  });
});

describe('ids', () => {
  test('of a source follow from message id, name, role and text', () => {
    expect(record.id).toBe('r0333c7069427ead5786151cd6b9e074a');
    const ids = [
      record.id,
      sourceIdOf({ ...record, message_id: null }),
      sourceIdOf({ ...record, name: '' }),
      sourceIdOf({ ...record, role: 'ai' }),
      sourceIdOf({ ...record, text: `${record.text} ` }),
    ];
    expect(new Set(ids).size).toBe(5);
  });

  test('of a scope keep user and thread apart', () => {
    expect(scopeDigest('ab', 'c')).not.toBe(scopeDigest('a', 'bc'));
    expect(scopeDigest('u', 't')).toBe(sha256Hex('["u", "t"]'));
  });

  test('of a batch follow from the scope and the complete records, in order', () => {
    const other = { ...record, text: 'Project', truncated: true };
    const scope = scopeDigest('u', 't');
    expect(batchIdOf(scope, [record])).toMatch(/^[0-9a-f]{64}$/);
    expect(batchIdOf(scope, [record])).toBe(batchIdOf(scope, [{ ...record }]));
    expect(batchIdOf(scope, [record])).not.toBe(batchIdOf(scope, [other]));
    expect(batchIdOf(scope, [record, other])).not.toBe(batchIdOf(scope, [other, record]));
    expect(batchIdOf(scope, [record])).not.toBe(batchIdOf(scopeDigest('u', 'other'), [record]));
  });
});
