// A model's Markdown is drawn for reading, and nothing of it becomes markup of the page.
import { describe, expect, test } from 'vitest';
import { placeRanges } from '../rich-text.js';
import { markdownBlocks } from './markdown.js';

/** What a text is drawn as, without the attributes that only style needs. */
function drawn(text: string, ...marks: Parameters<typeof markdownBlocks>[1][]): string {
  const element = document.createElement('div');
  element.append(...markdownBlocks(text, marks[0]).map(({ build }) => build()));
  for (const one of element.querySelectorAll('*'))
    for (const name of ['tabindex', 'title', 'target', 'rel', 'type', 'class', 'role', 'aria-label'])
      one.removeAttribute(name);
  return element.innerHTML;
}

describe('markdown', () => {
  test.each([
    [
      '## Plan\nuse **two** of `x_1`, *now*',
      '<h4>Plan</h4><p>use <strong>two</strong> of <code>x_1</code>, <em>now</em></p>',
    ],
    [
      '- one\n- two\n  - three',
      '<ul><li><p>one</p></li><li><p>two</p><ul><li><p>three</p></li></ul></li></ul>',
    ],
    ['3. three\n4. four', '<ol start="3"><li><p>three</p></li><li><p>four</p></li></ol>'],
    ['> quoted\n> twice', '<blockquote><p>quoted\ntwice</p></blockquote>'],
    ['- [x] done', '<ul><li><p><span>☑</span> done</p></li></ul>'],
    [
      '| a | b |\n|---|---|\n| 1 |  | \n',
      '<div><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td></td></tr></tbody></table></div>',
    ],
    ['5 &lt; 6 &#x1F9F5; \\*plain\\*', '<p>5 &lt; 6 🧵 *plain*</p>'],
    ['a\\\nb', '<p>a<br>b</p>'],
    ['2 * 3 * 4 and snake_case_name', '<p>2 * 3 * 4 and snake_case_name</p>'],
  ])('%j', (text, html) => {
    expect(drawn(text)).toBe(html);
  });

  test('code stays as it was written, inside a list too', () => {
    const element = document.createElement('div');
    const text = '```ts\nlet a = "**b**";\n\nlet c;\n```\n\n1. so:\n\n   ```\n   x\n     y\n   ```';
    element.append(...markdownBlocks(text).map(({ build }) => build()));
    const blocks = [...element.querySelectorAll('pre')].map(({ textContent }) => textContent);
    expect(blocks).toEqual(['let a = "**b**";\n\nlet c;', 'x\n  y']);
    expect(element.querySelector('.code-head span')?.textContent).toBe('ts');
  });
});

describe('safety', () => {
  test.each([
    '<img src=x onerror=alert(1)>',
    'a <b onclick="alert(1)">b</b>',
    '<script>alert(1)</script>',
    '![alt](https://example.com/pixel.png)',
    '<!-- hidden -->',
  ])('%s makes no element of its own', (text) => {
    const element = document.createElement('div');
    element.append(...markdownBlocks(text).map(({ build }) => build()));
    expect(element.querySelectorAll('img, b, script')).toHaveLength(0);
    expect(element.textContent).toContain(text.includes('alt]') ? 'alt' : text);
  });

  test.each(['[x](javascript:alert(1))', '[x](data:text/html,1)', '[x](/secret)', '<vbscript:x>'])(
    '%s leads nowhere',
    (text) => {
      expect(drawn(text)).not.toContain('<a');
    },
  );

  test.each([
    ['[docs](https://example.com/a?b=1 "t")', 'https://example.com/a?b=1', 'docs'],
    ['see www.example.com.', 'https://www.example.com', 'www.example.com'],
    ['<https://example.com/é>', 'https://example.com/é', 'https://example.com/é'],
    ['me@example.com', 'mailto:me@example.com', 'me@example.com'],
  ])('%s is a link that leaves the page alone', (text, href, label) => {
    const element = document.createElement('div');
    element.append(...markdownBlocks(text).map(({ build }) => build()));
    const link = element.querySelector('a');
    expect([link?.getAttribute('href'), link?.textContent, link?.rel, link?.target]).toEqual([
      href,
      label,
      'noopener noreferrer',
      '_blank',
    ]);
  });
});

test('a place is marked at the right characters, through the markup and behind an emoji', () => {
  const text = '🧵 The **reservation** is `ZX-731`.';
  const place = { message: 'm', start: 2, end: 34, query: 'reservation zx-731' };
  expect(drawn(text, placeRanges(text, place))).toBe(
    '<p>🧵 <span>The </span><strong><span><mark>reservation</mark></span></strong><span> is </span><code><span><mark>ZX-731</mark></span></code><span>.</span></p>',
  );
});
