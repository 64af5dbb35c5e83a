/**
 * The API for custom models: requests and answers of language, reranking and signal models, the runner that calls a model with a prompt and
 * checks its answer, the adapters' errors, and a scripted model for tests.
 */
export type {
  FinishReason,
  JsonSchema,
  LanguageAnswer,
  LanguageChunk,
  LanguageMessage,
  LanguageRequest,
  LanguageTool,
  LanguageToolCall,
  LanguageToolExchange,
  LanguageToolUse,
  TokenUsage,
} from './models/language-model.ts'
export type {
  RerankOptions,
  ArousalModel,
  ImportanceModel,
  SurpriseContext,
  SurpriseModel,
} from './models/model-ports.ts'
export type { ModelBudget } from './models/call-budget.ts'
export type { ModelCallOutcome, TaskModels, LeftOut, AskModel, AskOptions } from './models/ask-model.ts'
export type { ModelUse } from './work/model-use.ts'
export type { Update, Updater, UpdateRequest } from './models/updater.ts'

export { answerSchema } from './models/answer-schema.ts'
export { readAnswer, type ReadAnswer } from './models/read-answer.ts'
export { promptRunner, type PromptRunner, type PromptRunnerOptions } from './models/prompt-runner.ts'
export { DEFAULT_WINDOW_TOKENS, requestTokens, roomBeside } from './models/model-window.ts'

export { checkEmbeddings, type AiSdkEmbeddingModel } from './models/adapters/ai-sdk.ts'
export {
  errorInBody,
  isRetryableStatus,
  modelErrorFrom,
  parseBody,
  readRetryAfter,
} from './models/adapters/ai-sdk-error.ts'
export type {
  AiSdkLanguageModel,
  LanguageModelOptions,
  StructuredOutput,
} from './models/adapters/ai-sdk-language.ts'
export {
  scriptedModel,
  type AnswerScript,
  type ScriptedAnswer,
  type ScriptedModel,
} from './models/adapters/scripted-language-model.ts'
