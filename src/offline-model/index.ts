// The package entry `threadkeep/offline-model`.
export { OfflineChatModel, type OfflineChatModelCallOptions, type OfflineChatModelFields } from './model.js';
export { OFFLINE_MODEL_NOTICE } from './phrases.js';
