// The core promises of the page, in engines other than Chromium.
import { SAMPLE } from '../../e2e/demo.js';
import {
  answered,
  asksAndFinds,
  button,
  foundWords,
  listen,
  messages,
  notebook,
  openSample,
  read,
  said,
  search,
  windowMark,
  words,
} from './demo.js';
import { expect, test } from './fixture.js';
import { find, isInView, isShown, press } from './page.js';

test('a compaction is announced, and the whole conversation stays on the page', async ({
  ordinary: browser,
}) => {
  const tab = await browser.openTab();
  await openSample(tab);
  const before = await find(tab, messages);
  await listen(tab);
  await asksAndFinds(tab);
  const heard = await said(tab);
  expect(heard).toContain('Compacting the context…');
  expect(heard).toMatch(/Context compacted: \d+ messages became one summary, [\d,]+ → [\d,]+ tokens/u);
  const after = await find(tab, messages);
  expect(after.length).toBeGreaterThan(before.length);
  expect(after[0]?.text).toBe(before[0]?.text);
  await isShown(tab, windowMark);
});

test('a detail that left the window is found again, and leads to where it stands', async ({
  ordinary: browser,
}) => {
  const tab = await browser.openTab();
  await openSample(tab);
  await asksAndFinds(tab);
  await isShown(tab, [...notebook, { role: 'listitem', text: SAMPLE.answer }]);
  await press(tab, [...search, { role: 'link', text: SAMPLE.answer }]);
  await isInView(tab, foundWords);
});

test('a reload changes nothing: conversation, window and notes stand, and the detail is found', async ({
  ordinary: browser,
}) => {
  const tab = await browser.openTab();
  await openSample(tab);
  await asksAndFinds(tab);
  const before = (await find(tab, messages)).map(({ text }) => text);
  await tab.reload();
  await isShown(tab, windowMark);
  await answered(tab);
  expect((await find(tab, messages)).map(({ text }) => text)).toEqual(before);
  await isShown(tab, [...notebook, { role: 'listitem', text: SAMPLE.answer }]);
  await asksAndFinds(tab);
});

test('what was pruned is found in the archive, in another tab and after a reload', async ({
  keeping: browser,
}) => {
  const tab = await browser.openTab();
  await openSample(tab);
  await isShown(tab, words('^Archive: kept on this device$'));
  await asksAndFinds(tab);
  await press(tab, button('Context'));
  await press(tab, button('Compact and prune'));
  await isShown(tab, words('removed from the checkpoint; the archive still holds'));
  const other = await browser.openTab();
  await other.goTo(String(await tab.evaluate('location.href')));
  await tab.reload();
  for (const each of [other, tab]) {
    await asksAndFinds(each);
    expect((await find(each, read)).at(-1)?.text).toContain('origin: archive');
  }
});

test('two tabs have one conversation: each finds the detail, and sees the other’s part without a reload', async ({
  ordinary: browser,
}) => {
  const first = await browser.openTab();
  await openSample(first);
  await asksAndFinds(first);
  const address = String(await first.evaluate('location.href'));
  const second = await browser.openTab();
  await second.goTo(address);
  await isShown(second, windowMark);
  await asksAndFinds(second);
  const both = (await find(second, messages)).length;
  await answered(first);
  await expect.poll(async () => (await find(first, messages)).length).toBe(both);
  await asksAndFinds(first);
});

test('without a private file system the archive lives in memory, the page says so, and the agent finds', async ({
  forgetting: browser,
}) => {
  const tab = await browser.openTab();
  await openSample(tab);
  await isShown(tab, words('^Archive: in memory only$'));
  await isShown(tab, words('^The archive lives in memory and ends with this page'));
  await asksAndFinds(tab);
  await press(tab, button('Context'));
  await isShown(tab, words('^Pruning needs an archive that outlives this page'));
  expect((await find(tab, button('Compact and prune')))[0]?.isEnabled).toBe(false);
  await tab.reload();
  await isShown(tab, windowMark);
  await asksAndFinds(tab);
});
