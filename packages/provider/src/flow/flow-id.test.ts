import { expect, test } from 'vitest';
import {
  completionIdOf,
  consentRequestIdOf,
  createFlowId,
  flowBegan,
  grantIdOf,
  grantIdOfConsentRequest,
  isFlowId,
  loginRequestIdOf,
  pushedIdOf,
  sessionIdOf,
} from './flow-id.ts';

const now = Date.UTC(2026, 6, 1, 12, 0, 0, 999);

test('a flow id says when the flow began, and no two are alike', () => {
  const ids = Array.from({ length: 1_000 }, () => createFlowId(now));
  expect(new Set(ids).size).toBe(1_000);
  expect(new Set(ids.map(flowBegan))).toEqual(new Set([Math.floor(now / 1000)]));
  expect(ids.every(isFlowId)).toBe(true);
});

test('a flow id has exactly 16 bytes of base64url', () => {
  const id = createFlowId(now);
  const others = [
    '',
    id.slice(0, 21),
    `${id}A`,
    `${id.slice(0, 21)}B`,
    `${id.slice(0, 20)}=g`,
    `${id}\n`,
    id.replace(/./, '.'),
  ];
  for (const text of others) expect(isFlowId(text), JSON.stringify(text)).toBe(false);
});

test('everything derived from a flow is its own, unlike the rest, and always the same', () => {
  const [one, other] = [createFlowId(now), createFlowId(now)];
  const grantOf = (id: string) => grantIdOf({ id });
  const derivations = [grantOf, completionIdOf, sessionIdOf, loginRequestIdOf];
  const ids = [one, other].flatMap((flowId) => derivations.map((derive) => derive(flowId)));
  expect(new Set(ids.map((id) => id.replaceAll('-', ''))).size).toBe(ids.length);
  for (const derive of derivations) expect(derive(one)).toBe(derive(one));
  for (const id of ids) expect(id).not.toContain(one);
});

test('all flows of one pushed request have one grant', () => {
  const pushedId = pushedIdOf('a reference');
  const [one, other] = [createFlowId(now), createFlowId(now)];
  expect(grantIdOf({ id: one, pushedId })).toBe(grantIdOf({ id: other, pushedId }));
  const unlike = [grantIdOf({ id: one }), grantIdOf({ id: one, pushedId: pushedIdOf('another') }), pushedId];
  expect(unlike).not.toContain(grantIdOf({ id: one, pushedId }));
});

test('a session id has the form of a UUID of version 8, request ids are 32 hexadecimal digits', () => {
  for (let i = 0; i < 100; i++) {
    const id = createFlowId(now);
    expect(sessionIdOf(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(consentRequestIdOf({ id })).toMatch(/^[0-9a-f]{32}$/);
    expect(loginRequestIdOf(id)).toMatch(/^[0-9a-f]{32}$/);
  }
});

test('a consent request id leads back to its grant, and nothing else does', () => {
  const flow = { id: createFlowId(now) };
  expect(grantIdOfConsentRequest(consentRequestIdOf(flow))).toBe(grantIdOf(flow));
  for (const text of ['', 'x'.repeat(32), `${consentRequestIdOf(flow)}0`, consentRequestIdOf(flow).slice(2)])
    expect(grantIdOfConsentRequest(text)).toBeUndefined();
});
