import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LanguageModel } from 'keepsake'
import type { LanguageAnswer } from 'keepsake/model'
import { z } from 'zod'

/** The name of Mem0's requests in recordings. */
const PROMPT = 'mem0/chat'

const requestSchema = z.object({
  messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })),
})

/** A language model that is served as OpenAI's chat completions, for systems that only accept a provider's URL. */
export interface LoopbackModel {
  /** The base URL for clients, with version. Only this machine can reach it. */
  readonly baseUrl: string
  close(): Promise<void>
}

/** Serves a model on loopback. JSON mode is ignored, because the prompt asks for JSON. Errors have status 400, so that no client retries. */
export async function serveModel(model: LanguageModel): Promise<LoopbackModel> {
  const server = createServer((request, response) => {
    answer(model, request).then(
      (body) => send(response, 200, body),
      (error: unknown) =>
        send(response, 400, {
          error: { message: error instanceof Error ? error.message : String(error), type: 'model_error' },
        }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => closeServer(server) }
}

async function answer(model: LanguageModel, request: IncomingMessage): Promise<object> {
  const { messages } = requestSchema.parse(JSON.parse(await readText(request)))
  const messagesOf = (...roles: string[]) => messages.filter(({ role }) => roles.includes(role))
  const modelAnswer = await model.generate({
    system: messagesOf('system')
      .map(({ content }) => content)
      .join('\n\n'),
    messages: messagesOf('user', 'assistant').map(({ role, content }) => ({
      role: role === 'assistant' ? 'assistant' : 'user',
      text: content,
    })),
    schema: null,
    prompt: PROMPT,
  })
  return completion(model.id, modelAnswer)
}

function completion(model: string, { text, finish, usage }: LanguageAnswer): object {
  const input = usage.input ?? 0
  const output = usage.output ?? 0
  return {
    id: 'loopback',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text },
        finish_reason: finish === 'length' ? 'length' : 'stop',
      },
    ],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
