import type { Operator } from '../access/operator.ts';
import type { Brand } from '../brand/brand.ts';
import { commonMessages } from '../messages/common/index.ts';
import { fill } from '../messages/fill.ts';
import { allLanguages, type Language, languages } from '../messages/languages.ts';
import { type Html, html } from './html.ts';
import type { PageContext } from './route.ts';

/** The pages of the navigation, in their order. */
const places = [
  'overview',
  'clients',
  'users',
  'sessions',
  'keys',
  'events',
  'webhooks',
  'configuration',
  'refusals',
] as const;

/** A page without its body. */
export interface Frame {
  readonly title: string;
  readonly language: Language;
  readonly link: PageContext['link'];
  readonly brand: Brand;
  /** The path below the mount point. */
  readonly path: string;
  /** Undefined on pages before the sign-in. */
  readonly operator?: Operator | undefined;
}

interface Layout extends Frame {
  readonly body: Html;
}

const pathOf = (place: (typeof places)[number]): string => (place === 'overview' ? '/' : `/${place}`);

/** `/import-clients` is not below `/clients`, where every segment is an id. */
const isHere = (path: string, target: string): boolean =>
  target === '/'
    ? path === '/'
    : path === target || path.startsWith(`${target}/`) || path === target.replace('/', '/import-');

const navigation = ({ language, link, path }: Frame): Html => {
  const { nav } = commonMessages(language);
  return html`<nav aria-label="${commonMessages(language).console}"><ul>${places.map((place) => {
    const target = pathOf(place);
    return html`<li><a href="${link(target)}"${isHere(path, target) ? html` aria-current="page"` : ''}>${nav[place]}</a></li>`;
  })}</ul></nav>`;
};

const brandMark = ({ brand: { name, logo }, language, link }: Frame): Html => {
  if (name === undefined && logo === undefined) return html``;
  // The name beside the logo says the same: readers hear it once.
  const picture =
    logo === undefined
      ? ''
      : html`<img src="${logo}" alt="${name === undefined ? commonMessages(language).console : ''}">`;
  return html`<p><a class="brand" href="${link('/')}">${picture}${name === undefined ? '' : html`<bdi>${name}</bdi>`}</a></p>`;
};

const account = ({ language, link }: Frame, { name, role }: Operator): Html => {
  const texts = commonMessages(language);
  return html`<form method="post" action="${link('/session/end')}">
    <span>${fill(texts.signedInAs, { name, role: texts.roles[role] })}</span> <button>${texts.signOut}</button>
  </form>`;
};

const languageForm = ({ language, link, path }: Frame): Html => {
  const texts = commonMessages(language);
  const options = allLanguages.map(
    (each) =>
      html`<option value="${each}" lang="${each}"${each === language ? html` selected` : ''}>${languages[each].name}</option>`,
  );
  return html`<form method="post" action="${link('/language')}"><input type="hidden" name="to" value="${path}">
<label>${texts.language}<select name="language">${options}</select></label><button>${texts.change}</button></form>`;
};

/** The part of a page before its body. */
export const layoutStart = (layout: Frame): Html => {
  const { title, language, link, brand, operator } = layout;
  const texts = commonMessages(language);
  return html`<!doctype html>
<html lang="${language}" dir="${languages[language].direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${brand.name ?? texts.console}</title>
<link rel="stylesheet" href="${link('/assets/pico.css')}">
<link rel="stylesheet" href="${link('/assets/console.css')}">
${brand.stylesheet === undefined ? '' : html`<link rel="stylesheet" href="${brand.stylesheet}">`}
${brand.logo === undefined ? '' : html`<link rel="icon" href="${brand.logo}">`}
</head>
<body>
<a class="skip" href="#main">${texts.skip}</a>
<header>${brandMark(layout)}${operator === undefined ? '' : html`${navigation(layout)}${account(layout, operator)}`}</header>
<main id="main"><h1>${title}</h1>`;
};

/** The part of a page after its body. */
export const layoutEnd = (layout: Frame): Html => html`</main>
<footer>${languageForm(layout)}</footer>
</body>
</html>`;

/** A whole page. Without a script it can be read, and its forms can be sent. */
export const renderLayout = ({ body, ...layout }: Layout): Html =>
  html`${layoutStart(layout)}${body}${layoutEnd(layout)}`;
