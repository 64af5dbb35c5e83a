export { withMemory, type MemorableModel } from './with-memory.ts'
export type { Answer, Call, Message, Part, StreamedAnswer, StreamPart } from './call.ts'
export { memoryMiddleware } from './memory-middleware.ts'
export { memoryMessage } from './memory-message.ts'
export type { MemoryOptions, MemoryStep } from './memory-options.ts'
export {
  memoryTools,
  type ChangeResult,
  type MemoryAbility,
  type MemoryTools,
  type MemoryToolsOptions,
  type ShownBlock,
} from './memory-tools.ts'
export type { ShownMemory, ShownRecall } from './show-recall.ts'
export { recallForCall, type CallRecallOptions, type RecalledTalk } from './recall-for-call.ts'
