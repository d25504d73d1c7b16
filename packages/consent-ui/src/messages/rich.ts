import { createElement, Fragment, type ReactNode } from 'react';

/** A sentence with elements inside: rich`${<strong>Shop</strong>} wants to use your account.` */
export const rich = (texts: TemplateStringsArray, ...values: readonly ReactNode[]): ReactNode =>
  createElement(Fragment, null, ...texts.flatMap((text, index) => [text, values[index]]));
