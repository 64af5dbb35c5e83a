import { metrics, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openMemory, type Keepsake } from './index.ts'
import type { EventMap } from './events/event-map.ts'
import { observe } from './opentelemetry.ts'

const spans = new InMemorySpanExporter()
const told = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
let reader: PeriodicExportingMetricReader
let keepsake: Keepsake
beforeEach(async () => {
  keepsake = await openMemory({ path: ':memory:' })
})
afterEach(async () => {
  trace.disable()
  metrics.disable()
  spans.reset()
  await keepsake.close()
})

function startSdk(): void {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }))
  reader = new PeriodicExportingMetricReader({ exporter: told })
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
}

async function work(): Promise<void> {
  const ana = keepsake.scope({ user: 'ana-secret' })
  await ana.remember([
    { role: 'user', text: 'I keep four hives of bees on my roof.' },
    { role: 'assistant', text: 'How lovely.' },
  ])
  await keepsake.drain()
  await ana.recall('Where are my bees?')
}

describe('what OpenTelemetry is told', () => {
  it('is a span of each step and its figures, with nobody’s words and names', async () => {
    startSdk()
    const end = observe(keepsake)
    await work()
    end()
    const finished = spans.getFinishedSpans()
    const names = finished.map(({ name }) => name)
    for (const name of ['keepsake.remember', 'keepsake.consolidate', 'keepsake.recall'])
      expect(names).toContain(name)
    expect(finished.find(({ name }) => name === 'keepsake.remember')?.attributes).toEqual({
      'keepsake.turns': 2,
    })
    await reader.forceFlush()
    const all = told.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((one) => one.metrics))
    const counted = all.map(({ descriptor }) => descriptor.name)
    for (const name of ['keepsake.turns', 'keepsake.recall.duration', 'keepsake.memory.changes'])
      expect(counted).toContain(name)
    const attributes = JSON.stringify([
      finished.map((one) => one.attributes),
      all.map((one) => one.dataPoints),
    ])
    expect(attributes).not.toMatch(/bees|roof|ana-secret/)
    spans.reset()
    await work()
    expect(spans.getFinishedSpans()).toEqual([])
  })

  it('is each question to a model, by the GenAI conventions', () => {
    startSdk()
    const events = new EventEmitter<EventMap>()
    observe(events as unknown as Keepsake)
    const scope = { tenant: 'default', user: 'ana-secret', agent: null, app: null }
    const call = { prompt: 'segment/1', task: 'extraction', attempts: 1, milliseconds: 12, scope } as const
    events.emit('model-called', {
      ...call,
      model: 'openai:gpt-5-mini',
      outcome: 'answered',
      inputTokens: 900,
      outputTokens: 40,
    })
    events.emit('model-called', {
      ...call,
      model: 'own',
      outcome: 'timed-out',
      inputTokens: null,
      outputTokens: null,
    })
    const [one, other] = spans.getFinishedSpans()
    expect([one?.name, one?.status.code]).toEqual(['chat gpt-5-mini', SpanStatusCode.UNSET])
    expect(one?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5-mini',
      'gen_ai.usage.input_tokens': 900,
      'gen_ai.usage.output_tokens': 40,
      'keepsake.prompt': 'segment/1',
      'keepsake.task': 'extraction',
      'keepsake.outcome': 'answered',
      'keepsake.attempts': 1,
    })
    expect(other?.status.code).toBe(SpanStatusCode.ERROR)
    expect(other?.attributes).toMatchObject({ 'gen_ai.request.model': 'own', 'error.type': 'timed-out' })
  })

  it.each([
    ['openai/gpt-5-mini', 'openai', 'gpt-5-mini'],
    ['openai:gpt-5-mini', 'openai', 'gpt-5-mini'],
    ['ollama/qwen3:8b', 'ollama', 'qwen3:8b'],
    ['google.generative-ai/gemini-3', 'gcp.gemini', 'gemini-3'],
    ['groq/meta-llama/llama-4', 'groq', 'meta-llama/llama-4'],
    ['own', undefined, 'own'],
  ])('names the provider and the model of %s', (model, provider, name) => {
    startSdk()
    const events = new EventEmitter<EventMap>()
    observe(events as unknown as Keepsake)
    events.emit('model-called', {
      prompt: 'segment/1',
      model,
      outcome: 'answered',
      attempts: 1,
      milliseconds: 12,
      inputTokens: null,
      outputTokens: null,
      scope: { tenant: 'default', user: 'ana', agent: null, app: null },
    })
    const [span] = spans.getFinishedSpans()
    expect(span?.name).toBe(`chat ${name}`)
    expect(span?.attributes['gen_ai.provider.name']).toBe(provider)
    expect(span?.attributes['gen_ai.request.model']).toBe(name)
  })

  it('is nothing where there is no SDK', async () => {
    observe(keepsake)
    await work()
    expect(spans.getFinishedSpans()).toEqual([])
  })
})
