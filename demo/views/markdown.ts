// Markdown as elements, made from a parser's tree: no text of a model, tool or file is ever read as HTML.
import { GFM, parser } from '@lezer/markdown';
import { h } from '../dom.js';
import { drawPiece, type Range } from '../rich-text.js';
import { codeBlock } from './code-block.js';

type Tree = ReturnType<typeof parser.parse>;
type SyntaxNode = Tree['topNode'];

const markdown = parser.configure(GFM);

/** A paragraph, list, table…: what stands on its own, and can be kept while text grows behind it. */
export interface Block {
  /** Its Markdown. Equal sources at equal positions are drawn alike. */
  readonly source: string;
  readonly build: () => Node;
}

/** The text's blocks in order. `marks` are ranges of the text, in UTF-16 units, to be set apart wherever they fall. */
export function markdownBlocks(text: string, marks: readonly Range[] = []): readonly Block[] {
  const page = { text, marks };
  return childrenOf(markdown.parse(text).topNode).map((node) => ({
    source: text.slice(node.from, node.to),
    build: () => block(node, page),
  }));
}

interface Page {
  readonly text: string;
  readonly marks: readonly Range[];
}

/** Signs of the markup itself: they say what to draw, and are not drawn. */
const SIGNS = new Set([
  'HeaderMark',
  'EmphasisMark',
  'CodeMark',
  'CodeInfo',
  'QuoteMark',
  'ListMark',
  'LinkMark',
  'LinkTitle',
  'StrikethroughMark',
  'TableDelimiter',
]);
/** Signs that begin a line. */
const STARTS = new Set(['HeaderMark', 'QuoteMark']);
const ENTITIES = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&nbsp;', '\u00a0'],
]);

function block(node: SyntaxNode, page: Page): Node {
  switch (node.name) {
    case 'Paragraph':
      return h('p', {}, ...inline(node, page));
    case 'ATXHeading1':
    case 'ATXHeading2':
    case 'SetextHeading1':
    case 'SetextHeading2':
      return h('h4', {}, ...inline(node, page));
    case 'ATXHeading3':
    case 'ATXHeading4':
      return h('h5', {}, ...inline(node, page));
    case 'ATXHeading5':
    case 'ATXHeading6':
      return h('h6', {}, ...inline(node, page));
    case 'BulletList':
      return h('ul', {}, ...childrenOf(node).map((item) => block(item, page)));
    case 'OrderedList':
      return h(
        'ol',
        { start: Number.parseInt(page.text.slice(node.from, node.to), 10) },
        ...childrenOf(node).map((item) => block(item, page)),
      );
    case 'ListItem':
      return h('li', {}, ...blocksIn(node, page));
    case 'Blockquote':
      return h('blockquote', {}, ...blocksIn(node, page));
    case 'FencedCode':
    case 'CodeBlock':
      return code(node, page);
    case 'Table':
      return table(node, page);
    case 'HorizontalRule':
      return h('hr');
    case 'Task':
      return h('p', {}, ...inline(node, page));
    default:
      // HTML, link definitions and whatever a later parser may bring: shown as it was written.
      return h('p', {}, ...drawPiece(page.text, node.from, node.to, page.marks));
  }
}

function blocksIn(node: SyntaxNode, page: Page): readonly Node[] {
  return childrenOf(node)
    .filter(({ name }) => !SIGNS.has(name))
    .map((child) => block(child, page));
}

/** The content of a node: its text, with the inline markup in it drawn. */
function inline(node: SyntaxNode, page: Page): readonly Node[] {
  const nodes: Node[] = [];
  let at = node.from;
  for (const child of childrenOf(node)) {
    nodes.push(...drawPiece(page.text, at, child.from, page.marks));
    nodes.push(...inlineNode(child, page));
    at = child.to;
    // The space behind the sign belongs to it.
    if (STARTS.has(child.name)) while (page.text[at] === ' ') at += 1;
  }
  nodes.push(...drawPiece(page.text, at, node.to, page.marks));
  return nodes;
}

function inlineNode(node: SyntaxNode, page: Page): readonly Node[] {
  const { text, marks } = page;
  if (SIGNS.has(node.name)) return [];
  switch (node.name) {
    case 'StrongEmphasis':
      return [h('strong', {}, ...inline(node, page))];
    case 'Emphasis':
      return [h('em', {}, ...inline(node, page))];
    case 'Strikethrough':
      return [h('del', {}, ...inline(node, page))];
    case 'InlineCode':
      return [h('code', {}, ...inline(node, page))];
    case 'HardBreak':
      return [h('br')];
    case 'Escape':
      return drawPiece(text, node.from + 1, node.to, marks);
    case 'Entity': {
      const decoded = entity(text.slice(node.from, node.to));
      return decoded === null
        ? drawPiece(text, node.from, node.to, marks)
        : [document.createTextNode(decoded)];
    }
    case 'TaskMarker': {
      const isDone = text[node.from + 1] !== ' ';
      return [
        h('span', { class: 'task', role: 'img', 'aria-label': isDone ? '☑' : '☐' }, isDone ? '☑' : '☐'),
      ];
    }
    case 'Link':
    case 'Image':
    case 'Autolink':
      return [link(node, page)];
    case 'URL':
      return [anchor(text.slice(node.from, node.to), drawPiece(text, node.from, node.to, marks))];
    default:
      return drawPiece(text, node.from, node.to, marks);
  }
}

/** `[text](address)`, `<address>`, and an image as a link to it: nothing is fetched because a text says so. */
function link(node: SyntaxNode, page: Page): Node {
  const children = childrenOf(node);
  const url = children.findLast(({ name }) => name === 'URL');
  const [open, close] = children.filter(({ name }) => name === 'LinkMark');
  // A reference to a definition elsewhere stays as it was written.
  if (url === undefined || open === undefined || close === undefined)
    return h('span', {}, ...drawPiece(page.text, node.from, node.to, page.marks));
  const address = page.text.slice(url.from, url.to);
  const label: Node[] = [];
  let at = open.to;
  for (const child of children.filter(({ from, to }) => from >= open.to && to <= close.from)) {
    label.push(...drawPiece(page.text, at, child.from, page.marks));
    label.push(
      ...(child === url ? drawPiece(page.text, child.from, child.to, page.marks) : inlineNode(child, page)),
    );
    at = child.to;
  }
  label.push(...drawPiece(page.text, at, close.from, page.marks));
  return anchor(address, label.length > 0 ? label : [document.createTextNode(address)]);
}

/** Only to the web and to mail; any other address is text. */
function anchor(address: string, label: readonly Node[]): HTMLElement {
  const full = /^www\./iu.test(address)
    ? `https://${address}`
    : /^[^\s/:@]+@[^\s/:@]+$/u.test(address)
      ? `mailto:${address}`
      : address;
  if (!/^(?:https?:\/\/|mailto:)/iu.test(full)) return h('span', {}, ...label);
  return h('a', { href: full, target: '_blank', rel: 'noopener noreferrer', title: full }, ...label);
}

function code(node: SyntaxNode, { text, marks }: Page): Node {
  const children = childrenOf(node);
  const language = children.find(({ name }) => name === 'CodeInfo');
  const lines = children.filter(({ name }) => name === 'CodeText');
  const nodes: Node[] = [];
  let at: number | null = null;
  for (const { from, to } of lines) {
    // In a list or a quote each line is a piece of its own, behind its indentation or sign.
    if (at !== null && !text.slice(from, to).startsWith('\n') && text.slice(at, from).includes('\n'))
      nodes.push(document.createTextNode('\n'));
    nodes.push(...drawPiece(text, from, to, marks));
    at = to;
  }
  return codeBlock(nodes, language === undefined ? null : text.slice(language.from, language.to));
}

function table(node: SyntaxNode, page: Page): Node {
  const rows = childrenOf(node).filter(({ name }) => name === 'TableHeader' || name === 'TableRow');
  const [header, ...body] = rows.map((row) => cells(row, page));
  const drawn = (tag: 'th' | 'td', row: readonly (readonly Node[])[] = []) =>
    h('tr', {}, ...row.map((cell) => h(tag, {}, ...cell)));
  return h(
    'div',
    { class: 'table', tabindex: 0 },
    h(
      'table',
      {},
      h('thead', {}, drawn('th', header)),
      h('tbody', {}, ...body.map((row) => drawn('td', row))),
    ),
  );
}

/** An empty cell has no node of its own: it is two signs side by side. */
function cells(row: SyntaxNode, page: Page): readonly (readonly Node[])[] {
  const found: (readonly Node[])[] = [];
  let isAfterSign = false;
  for (const [at, child] of childrenOf(row).entries()) {
    const isSign = child.name === 'TableDelimiter';
    if (!isSign) found.push(inline(child, page));
    else if (isAfterSign && at > 0) found.push([]);
    isAfterSign = isSign;
  }
  return found;
}

function entity(text: string): string | null {
  const known = ENTITIES.get(text);
  if (known !== undefined) return known;
  const [, hex, decimal] = /^&#(?:x([\da-f]{1,6})|(\d{1,7}));$/iu.exec(text) ?? [];
  const point = hex === undefined ? Number.parseInt(decimal ?? '', 10) : Number.parseInt(hex, 16);
  // Zero, half a pair and what lies beyond Unicode are no characters.
  if (!(point > 0 && point <= 0x10ffff) || (point >= 0xd800 && point <= 0xdfff)) return null;
  return String.fromCodePoint(point);
}

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}
