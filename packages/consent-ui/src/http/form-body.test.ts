import { expect, it } from 'vitest';
import { formBody } from './form-body.ts';

const post = (body: string, type = 'application/x-www-form-urlencoded'): Request =>
  new Request('http://ui/login', { method: 'POST', body, headers: { 'content-type': type } });

it('reads the fields of a form', async () => {
  const form = await formBody(
    post('email=a%40b&grant_scope=openid&grant_scope=email', 'application/x-www-form-urlencoded; charset=UTF-8'),
  );
  expect(form.get('email')).toBe('a@b');
  expect(form.getAll('grant_scope')).toEqual(['openid', 'email']);
});

it.each([
  'decision=accept&decision=reject',
  'decision=accept&decision=accept',
  'email=a&email=b',
  'remember=1&remember=1',
])('refuses a form that repeats a field: %s', async (body) => {
  await expect(formBody(post(body))).rejects.toMatchObject({ code: 'invalid_form', status: 400 });
});

it.each(['email=a%00b', 'name=%00', 'grant_scope=openid&grant_scope=%00'])('refuses NUL: %s', async (body) => {
  await expect(formBody(post(body))).rejects.toMatchObject({ code: 'invalid_form', status: 400 });
});

it.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])('refuses %s', async (type) => {
  await expect(formBody(post('a=b', type))).rejects.toMatchObject({ code: 'invalid_form' });
});

it('stops reading a body that is too large', async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1;
      controller.enqueue(new Uint8Array(16 * 1024).fill(97));
    },
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const request = new Request('http://ui/', { method: 'POST', body: endless, headers, duplex: 'half' } as RequestInit);
  await expect(formBody(request)).rejects.toMatchObject({ code: 'invalid_form' });
  expect(sent).toBeLessThan(10);
});
