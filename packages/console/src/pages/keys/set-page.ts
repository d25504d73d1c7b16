import { commonMessages } from '../../messages/common/index.ts';
import { fill } from '../../messages/fill.ts';
import { keysMessages } from '../../messages/keys/index.ts';
import { choice, confirmedForm, hidden, mayChange, textField } from '../../page/form.ts';
import { type Html, html } from '../../page/html.ts';
import type { PageContext } from '../../page/route.ts';
import { table } from '../../page/table.ts';
import { listSet } from './signing-keys.ts';
import { importForm, removeForm } from './signing-page.ts';

const generateForm = (context: PageContext, set: string): Html => {
  const { language, link } = context;
  const texts = keysMessages(language);
  return confirmedForm(context, {
    action: link('/keys/generate'),
    summary: texts.generate,
    warning: texts.addWarning,
    fields: html`${hidden('set', set)}
${textField({ name: 'alg', label: texts.algorithm, hint: texts.algorithmHint, required: true })}
${choice({
  name: 'use',
  label: texts.columns.use,
  options: [
    ['sig', texts.uses.sig],
    ['enc', texts.uses.enc],
  ],
})}${textField({ name: 'kid', label: texts.kid, hint: texts.kidHint })}`,
  });
};

/** A set of keys of the operator. The page shows that a key has a private part, and never the part. */
export const setPart = async (context: PageContext, set: string): Promise<Html> => {
  const { language } = context;
  const texts = keysMessages(language);
  const { yes, no } = commonMessages(language);
  const { kid, alg, use, type, private: secret, remove } = texts.columns;
  const keys = await listSet(context, set);
  const isChangeable = mayChange(context);
  const shown = table({
    caption: fill(texts.setTitle, { set }),
    columns: [kid, alg, use, type, secret, ...(isChangeable ? [remove] : [])],
    empty: texts.empty,
    rows: keys.map((key) => [
      html`<code>${key.kid}</code>`,
      key.alg,
      texts.uses[key.use],
      key.crv ?? key.kty,
      key.d !== undefined || key.k !== undefined ? yes : no,
      ...(isChangeable ? [removeForm(context, set, key.kid)] : []),
    ]),
  });
  return html`<h2>${fill(texts.setTitle, { set })}</h2>${shown}${isChangeable ? html`${generateForm(context, set)}${importForm(context, set)}` : ''}`;
};
