import { commonMessages } from '../../messages/common/index.ts';
import { fill } from '../../messages/fill.ts';
import { keysMessages } from '../../messages/keys/index.ts';
import { dateTime, duration } from '../../page/dates.ts';
import { choice, confirmedForm, hidden, mayChange, textField } from '../../page/form.ts';
import { type Html, html } from '../../page/html.ts';
import type { PageContext } from '../../page/route.ts';
import { definitions, table } from '../../page/table.ts';
import type { SigningKeyState } from '../../server/console-server.ts';
import { type KnownSigningKeys, signingSet, versionOf, warningOf } from './signing-keys.ts';

/** The form that removes a key of a set. */
export const removeForm = (context: PageContext, set: string, kid: string): Html => {
  const texts = keysMessages(context.language);
  return confirmedForm(context, {
    action: context.link('/keys/remove'),
    summary: texts.remove,
    warning: texts.removeWarning,
    fields: html`${hidden('set', set)}${hidden('kid', kid)}`,
  });
};

/** The form that stores a key of the operator in a set. The key stays out of URLs: it is sent by POST. */
export const importForm = (context: PageContext, set: string): Html => {
  const texts = keysMessages(context.language);
  return confirmedForm(context, {
    action: context.link('/keys/import'),
    summary: texts.import,
    warning: set === signingSet ? texts.importWarning : texts.addWarning,
    fields: html`${hidden('set', set)}${textField({ name: 'jwk', label: texts.jwk, lines: 8, required: true })}`,
  });
};

const placeOf = (
  { language }: PageContext,
  { source }: KnownSigningKeys,
  { service, handle }: SigningKeyState,
): Html => {
  const { places } = keysMessages(language);
  if (service !== undefined) return html`${service} <code>${handle ?? ''}</code>`;
  return html`${places[source ?? 'unknown']}`;
};

const keysTable = (context: PageContext, found: KnownSigningKeys): Html => {
  const { language, now } = context;
  const texts = keysMessages(language);
  const { kid, alg, state, place, age, since, until, remove } = texts.columns;
  const isRemovable = mayChange(context) && found.source !== 'file';
  return table({
    caption: texts.signing,
    columns: [kid, alg, state, place, age, since, until, ...(isRemovable ? [remove] : [])],
    empty: commonMessages(language).empty,
    rows: found.keys.map((key) => [
      html`<code>${key.kid}</code>`,
      key.alg,
      texts.states[key.state],
      placeOf(context, found, key),
      key.createdAt ? duration((now() - key.createdAt.getTime()) / 1_000, language) : texts.unknown,
      key.activeAt ? dateTime(key.activeAt, language) : texts.unknown,
      key.until ? dateTime(key.until, language) : '',
      ...(isRemovable ? [key.state === 'active' ? '' : removeForm(context, signingSet, key.kid)] : []),
    ]),
  });
};

const warnings = ({ language, now }: PageContext, found: KnownSigningKeys): Html => {
  const texts = keysMessages(language);
  return html`${found.keys.map((key) => {
    const warning = warningOf(key, found, now());
    if (warning === undefined || key.activeAt === undefined) return '';
    const age = duration((now() - key.activeAt.getTime()) / 1_000, language);
    return html`<p role="status"><strong>${fill(texts.warnings[warning], { kid: key.kid, alg: key.alg, age })}</strong></p>`;
  })}`;
};

const rotation = (context: PageContext, found: KnownSigningKeys): Html => {
  const { language, link } = context;
  const texts = keysMessages(language);
  if (found.source === 'file') return html`<p>${texts.fromFile}</p>`;
  if (found.source === 'external') return html`<p>${texts.external}</p>`;
  if (!mayChange(context)) return html``;
  const algorithms = [...new Set(found.keys.map(({ alg }) => alg))];
  const fields = html`${hidden('version', versionOf(found))}${choice({
    name: 'alg',
    label: texts.algorithm,
    options: algorithms.map((alg) => [alg, alg]),
  })}`;
  return html`${confirmedForm(context, {
    action: link('/keys/rotate'),
    summary: texts.rotate,
    warning: texts.rotateWarning,
    fields,
  })}${importForm(context, signingSet)}`;
};

const scheduleShown = ({ language }: PageContext, { schedule }: KnownSigningKeys): Html => {
  if (schedule === undefined) return html``;
  const texts = keysMessages(language);
  return html`<h3>${texts.schedule}</h3>${definitions([
    [texts.announced, duration(schedule.announced, language)],
    [texts.activeFor, duration(schedule.active, language)],
    [texts.retiredFor, duration(schedule.retired, language)],
  ])}`;
};

/** The part of the page about the keys that sign tokens. */
export const signingPart = (context: PageContext, found: KnownSigningKeys): Html =>
  html`<h2>${keysMessages(context.language).signing}</h2>${warnings(context, found)}${keysTable(context, found)}
${scheduleShown(context, found)}${rotation(context, found)}`;
