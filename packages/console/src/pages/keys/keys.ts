import { parseJson } from '@carnet/adapter-contract/kit';
import { CarnetError, type JwkInput } from '@carnet/provider';
import { keysMessages } from '../../messages/keys/index.ts';
import { searchForm, textField } from '../../page/form.ts';
import { html } from '../../page/html.ts';
import { type Answer, type PageContext, type PageRoute, page, redirect } from '../../page/route.ts';
import { setPart } from './set-page.ts';
import { readSigningKeys, signingSet, versionOf } from './signing-keys.ts';
import { signingPart } from './signing-page.ts';

const keysPage = async (context: PageContext): Promise<Answer> => {
  const { language, link, query } = context;
  const texts = keysMessages(language);
  const set = query.get('set')?.trim() ?? '';
  const note = new Map(Object.entries(texts.done)).get(query.get('done') ?? '');
  const isOther = set !== '' && set !== signingSet;
  const part = isOther ? await setPart(context, set) : signingPart(context, await readSigningKeys(context));
  const field = textField({ name: 'set', label: texts.set, hint: texts.setHint, value: isOther ? set : '' });
  return page(
    texts.title,
    html`${note === undefined ? '' : html`<p role="status">${note}</p>`}${part}
${isOther ? html`<p><a href="${link('/keys')}">${texts.signing}</a></p>` : ''}
<h2>${texts.others}</h2>${searchForm(link('/keys'), field, context)}`,
  );
};

type Done = 'rotate' | 'add' | 'remove';

/** Back to the page of the set, which says what was done. */
const back = ({ link }: PageContext, set: string, done: Done): Answer =>
  redirect(link('/keys', { set: set === signingSet ? undefined : set, done }));

const setIn = ({ form }: PageContext): string => form.get('set') ?? '';

const rotate = async (context: PageContext): Promise<Answer> => {
  const { server, form, audit, language } = context;
  // A form that is sent twice would create two keys, and the first of them would never sign.
  if (form.get('version') !== versionOf(await readSigningKeys(context))) {
    throw new CarnetError('changed', keysMessages(language).changed);
  }
  const { kid } = await server.keys.generate(signingSet, { alg: form.get('alg') ?? '' });
  audit('console.key.rotate', { keySet: signingSet, kid });
  return back(context, signingSet, 'rotate');
};

const useOf = (value: string | null): 'sig' | 'enc' => (value === 'enc' ? 'enc' : 'sig');

const generate = async (context: PageContext): Promise<Answer> => {
  const { server, form, audit } = context;
  const set = setIn(context);
  const options = { alg: form.get('alg')?.trim() ?? '', kid: form.get('kid')?.trim() || undefined };
  const { kid } = await server.keys.generate(set, { ...options, use: useOf(form.get('use')) });
  audit('console.key.generate', { keySet: set, kid });
  return back(context, set, 'add');
};

const isJwk = (value: unknown): value is JwkInput & { readonly kid: string } =>
  typeof value === 'object' && value !== null && 'kid' in value && typeof value.kid === 'string';

const importKey = async (context: PageContext): Promise<Answer> => {
  const { server, form, audit, language } = context;
  const set = setIn(context);
  const jwk = parseJson(form.get('jwk') ?? '');
  if (!isJwk(jwk)) throw new CarnetError('invalid_request', keysMessages(language).notJson);
  const { kid } = await server.keys.put(set, jwk.kid, jwk);
  audit('console.key.import', { keySet: set, kid });
  return back(context, set, 'add');
};

const remove = async (context: PageContext): Promise<Answer> => {
  const { server, form, audit } = context;
  const set = setIn(context);
  const kid = form.get('kid') ?? '';
  await server.keys.delete(set, kid);
  audit('console.key.remove', { keySet: set, kid });
  return back(context, set, 'remove');
};

/** The signing keys, and the sets of keys that have other purposes. */
export const routes: readonly PageRoute[] = [
  { method: 'GET', path: '/keys', role: 'viewer', answer: keysPage },
  { method: 'POST', path: '/keys/rotate', role: 'operator', answer: rotate },
  { method: 'POST', path: '/keys/generate', role: 'operator', answer: generate },
  { method: 'POST', path: '/keys/import', role: 'operator', answer: importKey },
  { method: 'POST', path: '/keys/remove', role: 'operator', answer: remove },
];
