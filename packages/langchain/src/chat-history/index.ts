export { KeepsakeChatHistory, type KeepsakeChatHistoryOptions } from './keepsake-chat-history.ts'
