// A view helper in place of a framework: make elements, and keep a list of them in step with data.

type Child = Node | string | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: Event) => void);
type Attributes = Readonly<Record<string, Value>>;

/**
 * Makes an element. Strings become text nodes, so no text can turn into markup. `onclick` and its like
 * are event listeners; `true` is an empty attribute; `false`, `null` and `undefined` are left out.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.replace(/^on/u, ''), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...present(children));
  return element;
}

/** Replaces what an element holds; children that are left out (`null`, `false`) make no node. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren(...present(children));
}

/** Sets a text only when it differs, so that a live region does not speak twice. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** One entry of a keyed list: rebuilt only when its signature changes. */
export interface Keyed {
  readonly key: string;
  readonly signature: string;
  readonly build: () => HTMLElement;
}

/** Answers a function that brings a container in step with a list, touching only what changed. */
export function keyedList(container: HTMLElement): (items: readonly Keyed[]) => void {
  const known = new Map<string, { signature: string; element: HTMLElement }>();
  return (items) => {
    const wanted = new Set(items.map((item) => item.key));
    for (const [key, { element }] of known) {
      if (wanted.has(key)) continue;
      element.remove();
      known.delete(key);
    }
    let next: ChildNode | null = container.firstChild;
    for (const item of items) {
      const before = known.get(item.key);
      if (before?.signature === item.signature) {
        if (before.element === next) next = next.nextSibling;
        else container.insertBefore(before.element, next);
        continue;
      }
      const element = item.build();
      known.set(item.key, { signature: item.signature, element });
      if (before?.element === next) next = next?.nextSibling ?? null;
      container.insertBefore(element, next);
      before?.element.remove();
    }
  };
}

function present(children: readonly Child[]): (Node | string)[] {
  return children.filter(
    (child): child is Node | string => child !== null && child !== undefined && child !== false,
  );
}
