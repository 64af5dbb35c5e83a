import { eachItem } from './pages.ts'
import { dataOf } from './request-error.ts'
import type { KeepsakeApi } from './scope-reading.ts'
import type {
  CallOptions,
  FailedMessage,
  MadeWebhook,
  NewWebhook,
  ReplayedMessages,
  Webhook,
  WebhookChange,
} from './types.ts'

/** The webhooks that the client's key created; all webhooks for a key with `admin`. */
export class WebhookClient {
  readonly #api: KeepsakeApi

  /** @internal Use `KeepsakeClient.webhooks`. */
  constructor(api: KeepsakeApi) {
    this.#api = api
  }

  /**
   * Registers an address. Only this response contains the secret that signs the messages.
   *
   * @example
   * const { webhook, secret } = await keepsake.webhooks.create({ url: 'https://app.example.com/hooks', user: 'ana' })
   */
  async create(webhook: NewWebhook, options: CallOptions = {}): Promise<MadeWebhook> {
    return dataOf(await this.#api.POST('/v1/webhooks', { ...options, body: webhook }))
  }

  /** Iterates over the webhooks, oldest first. */
  list(options: CallOptions = {}): AsyncGenerator<Webhook> {
    return eachItem(async (query) => {
      const { webhooks, next } = dataOf(
        await this.#api.GET('/v1/webhooks', { ...options, params: { query } }),
      )
      return { items: webhooks, next }
    })
  }

  /** Reads one webhook. @throws KeepsakeRequestError */
  async get(id: string, options: CallOptions = {}): Promise<Webhook> {
    return dataOf(await this.#api.GET('/v1/webhooks/{webhook}', { ...options, ...webhookPath(id) }))
  }

  /** Changes a webhook. `enabled: false` stops it; `enabled: true` starts it again and sends the events queued meanwhile. */
  async change(id: string, change: WebhookChange, options: CallOptions = {}): Promise<Webhook> {
    return dataOf(
      await this.#api.PATCH('/v1/webhooks/{webhook}', { ...options, ...webhookPath(id), body: change }),
    )
  }

  /** Removes a webhook. The server sends it no more messages. @throws KeepsakeRequestError */
  async remove(id: string, options: CallOptions = {}): Promise<void> {
    dataOf(await this.#api.DELETE('/v1/webhooks/{webhook}', { ...options, ...webhookPath(id) }))
  }

  /** Creates a new secret. The old one signs too until `graceHours` have passed. @param graceHours Default: 24 */
  async rotateSecret(id: string, graceHours?: number, options: CallOptions = {}): Promise<MadeWebhook> {
    const body = graceHours === undefined ? {} : { graceHours }
    return dataOf(
      await this.#api.POST('/v1/webhooks/{webhook}/secret', { ...options, ...webhookPath(id), body }),
    )
  }

  /** Iterates over the messages whose delivery failed for good. */
  failed(id: string, options: CallOptions = {}): AsyncGenerator<FailedMessage> {
    return eachItem(async (query) => {
      const params = { ...webhookPath(id).params, query }
      const answer = await this.#api.GET('/v1/webhooks/{webhook}/failed', { ...options, params })
      const { messages, next } = dataOf(answer)
      return { items: messages, next }
    })
  }

  /** Sends failed messages again: the named ones, or the first hundred. */
  async replay(
    id: string,
    messages?: readonly string[],
    options: CallOptions = {},
  ): Promise<ReplayedMessages> {
    const body = messages === undefined ? {} : { messages: [...messages] }
    return dataOf(
      await this.#api.POST('/v1/webhooks/{webhook}/failed/replay', { ...options, ...webhookPath(id), body }),
    )
  }
}

function webhookPath(webhook: string) {
  return { params: { path: { webhook } } }
}
