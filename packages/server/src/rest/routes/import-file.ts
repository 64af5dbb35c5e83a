import { z } from '@hono/zod-openapi'
import {
  ImportError,
  RefusedFileError,
  sayNothingFound,
  TurnImport,
  type ImportResult,
  type PlacedTurn,
} from '@keepsake/importing'
import type { ScopedMemory } from 'keepsake'
import { given } from '@keepsake/text/names'
import { Problem, problemBody } from '../../problem.ts'
import type { ServerRequest } from '../../server-context.ts'
import { translateError } from '../../serving/errors.ts'
import { describeError } from '../../serving/write-log.ts'
import { userRoute, type AddRoute, type Rest } from '../add-route.ts'
import { json, stream } from '../describe-route.ts'
import { EventStream } from '../event-stream.ts'
import { optionalParam } from '../schemas/fields.ts'
import {
  importedFileSchema,
  importEventSchema,
  importPreviewSchema,
  uploadFields,
} from '../schemas/import.ts'
import {
  openUpload,
  presentHolds,
  refuseFile,
  takeReadingSlot,
  type Upload,
  type UploadOptions,
} from '../uploads/open-upload.ts'

const FILE_TYPE = 'application/octet-stream'
/** Turns that are recorded at a time: fewer than on the command line, because other requests wait. */
const BATCH_SIZE = 100

const fileSchema = z.string().openapi({
  format: 'binary',
  description: 'The unchanged file, with any media type.',
  example: '13/03/2026, 19:05 - Ana: I am back from Porto',
})
const written = {
  description: 'Server-sent events; see `ImportEvent`.',
  example: 'event: progress\ndata: {"recorded":100,"turns":240,"added":100}\n\n',
}
const answered = json('The imported data, as a stream or as a whole.', importedFileSchema)

type Query = z.output<z.ZodObject<typeof uploadFields>>
type Preview = z.input<typeof importPreviewSchema>

/** A request that uploads a file. */
interface UploadRequest extends Rest {
  readonly c: ServerRequest
  readonly query: Query
  readonly memory: ScopedMemory
}

export const importFileRoutes: readonly AddRoute[] = [
  ({ app }) => app.openAPIRegistry.register('ImportEvent', importEventSchema),
  userRoute('POST /import/preview', {
    id: 'previewImport',
    tag: 'transfer',
    summary: 'Preview an import',
    description:
      'Reads a file of another program (exports of ChatGPT, Claude, Mem0, Zep and Letta, messages of OpenAI, chats of WhatsApp and Telegram, transcripts, JSON lines) and reports what would be imported. Stores nothing.',
    needs: 'write',
    query: uploadFields,
    body: fileSchema,
    bodyType: FILE_TYPE,
    answer: json('The contents of the file.', importPreviewSchema),
    problems: [507],
    handle: (request) => withReadingSlot(request, async () => previewFile(request)),
  }),
  userRoute('POST /import', {
    id: 'importFile',
    tag: 'transfer',
    summary: 'Import a file',
    description:
      'The whole file is checked before anything is stored. A file that is sent again stores nothing twice and continues a broken import. Returns server-sent events (`ImportEvent`), or JSON with `Accept: application/json`. `POST /v1/import` imports Keepsake’s own exports.',
    needs: 'write',
    query: {
      ...uploadFields,
      keepOpen: optionalParam(
        z.enum(['true', 'false']),
        '`true`: the last session stays open, because more of it will follow.',
      ),
    },
    body: fileSchema,
    bodyType: FILE_TYPE,
    answer: {
      ...answered,
      content: { ...stream('', 'text/event-stream', written).content, ...answered.content },
    },
    problems: [409, 507],
    handle: (request) => importFile(request, request.query.keepOpen === 'true'),
  }),
]

/** Limits the files that are read at the same time. Takes a slot before the first byte. */
async function withReadingSlot<Value>({ c }: UploadRequest, work: () => Promise<Value>): Promise<Value> {
  const release = takeReadingSlot(c.get('grant').id)
  try {
    return await work()
  } finally {
    release()
  }
}

function optionsOf({ deps, query, memory }: UploadRequest): UploadOptions {
  const { name = 'file', format, timeZone = 'UTC', speaker, of, dateOrder } = query
  const { user } = memory.key
  const settings = { user, speaker, of, dateOrder, timeZone, now: deps.now(), by: 'request' } as const
  return { name, format, settings }
}

/** Previews a file, or asks a question that the file leaves open, such as which speaker the user is. */
async function previewFile(request: UploadRequest): Promise<Preview> {
  const options = optionsOf(request)
  try {
    const upload = await openUpload(request.c.req.raw.body, options)
    await upload.close()
    return presentPreview(options.name, upload)
  } catch (error) {
    if (!(error instanceof RefusedFileError) || error.question === null) throw refuseFile(error)
    const { format, message, question } = error
    const openQuestion = { asks: question.asks, sentence: message, choices: [...question.choices] }
    return { name: options.name, format, holds: null, question: openQuestion }
  }
}

const presentPreview = (name: string, { holds }: Upload): Preview => ({
  name,
  ...presentHolds(holds),
  question: null,
})

/** Reads the whole file before it answers, so that mistakes in the file become a plain error. */
async function importFile(uploadRequest: UploadRequest, keepOpen: boolean) {
  const { c } = uploadRequest
  const releaseSlot = takeReadingSlot(c.get('grant').id)
  let close = (): Promise<void> => Promise.resolve(releaseSlot())
  try {
    const upload = await openUpload(c.req.raw.body, optionsOf(uploadRequest))
    close = () => upload.close().finally(releaseSlot)
    if (upload.holds.kind === 'export')
      throw new ImportError('This is Keepsake’s own export. Import it with POST /v1/import.')
    const emptyMessage = sayNothingFound(upload.holds.survey)
    if (emptyMessage !== null) throw new ImportError(emptyMessage)
    const work = { total: upload.holds.survey.turns, keepOpen }
    if (c.req.header('accept')?.includes('text/event-stream') === true)
      return streamImport(uploadRequest, upload, { ...work, close })
    const imported = await recordAll(uploadRequest, upload, { ...work, signal: uploadRequest.deps.stopping })
    await close()
    return imported
  } catch (error) {
    await close()
    throw refuseFile(error)
  }
}

interface Recording {
  readonly total: number
  readonly keepOpen: boolean
  /** Stops the import between two batches. */
  readonly signal: AbortSignal
  readonly onProgress?: (progress: { recorded: number; turns: number; added: number }) => void
}

async function recordAll(
  request: UploadRequest,
  upload: Upload,
  { total, keepOpen, signal, onProgress }: Recording,
) {
  let recorded = 0
  const work = new TurnImport({
    scopeOf: (turn) => scopeOf(request, turn),
    sessionGap: request.deps.keepsake.preset.sessionGap,
    batch: BATCH_SIZE,
    keepOpen,
    onRecorded: (count, { added }) => {
      recorded += count
      onProgress?.({ recorded, turns: total, added })
      if (signal.aborted) throw stoppedProblem()
    },
  })
  await work.record(upload.turns())
  return presentImported(total, work.result)
}

const stoppedProblem = (): Problem =>
  new Problem(
    503,
    'closed',
    'The import was interrupted. The stored turns stay. To continue, send the file again.',
    {
      retryAfter: 5,
    },
  )

/** Returns the scope of a turn, with agent and app from the request, else from the file. */
function scopeOf({ deps, memory }: UploadRequest, turn: PlacedTurn): ScopedMemory {
  const { tenant, user, agent, app } = memory.key
  const names = { agent: agent ?? turn.agent ?? undefined, app: app ?? turn.app ?? undefined }
  return deps.keepsake.scope({ user, ...given({ tenant, ...names }) })
}

const presentImported = (turns: number, { added, repeated, blocks, sessions, masked }: ImportResult) => ({
  turns,
  added,
  repeated,
  blocks,
  sessions,
  maskedSecrets: Object.entries(masked).map(([kind, count]) => ({ kind, count })),
})

interface StreamOptions {
  readonly total: number
  readonly keepOpen: boolean
  readonly close: () => Promise<void>
}

/** Streams an import. A caller that disconnects stops it. */
function streamImport(
  uploadRequest: UploadRequest,
  upload: Upload,
  { total, keepOpen, close }: StreamOptions,
): Response {
  const { deps, c, query, memory } = uploadRequest
  const ended = new AbortController()
  const unwatch = deps.grants?.watch(c.get('grant'), () => ended.abort(), JSON.stringify(memory.key))
  const signal = AbortSignal.any([deps.stopping, ended.signal])
  // A stopping server does not end this stream: the import stops and sends its reason as the last event.
  const events = new EventStream({ stopping: new AbortController().signal, onEnd: () => ended.abort() })
  const request = c.get('requestId')
  const work = async (): Promise<void> => {
    events.send('preview', presentPreview(query.name ?? 'file', upload))
    const onProgress = (progress: object): void => events.send('progress', progress)
    events.send('end', await recordAll(uploadRequest, upload, { total, keepOpen, signal, onProgress }))
  }
  const closed = work()
    .catch((error: unknown) => {
      const problem = translateError(refuseFile(error))
      deps.log({ level: 'warn', event: 'import-failed', request, code: problem.code })
      events.send('error', problemBody(problem, request))
    })
    .then(() => {
      events.end()
      unwatch?.()
      return close()
    })
  void closed.catch((error: unknown) =>
    deps.log({ level: 'error', event: 'upload-not-closed', request, ...describeError(error) }),
  )
  return events.response()
}
