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

/** Addresses that receive the events of memories: those of the client's key, or all of them for one with `admin`. */
export class WebhookClient {
  readonly #api: KeepsakeApi

  /** @internal Use `KeepsakeClient.webhooks`. */
  constructor(api: KeepsakeApi) {
    this.#api = api
  }

  /**
   * Registers an address. Its secret, by which messages are signed, is in this answer alone.
   *
   * @example
   * const { webhook, secret } = await keepsake.webhooks.create({ url: 'https://app.example.com/hooks', user: 'ana' })
   */
  async create(asked: NewWebhook, options: CallOptions = {}): Promise<MadeWebhook> {
    return dataOf(await this.#api.POST('/v1/webhooks', { ...options, body: asked }))
  }

  /** Page after page, oldest first. */
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
    return dataOf(await this.#api.GET('/v1/webhooks/{webhook}', { ...options, ...at(id) }))
  }

  /** Changes it, stops it (`enabled: false`) or starts it again, with what happened meanwhile. */
  async change(id: string, change: WebhookChange, options: CallOptions = {}): Promise<Webhook> {
    return dataOf(await this.#api.PATCH('/v1/webhooks/{webhook}', { ...options, ...at(id), body: change }))
  }

  /** Removes a webhook; nothing is sent to it any more. @throws KeepsakeRequestError */
  async remove(id: string, options: CallOptions = {}): Promise<void> {
    dataOf(await this.#api.DELETE('/v1/webhooks/{webhook}', { ...options, ...at(id) }))
  }

  /** A new secret. Messages are signed by the old one too for a while. @param graceHours 24 when absent */
  async rotateSecret(id: string, graceHours?: number, options: CallOptions = {}): Promise<MadeWebhook> {
    const body = graceHours === undefined ? {} : { graceHours }
    return dataOf(await this.#api.POST('/v1/webhooks/{webhook}/secret', { ...options, ...at(id), body }))
  }

  /** Messages that were given up, page after page. */
  failed(id: string, options: CallOptions = {}): AsyncGenerator<FailedMessage> {
    return eachItem(async (query) => {
      const params = { ...at(id).params, query }
      const answer = await this.#api.GET('/v1/webhooks/{webhook}/failed', { ...options, params })
      const { messages, next } = dataOf(answer)
      return { items: messages, next }
    })
  }

  /** Sends again what was given up: the messages named, or the first hundred. */
  async replay(
    id: string,
    messages?: readonly string[],
    options: CallOptions = {},
  ): Promise<ReplayedMessages> {
    const body = messages === undefined ? {} : { messages: [...messages] }
    return dataOf(
      await this.#api.POST('/v1/webhooks/{webhook}/failed/replay', { ...options, ...at(id), body }),
    )
  }
}

function at(webhook: string) {
  return { params: { path: { webhook } } }
}
