// The conversation that comes with the demo, and questions about it whose answers are known.
import harbourMove from './harbour-move.json' with { type: 'json' };

export interface SampleQuestion {
  readonly question: string;
  /** What a right answer quotes. */
  readonly expects: string;
}

export interface Sample {
  readonly id: string;
  readonly title: string;
  /** OpenAI chat messages, for the importer. */
  readonly conversation: unknown;
  /** Worth asking once the conversation was compacted: no summary carries the answer to the first. */
  readonly questions: readonly SampleQuestion[];
}

/** A pottery moves across a harbour: written for this project, with bookings, amounts, a rule, and some Chinese. */
export const HARBOUR_MOVE: Sample = {
  id: 'harbour-move',
  title: 'A pottery moves across the harbour',
  conversation: harbourMove,
  questions: [
    { question: 'What was the reservation number of the barge?', expects: 'BRG-7K42Q' },
    { question: 'On which day must a kiln never be loaded?', expects: 'never load a kiln on a Friday' },
    { question: 'How much was the deposit for the barge?', expects: '370' },
    { question: '大窑的燃气阀门编号是多少？', expects: 'GV-5518' },
    { question: 'Who has the key for Quay 11?', expects: 'Anouk' },
    { question: 'What was the berth contract number?', expects: 'QY11-0386' },
  ],
};
