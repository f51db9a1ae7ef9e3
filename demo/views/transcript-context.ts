// What the drawing of one message needs to know of the page around it.
import type { Actions } from '../actions.js';
import type { SourcePlace } from '../store.js';

/** Id of the element that shows a message, for links and scrolling. */
export const elementId = (message: string) => `message-${message}`;

/** The conversation around a message, as links and folds see it. */
export interface TranscriptContext {
  /** Changes when `hasMessage` or `placeOfSource` would answer differently. */
  readonly revision: string;
  readonly actions: Actions;
  /** Hash link to a place of the open conversation. */
  readonly linkTo: (place: SourcePlace) => string;
  readonly hasMessage: (id: string) => boolean;
  /** Where a source stands in the conversation, as far as its look-ups have told. */
  readonly placeOfSource: (source: string) => SourcePlace | null;
  /** Remembers which folds the user opened, across redraws. */
  readonly opened: Set<string>;
}
