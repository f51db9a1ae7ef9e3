// What the page uses of the importer.
export type {
  ImportedConversation,
  ImportedMessage,
  ImportOutcome,
  ImportProblem,
  ImportWarning,
} from './conversation.js';
export { type LangChainConversation, toLangChain } from './langchain.js';
export { readConversationFile, readConversationText, readConversationValue } from './read.js';
