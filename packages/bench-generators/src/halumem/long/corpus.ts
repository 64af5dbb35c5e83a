import { closeSync, createReadStream, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { estimateTokens } from 'keepsake'
import { z } from 'zod'
import type { Draw } from '@keepsake/bench/parts'
import { GenerateError } from '../../generate-error.ts'

/** A question and its answer that have nothing to do with anybody. */
export interface Exchange {
  readonly user: string
  readonly agent: string
  /** As Keepsake estimates them. */
  readonly tokens: number
}

/** Where an exchange lies in its file. */
interface Place {
  readonly offset: number
  readonly length: number
  readonly tokens: number
}

interface Source {
  readonly file: string
  readonly places: readonly Place[]
}

const text = z.string().trim().min(1)
const turn = z.object({ role: z.string(), content: text })
/** An exchange, in whichever of the usual forms: the first question and the answer after it. */
const exchangeSchema = z.union([
  z.object({ messages: z.array(turn) }).transform(({ messages }, context) => {
    const asked = messages.findIndex(({ role }) => role === 'user')
    const [user, agent] = [messages[asked]?.content, messages[asked + 1]?.content]
    if (asked >= 0 && user !== undefined && agent !== undefined) return { user, agent }
    context.addIssue({ code: 'custom', message: 'has no question with an answer after it' })
    return z.NEVER
  }),
  z.object({ user: text, agent: text }),
  z
    .object({ question: text, answer: text })
    .transform(({ question: user, answer: agent }) => ({ user, agent })),
  z
    .object({ prompt: text, response: text })
    .transform(({ prompt: user, response: agent }) => ({ user, agent })),
  z
    .object({ instruction: text, output: text })
    .transform(({ instruction: user, output: agent }) => ({ user, agent })),
])

/**
 * Exchanges of one's own that fill HaluMem's Long variant: JSON lines of any size, of which only the places are held. A file is a
 * source; sources are drawn from evenly and, within one, the longer more often, as the published script draws (stage 6).
 */
export class Corpus {
  readonly #sources: readonly Source[]

  private constructor(sources: readonly Source[]) {
    this.#sources = sources
  }

  /**
   * @param folder of `.jsonl` files, a line an exchange: `messages` (`role`, `content`), or `user` and `agent`, `question` and `answer`,
   * `prompt` and `response`, `instruction` and `output`
   * @throws GenerateError naming file and line
   */
  static async open(folder: string): Promise<Corpus> {
    const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
    const names = isFolder
      ? readdirSync(folder)
          .filter((name) => name.endsWith('.jsonl'))
          .toSorted()
      : []
    if (names.length === 0)
      throw new GenerateError(
        `${folder} should be a folder of .jsonl files, a question and its answer a line.`,
      )
    const sources: Source[] = []
    for (const name of names) sources.push(await indexFile(join(folder, name)))
    return new Corpus(sources.filter(({ places }) => places.length > 0))
  }

  /** Tokens of all exchanges. */
  get tokens(): number {
    return this.#sources.flatMap(({ places }) => places).reduce((sum, { tokens }) => sum + tokens, 0)
  }

  /**
   * Draws different exchanges until they hold so many tokens.
   *
   * @throws GenerateError when the corpus does not hold as many
   */
  draw(draw: Draw, tokens: number): Exchange[] {
    const left = this.#sources.map((source) => new Bag(source))
    const drawn: Exchange[] = []
    for (let held = 0; held < tokens;) {
      const sources = left.filter(({ isEmpty }) => !isEmpty)
      if (sources.length === 0)
        throw new GenerateError(
          `The corpus holds ${held} tokens and ${tokens} are wanted: add to it, or ask for fewer tokens.`,
        )
      const exchange = draw.pick(sources).take(draw)
      drawn.push(exchange)
      held += exchange.tokens
    }
    return drawn
  }
}

/** What of a source is not drawn yet, by sums of weights in a tree, so that drawing is fast however large it is. */
class Bag {
  readonly #source: Source
  readonly #sums: Float64Array
  readonly #size: number

  constructor(source: Source) {
    this.#source = source
    this.#size = 2 ** Math.ceil(Math.log2(Math.max(2, source.places.length)))
    this.#sums = new Float64Array(2 * this.#size)
    for (const [index, { tokens }] of source.places.entries()) this.#sums[this.#size + index] = tokens
    for (let node = this.#size - 1; node > 0; node -= 1)
      this.#sums[node] = this.#sum(2 * node) + this.#sum(2 * node + 1)
  }

  get isEmpty(): boolean {
    return this.#sum(1) <= 0
  }

  take(draw: Draw): Exchange {
    let weight = draw.real(0, this.#sum(1))
    let node = 1
    while (node < this.#size) {
      const left = 2 * node
      const goesLeft = weight < this.#sum(left) || this.#sum(left + 1) <= 0
      if (!goesLeft) weight -= this.#sum(left)
      node = goesLeft ? left : left + 1
    }
    const place = this.#source.places[node - this.#size]
    if (place === undefined) throw new RangeError('There is nothing left to draw.')
    for (let up = node, taken = this.#sum(node); up > 0; up = Math.floor(up / 2))
      this.#sums[up] = up === node ? 0 : Math.max(0, this.#sum(up) - taken)
    return readPlace(this.#source.file, place)
  }

  #sum(node: number): number {
    return this.#sums[node] ?? 0
  }
}

async function indexFile(file: string): Promise<Source> {
  const places: Place[] = []
  let [offset, line] = [0, 0]
  for await (const bytes of linesOf(file)) {
    line += 1
    const said = bytes.toString('utf8')
    if (said.trim() !== '') {
      const { tokens } = parse(said, `${basename(file)}:${line}`)
      places.push({ offset, length: bytes.length, tokens })
    }
    offset += bytes.length + 1
  }
  return { file, places }
}

/** Lines as bytes, so that their places are known. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  const stream: AsyncIterable<Buffer> = createReadStream(file)
  for await (const chunk of stream) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield rest.subarray(0, end)
      rest = rest.subarray(end + 1)
    }
  }
  if (rest.length > 0) yield rest
}

function readPlace(file: string, { offset, length }: Place): Exchange {
  const bytes = Buffer.alloc(length)
  const opened = openSync(file, 'r')
  try {
    readSync(opened, bytes, 0, length, offset)
  } finally {
    closeSync(opened)
  }
  return parse(bytes.toString('utf8'), basename(file))
}

function parse(line: string, where: string): Exchange {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw new GenerateError(`${where} is not JSON.`, { cause })
  }
  const read = exchangeSchema.safeParse(value)
  if (!read.success)
    throw new GenerateError(
      `${where} holds no question with an answer: give messages, or user and agent, or question and answer.`,
      { cause: read.error },
    )
  return { ...read.data, tokens: tokensOf(read.data) }
}

function tokensOf({ user, agent }: Pick<Exchange, 'user' | 'agent'>): number {
  return Math.max(1, estimateTokens(user) + estimateTokens(agent))
}
