import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../chromium.ts';
import { axeViolations } from './axe.ts';
import { type Check, forcedColors, keyboard, largeText, pasting, reflow } from './checks.ts';

let chromium: Browser;
let page: Page;
beforeAll(async () => {
  chromium = await launchChromium();
  page = await chromium.newPage();
});
afterAll(() => chromium.close());

const show = (body: string) =>
  page.setContent(`<!doctype html><html lang="en"><title>Page</title><style>
    button{border:1px solid}:focus-visible{outline:3px solid blue}</style><main><h1>Page</h1>${body}</main>`);

const sound = '<label>Name <input type="text"></label> <button>Send</button> <a href="#x">More</a>';

describe('the checks of accessibility', () => {
  it('find nothing in a sound page', async () => {
    await show(sound);
    const checks: readonly Check[] = [reflow, largeText, keyboard, forcedColors, pasting, axeViolations];
    for (const check of checks) expect(await check(page)).toEqual([]);
  });

  it.each<[string, Check, string]>([
    ['a page wider than 320 px', reflow, '<div style="width:400px">wide</div>'],
    ['cut text', reflow, '<p style="width:40px;overflow:hidden;white-space:nowrap">a long sentence</p>'],
    [
      'text that grows out of its place',
      largeText,
      '<p style="width:8em;overflow:hidden;font-size:1rem;width:90px;white-space:nowrap">twelve chars</p>',
    ],
    ['a focus that is not visible', keyboard, '<button style="outline:none">Send</button>'],
    ['a focus behind something', keyboard, `${sound}<div style="position:fixed;inset:0;background:#fff"></div>`],
    ['another order of the Tab key', keyboard, '<button>One</button><button tabindex="1">Two</button>'],
    ['a button without a border in forced colors', forcedColors, '<button style="border:0">Send</button>'],
    ['a field that refuses pasted text', pasting, '<input type="text" id="code" onpaste="return false">'],
    ['a password that no manager fills', pasting, '<input type="password" id="p" autocomplete="off">'],
    ['a field without a label', axeViolations, '<input type="text">'],
    ['pale text', axeViolations, '<p style="color:#aaa">pale</p>'],
    ['pale text in the dark scheme', (shown) => axeViolations(shown, 'colors'), '<p style="color:#aaa">pale</p>'],
  ])('find %s', async (_what, check, body) => {
    await show(body);
    expect((await check(page)).length).toBeGreaterThan(0);
  });
});
