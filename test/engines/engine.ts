// What the promises need of a browser, whatever protocol drives it.

/** A running engine. */
export interface Engine {
  /** Opens a browser that shares nothing that is stored with those before it; one at a time. */
  openBrowser(): Promise<Browser>;
  close(): Promise<void>;
}

export interface Browser {
  readonly version: string;
  /** Errors that its pages wrote to the console; null where the driver does not tell. */
  readonly complaints: readonly string[] | null;
  /** Opens a window of its own: a tab behind another would not be drawn. */
  openTab(): Promise<Tab>;
  close(): Promise<void>;
}

export interface Tab {
  /** Resolves when the page was loaded. */
  goTo(address: string): Promise<void>;
  reload(): Promise<void>;
  /** The value of an expression that is evaluated in the page, as JSON; rejects when it throws. */
  evaluate(expression: string): Promise<unknown>;
  /** Presses keys one after another where the focus is: characters, or WebDriver's numbers of other keys. */
  pressKeys(keys: readonly string[]): Promise<void>;
}

/** What both protocols take for keys that are pressed and let go. */
export function keyActions(keys: readonly string[]) {
  const actions = keys.flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ]);
  return [{ type: 'key', id: 'keyboard', actions }];
}

export interface EngineOptions {
  /** Every window is a private one. */
  readonly isPrivate: boolean;
}

export type StartEngine = (options: EngineOptions) => Promise<Engine>;
