// Which model answers, kept in this browser: the built-in program, an OpenAI-compatible address, or the browser's own model.
import { createStore, del, get, set } from 'idb-keyval';

export interface EndpointChoice {
  readonly kind: 'endpoint';
  /** Address up to and including the version, such as `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent to that address alone, and kept in this browser alone; empty when the address asks for none. */
  readonly apiKey: string;
}

export type ModelChoice = { readonly kind: 'offline' } | { readonly kind: 'browser' } | EndpointChoice;

export const OFFLINE: ModelChoice = { kind: 'offline' };

/** The one entry of a database of its own: forgetting the key deletes all there is. */
const store = createStore('threadkeep-demo-model', 'choice');
const KEY = 'choice';

/** The choice that was last kept; the built-in program when there is none that can be read. */
export async function readChoice(): Promise<ModelChoice> {
  return parseChoice(await get<unknown>(KEY, store)) ?? OFFLINE;
}

export async function keepChoice(choice: ModelChoice): Promise<void> {
  if (choice.kind === 'offline') await del(KEY, store);
  else await set(KEY, choice, store);
}

/** What was typed as an address and a model; a string names the field that cannot be used. */
export function endpointFrom(baseUrl: string, model: string, apiKey: string): EndpointChoice | BadEndpoint {
  const address = baseUrl.trim();
  if (!/^https?:/iu.test(address) || !URL.canParse(address)) return 'address';
  if (model.trim() === '') return 'model';
  return {
    kind: 'endpoint',
    baseUrl: address.replace(/\/+$/u, ''),
    model: model.trim(),
    apiKey: apiKey.trim(),
  };
}

/** Which of the fields cannot be used: an address that is no http(s) URL, or a missing model name. */
export type BadEndpoint = 'address' | 'model';

function parseChoice(value: unknown): ModelChoice | null {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return null;
  if (value.kind === 'browser') return { kind: 'browser' };
  if (value.kind !== 'endpoint') return null;
  const { baseUrl, model, apiKey }: Readonly<Record<string, unknown>> = { ...value };
  if (typeof baseUrl !== 'string' || typeof model !== 'string' || typeof apiKey !== 'string') return null;
  return { kind: 'endpoint', baseUrl, model, apiKey };
}
