import { type Html, html } from '../../page/html.ts';

/** Why a form was refused, announced to readers who do not see the page. Nothing if there is no problem. */
export const problemNote = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html`<p role="alert"><strong>${problem}</strong></p>`;
