/**
 * OpenTelemetry traces and metrics made from a memory's events: spans of remember, recall, consolidation and each call of a language model,
 * by the GenAI conventions. Without an SDK in the process nothing is recorded. Attributes hold no message text and no user name.
 */
import { metrics, SpanKind, SpanStatusCode, trace, type Attributes } from '@opentelemetry/api'
import type { EventMap, EventName, MemoryEvent } from './events/event-map.ts'
import type { Keepsake } from './memory.ts'
import type { ModelCall } from './models/ask-model.ts'

/** Name of the tracer and the meter. */
const NAME = 'keepsake'
const SECONDS = { unit: 's' } as const

interface SpanRecord {
  readonly name: string
  readonly milliseconds: number
  readonly attributes: Attributes
  readonly kind?: SpanKind
  /** The error as a short word. */
  readonly error?: string | null
}

/**
 * Reports a memory's events to OpenTelemetry, under the active span of the call. Returns a function that stops it.
 * @example
 * import { openMemory } from 'keepsake'
 * import { observe } from 'keepsake/opentelemetry'
 * const keepsake = await openMemory({ path: ':memory:' })
 * const end = observe(keepsake)
 * await keepsake.scope({ user: 'ana' }).recall('Where does Ana live?') // a span `keepsake.recall`
 * end()
 * await keepsake.close()
 */
export function observe(keepsake: Pick<Keepsake, 'on' | 'off'>): () => void {
  const tracer = trace.getTracer(NAME)
  const meters = openMeters()
  const recordSpan = ({
    name,
    milliseconds,
    attributes,
    kind = SpanKind.INTERNAL,
    error = null,
  }: SpanRecord): void => {
    const end = Date.now()
    const span = tracer.startSpan(name, { kind, attributes, startTime: end - milliseconds })
    if (error !== null) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR })
    span.end(end)
  }
  const listeners = makeListeners(recordSpan, meters)
  const names = Object.keys(listeners) as (keyof typeof listeners)[]
  for (const name of names) keepsake.on(name, listeners[name] as never)
  return () => {
    for (const name of names) keepsake.off(name, listeners[name] as never)
  }
}

type Meters = ReturnType<typeof openMeters>

function openMeters() {
  const meter = metrics.getMeter(NAME)
  const seconds = (name: string, description: string) =>
    meter.createHistogram(name, { ...SECONDS, description })
  return {
    remembering: seconds('keepsake.remember.duration', 'Of storing turns.'),
    recalling: seconds('keepsake.recall.duration', 'Of recalls inside the engine.'),
    consolidating: seconds('keepsake.consolidate.duration', 'Of background passes over a scope.'),
    asking: seconds(
      'gen_ai.client.operation.duration',
      'Of questions to the language model, waiting included.',
    ),
    tokens: meter.createHistogram('gen_ai.client.token.usage', {
      unit: '{token}',
      description: 'Tokens of a question to the language model, as its provider counted them.',
    }),
    turns: meter.createCounter('keepsake.turns', { unit: '{turn}', description: 'Turns remembered.' }),
    changes: meter.createCounter('keepsake.memory.changes', { description: 'Changes of memories, by kind.' }),
    failures: meter.createCounter('keepsake.job.failures', { description: 'Failures of background work.' }),
  }
}

function makeListeners(recordSpan: (span: SpanRecord) => void, meters: Meters) {
  const countChange = ({ operation }: EventMap[MemoryEvent][0]): void =>
    meters.changes.add(1, { 'keepsake.change': operation.kind })
  return {
    'turns-recorded': ({ turns, milliseconds }) => {
      meters.turns.add(turns.length)
      meters.remembering.record(milliseconds / 1_000)
      recordSpan({ name: 'keepsake.remember', milliseconds, attributes: { 'keepsake.turns': turns.length } })
    },
    'recall-answered': ({ memories, confidence, milliseconds }) => {
      meters.recalling.record(milliseconds / 1_000)
      const attributes = { 'keepsake.memories': memories.length, 'keepsake.confidence': confidence }
      recordSpan({ name: 'keepsake.recall', milliseconds, attributes })
    },
    'scope-consolidated': ({ milliseconds }) => {
      meters.consolidating.record(milliseconds / 1_000)
      recordSpan({ name: 'keepsake.consolidate', milliseconds, attributes: {} })
    },
    'model-called': (call) => {
      const common = { 'gen_ai.operation.name': 'chat', ...modelOf(call) }
      meters.asking.record(call.milliseconds / 1_000, common)
      const recordTokens = (type: 'input' | 'output', tokens: number | null): void => {
        if (tokens !== null) meters.tokens.record(tokens, { ...common, 'gen_ai.token.type': type })
      }
      recordTokens('input', call.inputTokens)
      recordTokens('output', call.outputTokens)
      recordSpan(spanOfCall(call, common))
    },
    'memory-added': countChange,
    'memory-modified': countChange,
    'memory-deleted': countChange,
    'memory-forgotten': countChange,
    'memory-restored': countChange,
    'job-failed': ({ parked }) => meters.failures.add(1, { 'keepsake.parked': parked }),
  } satisfies { readonly [Name in EventName]?: (...values: EventMap[Name]) => void }
}

function spanOfCall(call: ModelCall, common: Attributes): SpanRecord {
  const { prompt, task, outcome, attempts, inputTokens, outputTokens, milliseconds } = call
  return {
    name: `chat ${String(common['gen_ai.request.model'])}`,
    kind: SpanKind.CLIENT,
    milliseconds,
    error: outcome === 'answered' || outcome === 'repaired' ? null : outcome,
    attributes: {
      ...common,
      'keepsake.prompt': prompt,
      'keepsake.outcome': outcome,
      'keepsake.attempts': attempts,
      ...(task === undefined ? {} : { 'keepsake.task': task }),
      ...(inputTokens === null ? {} : { 'gen_ai.usage.input_tokens': inputTokens }),
      ...(outputTokens === null ? {} : { 'gen_ai.usage.output_tokens': outputTokens }),
    },
  }
}

/** Maps provider names of the AI SDK and Keepsake to those of the conventions. */
const PROVIDERS: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  'amazon-bedrock': 'aws.bedrock',
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  vertex: 'gcp.vertex_ai',
  xai: 'x_ai',
}

/** Splits an id such as `openai/gpt-5-mini` or `ollama:qwen3` at the first slash or colon. Others and URLs name a model. */
function modelOf({ model }: ModelCall): Attributes {
  const index = model.search(/[/:]/)
  if (index <= 0 || /^https?:/.test(model)) return { 'gen_ai.request.model': model }
  // A provider may be followed by its interface, as in `google.generative-ai`.
  const [provider = ''] = model.slice(0, index).split('.')
  return {
    'gen_ai.provider.name': PROVIDERS[provider] ?? provider,
    'gen_ai.request.model': model.slice(index + 1),
  }
}
