// Every sentence that the offline model says of itself, English and Chinese. All else in its answers is quoted.

/** One sentence for a page that uses the model, so that nobody takes it for a language model. */
export const OFFLINE_MODEL_NOTICE =
  'Answers here come from a small built-in program, not from a language model: it searches the conversation and quotes what it finds.';

export interface Phrases {
  readonly found: string;
  /** Instead of `found` when what was found has not the form asked for. */
  readonly closest: string;
  readonly seen: string;
  readonly said: (role: string, name: string | null, quote: string) => string;
  readonly noted: (quote: string) => string;
  readonly savedNote: (key: string) => string;
  readonly noteRefused: (error: string) => string;
  readonly nothing: (query: string) => string;
  readonly nothingSeen: string;
  readonly unclear: string;
  readonly searchFailed: (error: string) => string;
  readonly status: (status: string) => string | null;
}

const ENGLISH: Phrases = {
  found: 'I looked it up in this conversation.',
  closest: 'I looked it up in this conversation and found no plain answer. This comes closest.',
  seen: 'This is what I still have in sight.',
  said: (role, name, quote) => `${speaker(role, name)}: “${quote}”`,
  noted: (quote) => `Noted: “${quote}”`,
  savedNote: (key) => `I kept this as the note “${key}”, with its source.`,
  noteRefused: (error) =>
    error === 'note_capacity'
      ? 'No note was kept of it: all note slots are in use.'
      : `No note was kept of it (${error}).`,
  nothing: (query) => `I searched the conversation for “${query}” and found nothing about it.`,
  nothingSeen: 'Nothing that I have in sight answers it either.',
  unclear: 'I can look up details of this conversation. Which one do you mean?',
  searchFailed: (error) =>
    error === 'scope_unavailable'
      ? 'The history cannot be searched: this run does not say whose conversation it is.'
      : `The history cannot be searched now (${error}).`,
  status: (status) =>
    status === 'partially_expired'
      ? 'A part of the older history has expired, so there may have been more.'
      : status === 'unavailable'
        ? 'The archive is unavailable, so only the messages still in the conversation were searched.'
        : status === 'scope_unavailable'
          ? 'The archive belongs to another conversation, so only the messages at hand were searched.'
          : null,
};

const CHINESE: Phrases = {
  found: '我在对话记录里查到了。',
  closest: '我查了对话记录，没有找到明确的答案，最接近的是：',
  seen: '我眼下还能看到的是：',
  said: (role, name, quote) => `${hanSpeaker(role, name)}：“${quote}”`,
  noted: (quote) => `记下了：“${quote}”`,
  savedNote: (key) => `我把它记在笔记“${key}”里，并注明了出处。`,
  noteRefused: (error) => (error === 'note_capacity' ? '笔记已满，没有记下。' : `没能记下笔记（${error}）。`),
  nothing: (query) => `我在对话里查了“${query}”，没有找到。`,
  nothingSeen: '眼下能看到的消息里也没有答案。',
  unclear: '我可以查这段对话里的细节。您指的是哪一个？',
  searchFailed: (error) =>
    error === 'scope_unavailable'
      ? '无法查历史：这次运行没有说明是谁的对话。'
      : `现在无法查历史（${error}）。`,
  status: (status) =>
    status === 'partially_expired'
      ? '较早的历史有一部分已过期，可能还有别的内容。'
      : status === 'unavailable'
        ? '存档不可用，只查了对话里还在的消息。'
        : status === 'scope_unavailable'
          ? '存档属于另一段对话，只查了手边的消息。'
          : null,
};

/** The phrases in the language of the user's message. */
export function phrasesFor(isChinese: boolean): Phrases {
  return isChinese ? CHINESE : ENGLISH;
}

/** True when a text is an earlier answer of this model: it repeats a source and must not be taken for one. */
export function isOwnAnswer(text: string): boolean {
  return OWN_CALL.test(text) || OWN_OPENINGS.some((opening) => text.startsWith(opening));
}

const OWN_CALL = /^\nTool calls: \[\{"name": "(?:history_search|history_read|task_note)"/u;

const OWN_OPENINGS: readonly string[] = [ENGLISH, CHINESE].flatMap((phrases) => [
  phrases.found,
  phrases.closest,
  phrases.seen,
  phrases.unclear,
  // The parts before what is quoted.
  ...[
    phrases.noted('\n'),
    phrases.nothing('\n'),
    phrases.searchFailed('\n'),
    phrases.searchFailed('scope_unavailable'),
  ]
    .map((sentence) => sentence.split('\n')[0] ?? '')
    .filter((opening) => opening !== ''),
]);

function speaker(role: string, name: string | null): string {
  switch (role) {
    case 'human':
      return 'You said';
    case 'ai':
      return 'I said';
    case 'call':
      return 'I called a tool with';
    case 'tool':
      return name === null || name === '' ? 'A tool answered' : `The tool ${name} answered`;
    case 'summary':
      return 'The summary says';
    case 'notes':
      return 'The notes say';
    default:
      return 'It says';
  }
}

function hanSpeaker(role: string, name: string | null): string {
  switch (role) {
    case 'human':
      return '您说过';
    case 'ai':
      return '我说过';
    case 'call':
      return '我调用工具时写的是';
    case 'tool':
      return name === null || name === '' ? '工具返回' : `工具 ${name} 返回`;
    case 'summary':
      return '摘要写着';
    case 'notes':
      return '笔记写着';
    default:
      return '记录写着';
  }
}
